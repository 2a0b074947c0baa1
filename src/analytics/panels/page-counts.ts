import type { Day } from '../day.ts';
import { jointsOf } from '../joints.ts';
import type { ScanColumns } from '../scan-columns.ts';
import type { Selection } from '../selection.ts';
import { createEventCounts } from './event-counts.ts';
import { type CountColumns, createCounts } from './figures.ts';
import type { CountPanel } from './visit-counts.ts';

/** The pages of one whole day, counted ahead: each count by its place in `pages`. */
type PageDay = { pages: Uint32Array; counts: CountColumns };

/** By day and mask of classes; goes with the day when that leaves the memory. */
const countedAhead = new WeakMap<Day, Map<number, PageDay>>();

/**
 * Pages without a filter. A day has many times fewer pages than events, so each day in memory is counted once, without
 * the visits that may be joined with those of other days, and a question adds the days and those visits up. What the
 * range or a filter cuts is counted event by event.
 *
 * @param size numbers of pages are below this
 */
export function createPageCounts(columns: ScanColumns, size: number): CountPanel {
  const events = createEventCounts('page', columns, () => size);
  const counts = createCounts(size);
  const countDay = createDayCounter(columns, size);
  let isFinished = false;

  return {
    add(day, selection) {
      // A day that passes is not there for the next question.
      if (!selection.whole || day.isPassing) return events.add(day, selection);
      const { classMask, skip } = selection.whole;
      addDay(counts, pageDayOf(day, classMask, countDay));
      const joints = ofClasses(
        day,
        classMask,
        jointVisits(day).filter((visit) => skip?.[visit] !== 1),
      );
      events.add(day, toSelection(joints, joints.length));
    },
    finish() {
      if (isFinished) return counts; // several breakdowns may ask for the same panel
      isFinished = true;
      const rest = events.finish();
      for (const name of COUNTED) {
        const into = counts[name];
        const from = rest[name];
        // Both have `size` entries.
        for (let page = 0; page < size; page += 1) (into[page] as number) += from[page] as number;
      }
      return counts;
    },
  };
}

const COUNTED = ['visits', 'pageviews', 'events', 'bounces', 'durationMs'] as const;

function addDay(into: CountColumns, { pages, counts }: PageDay): void {
  const { visits, pageviews, events, bounces, durationMs } = counts;
  for (let place = 0; place < pages.length; place += 1) {
    // All columns of a day have one length, and pages are below the size of `into`.
    const page = pages[place] as number;
    (into.visits[page] as number) += visits[place] as number;
    (into.pageviews[page] as number) += pageviews[place] as number;
    (into.events[page] as number) += events[place] as number;
    (into.bounces[page] as number) += bounces[place] as number;
    (into.durationMs[page] as number) += durationMs[place] as number;
  }
}

function pageDayOf(day: Day, classMask: number, count: DayCounter): PageDay {
  const known = countedAhead.get(day)?.get(classMask);
  if (known) return known;
  const pageDay = count(day, classMask);
  const byMask = countedAhead.get(day) ?? new Map<number, PageDay>();
  countedAhead.set(day, byMask.set(classMask, pageDay));
  return pageDay;
}

type DayCounter = (day: Day, classMask: number) => PageDay;

/** Counts day after day in the same memory: of its own for each, it came to 60 MiB of garbage for a month. */
function createDayCounter(columns: ScanColumns, size: number): DayCounter {
  let panel: CountPanel | undefined;
  let visits = new Uint32Array(0);

  return (day, classMask) => {
    panel ??= createEventCounts('page', columns, () => size);
    if (visits.length < day.visitCount) visits = new Uint32Array(Math.ceil(day.visitCount * 1.25));
    const isJoint = new Uint8Array(day.visitCount);
    for (const visit of jointVisits(day)) isJoint[visit] = 1;
    let count = 0;
    for (let visit = 0; visit < day.visitCount; visit += 1) {
      // Visits are within their columns.
      if (isJoint[visit] === 1 || ((classMask >> (day.class[visit] as number)) & 1) === 0) continue;
      visits[count] = visit;
      count += 1;
    }
    panel.add(day, toSelection(visits, count));
    return takePages(panel.finish());
  };
}

/** The pages that were counted; leaves zeros. */
function takePages(all: CountColumns): PageDay {
  const pages = all.events.reduce<number[]>((found, events, page) => {
    if (events > 0) found.push(page);
    return found;
  }, []);
  const counts = createCounts(pages.length);
  for (const name of COUNTED) {
    pages.forEach((page, place) => {
      counts[name][place] = all[name][page] ?? 0;
    });
    all[name].fill(0);
  }
  return { pages: Uint32Array.from(pages), counts };
}

/** The visits of a day that are left out of its count, ascending. */
function jointVisits(day: Day): number[] {
  const { heads, tails, mixed } = jointsOf(day);
  return [...new Set([...heads, ...tails, ...mixed])].sort((a, b) => a - b);
}

function ofClasses(day: Day, classMask: number, visits: number[]): Uint32Array {
  return Uint32Array.from(visits.filter((visit) => ((classMask >> (day.class[visit] ?? 0)) & 1) === 1));
}

/** What event counts read of a selection of whole visits. */
function toSelection(visits: Uint32Array, count: number): Selection {
  return {
    count,
    visits,
    pageviews: new Uint32Array(0),
    events: new Uint32Array(0),
    hit: undefined,
    whole: undefined,
  };
}
