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
  let isFinished = false;

  return {
    add(day, selection) {
      // A day that passes is not there for the next question.
      if (!selection.whole || day.isPassing) return events.add(day, selection);
      const { classMask, skip } = selection.whole;
      addDay(counts, pageDayOf(day, classMask, columns, size));
      const joints = jointVisits(day).filter((visit) => skip?.[visit] !== 1);
      events.add(day, toSelection(day, classMask, joints));
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

function pageDayOf(day: Day, classMask: number, columns: ScanColumns, size: number): PageDay {
  const known = countedAhead.get(day)?.get(classMask);
  if (known) return known;
  const isJoint = new Uint8Array(day.visitCount);
  for (const visit of jointVisits(day)) isJoint[visit] = 1;
  const visits: number[] = [];
  for (let visit = 0; visit < day.visitCount; visit += 1) if (isJoint[visit] === 0) visits.push(visit);
  const panel = createEventCounts('page', columns, () => size);
  panel.add(day, toSelection(day, classMask, visits));
  const all = panel.finish();
  const pages = all.events.reduce<number[]>((found, events, page) => {
    if (events > 0) found.push(page);
    return found;
  }, []);
  const counts = createCounts(pages.length);
  for (const name of COUNTED)
    pages.forEach((page, place) => {
      counts[name][place] = all[name][page] ?? 0;
    });
  const pageDay = { pages: Uint32Array.from(pages), counts };
  const byMask = countedAhead.get(day) ?? new Map<number, PageDay>();
  countedAhead.set(day, byMask.set(classMask, pageDay));
  return pageDay;
}

/** The visits of a day that are left out of its count, ascending. */
function jointVisits(day: Day): number[] {
  const { heads, tails, mixed } = jointsOf(day);
  return [...new Set([...heads, ...tails, ...mixed])].sort((a, b) => a - b);
}

/** What event counts read of a selection of whole visits. */
function toSelection(day: Day, classMask: number, visits: number[]): Selection {
  const own = visits.filter((visit) => ((classMask >> (day.class[visit] ?? 0)) & 1) === 1);
  return {
    count: own.length,
    visits: Uint32Array.from(own),
    pageviews: new Uint32Array(0),
    events: new Uint32Array(0),
    hit: undefined,
    whole: undefined,
  };
}
