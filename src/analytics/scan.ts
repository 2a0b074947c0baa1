import type { Selection as SelectionRequest } from './analytics.ts';
import { columnSize } from './breakdown-panels.ts';
import { CLASSES, type Day, type WideColumn } from './day.ts';
import { createDaySummer } from './day-sums.ts';
import type { Days } from './days.ts';
import { type CompiledFilter, compileFilter } from './filter.ts';
import { beginScratch, takeUnfilled } from './panels/scratch.ts';
import { createScanColumns, type ScanColumns } from './scan-columns.ts';
import { createScanPeople, type Returning, type ScanPeople } from './scan-people.ts';
import type { Selection } from './selection.ts';
import { createSelector } from './selector.ts';
import { stitch } from './stitch.ts';
import type { Traffic } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

const CLASS_MASKS: Record<Traffic, number> = {
  people: 1 << CLASSES.people,
  bots: 1 << CLASSES.bot,
  all: (1 << CLASSES.people) | (1 << CLASSES.bot) | (1 << CLASSES.excluded),
};

/** @param isJoined the day was put together of visits that cross midnight */
type Visit = (day: Day, selection: Selection, isJoined: boolean) => void;

type Step = {
  day: Day | number;
  skip: Uint32Array | undefined;
  /** A small part of a day is kept for the next pass, which else would have to select it again: who made which visits. */
  selection: Selection | undefined;
  /** Who made the visits, as long as there is room: to find that out takes longest. */
  people: Uint32Array | undefined;
};
/** Pages of the dictionary for each event of a day that is counted ahead. */
const PAGES_AN_EVENT_MAX = 8;
/** A selection of fewer visits than one in so many is small. */
const SMALL_PART = 4;
/** Numbers of people that are kept of large parts: 4 MiB. */
const PEOPLE_KEPT_MAX = 1024 * 1024;

export type Scan = {
  columns: ScanColumns;
  /** Goes through the matching events, a day at a time. A second pass finds what the first one joined. */
  run(visit: Visit): void;
  /** How many visits the first pass has met. */
  visitCount(): number;
  /** How many people have made them. Selection.people has their numbers. */
  peopleCount(): number;
  /** How many of them have made several visits. After the first pass, as the next one. */
  returningCount(): number;
  /** Only in a scan with people. A part at a time, each good until the next one. */
  returning(selection: Selection): Iterable<Returning>;
};

type Options = {
  /** `visitor`: only this one's visits. */
  request: SelectionRequest & { visitor?: number };
  terms: WebsiteTerms;
  days: Days;
  /** Columns of events that the panels read, besides `page`. */
  names: readonly string[];
  wideNames?: readonly WideColumn[];
  /** The panels read who made the visits. */
  withPeople?: boolean;
};

/** One pass over the days of a selection. Every answer comes from here, which is why they agree. */
export function createScan(options: Options): Scan {
  const { request, terms, days, names, wideNames = [], withPeople = false } = options;
  const { fromMs, toMs, traffic = 'people', visitor } = request;
  beginScratch();
  const columns = createScanColumns(days);
  const filter: CompiledFilter = compileFilter(request.filter, terms, columns);
  const needed = new Set([...names, ...filter.eventColumns]);
  needed.delete('page'); // every day has it
  const classMask = CLASS_MASKS[traffic];
  const anyClass = traffic === 'all';
  const stitching = { classMask, anyClass, columns, names: [...needed], wideNames };
  const sum = createDaySummer(columns, (axis) => columnSize(axis, terms, columns), days.sums);
  const selector = createSelector({ fromMs, toMs, classMask, visitor, filter, columns, sum });
  /** What the first pass found: days by their numbers, because not all of them may fit in memory at once. */
  let plan: Step[] | undefined;
  let visitCount = 0;
  let peopleKept = 0;
  const people = withPeople ? createScanPeople(terms.visitors.count()) : undefined;

  function look(day: Day, step: Step, visit: Visit): void {
    const isJoined = typeof step.day !== 'number';
    const counts = plan ? 'none' : isWorthSumming(day) ? 'ahead' : 'each';
    const selection = step.selection ?? selector.select(day, step.skip, counts);
    if (people && selection !== step.selection) selection.people = peopleOf(people, day, selection, step);
    if (selection.count > 0) visit(day, selection, isJoined);
    if (plan) return;
    visitCount += selection.count;
    if (selection.hit || selection.sums || selection.count * SMALL_PART >= day.visitCount) return;
    const { count, visits, people: whose } = selection;
    step.selection = { ...selection, visits: copy(visits, count), people: step.people ?? copy(whose, count) };
  }

  function peopleOf(all: ScanPeople, day: Day, selection: Selection, step: Step): Uint32Array {
    if (plan) return step.people ?? all.of(day, selection);
    const { count } = selection;
    if (peopleKept + count > PEOPLE_KEPT_MAX) return all.of(day, selection);
    peopleKept += count;
    step.people = takeUnfilled(count);
    return all.of(day, selection, step.people);
  }

  /** Sums are of everything; and a website may have so many pages that going through them takes longer than a day's visits. */
  function isWorthSumming(day: Day): boolean {
    if (request.filter || visitor !== undefined) return false;
    return terms.page.count() <= day.eventCount * PAGES_AN_EVENT_MAX;
  }

  function runFirst(visit: Visit): void {
    const found: Step[] = [];
    let before: Day | undefined;
    const range = days.range(fromMs, toMs, wideNames, anyClass);
    for (const { day, skip, isJoined } of stitch(range, stitching)) {
      if (day.endMs > fromMs && day.startMs < toMs) {
        const step = { day: isJoined ? day : day.day, skip, selection: undefined, people: undefined };
        found.push(step);
        look(day, step, visit);
      }
      if (isJoined) continue;
      // The next joined day may still be made of this one.
      if (before) days.release(before);
      before = day;
    }
    if (before) days.release(before);
    plan = found;
  }

  return {
    columns,
    run(visit) {
      if (!plan) return runFirst(visit);
      for (const step of plan) {
        if (step.selection?.count === 0) continue;
        const day = typeof step.day === 'number' ? days.get(step.day) : step.day;
        if (!day) continue;
        for (const name of wideNames) if (typeof step.day === 'number') days.wide(day, name);
        look(day, step, visit);
        if (typeof step.day === 'number') days.release(day);
      }
    },
    visitCount: () => visitCount,
    peopleCount: () => people?.count() ?? 0,
    returningCount: () => people?.returningCount() ?? 0,
    returning(selection) {
      if (!people) throw new Error('This scan does not tell people apart.');
      return people.returning(selection);
    },
  };
}

function copy(column: Uint32Array, count: number): Uint32Array {
  const kept = takeUnfilled(count);
  kept.set(column.subarray(0, count));
  return kept;
}
