import type { Day } from './day.ts';
import type { DaySums } from './day-sums.ts';
import type { Counts } from './panels/figures.ts';
import { takeBytes, takeUnfilled, takeUnfilledNumbers, withSpare } from './panels/scratch.ts';
import { HIGH } from './panels/tally.ts';

/**
 * The matching part of one day: which visits, how many of their events. The panels of a dashboard all read this.
 * The arrays are used again for the next day, and for the next question.
 */
export type Selection = {
  count: number;
  visits: Uint32Array;
  /**
   * Of each selected visit, its matching events and pageviews, a pair as in Tally; and 1 when it bounced. Beside
   * `sums` only once somebody needs them (see weigh).
   */
  eventsAndViews: Float64Array;
  bounced: Uint8Array;
  isWeighed: boolean;
  /** What they come to, once somebody asked (see countSelected). */
  counted: Counts | undefined;
  /** By event: 1 matches. Undefined when all events of a selected visit do. */
  hit: Uint8Array | undefined;
  /** Who made each of the visits (see scan-people), when the scan is to find that out. */
  people: Uint32Array;
  /** The day is selected as a whole, and was counted ahead. */
  sums: DaySums | undefined;
};

export function emptySelection(): Selection {
  return {
    count: 0,
    visits: new Uint32Array(0),
    eventsAndViews: new Float64Array(0),
    bounced: new Uint8Array(0),
    isWeighed: false,
    counted: undefined,
    people: new Uint32Array(0),
    hit: undefined,
    sums: undefined,
  };
}

/** Makes room for one visit more than there are: loops without branches write before they know. */
export function reserve(selection: Selection, visitCount: number): void {
  if (selection.visits.length > visitCount) return;
  const size = withSpare(visitCount + 1);
  selection.visits = takeUnfilled(size);
  selection.eventsAndViews = takeUnfilledNumbers(size);
  selection.bounced = takeBytes(size);
}

/** Fills in what the visits weigh, of which all events match. */
export function weigh(day: Day, selection: Selection): void {
  if (selection.isWeighed) return;
  selection.isWeighed = true;
  const { visits, eventsAndViews, bounced, count } = selection;
  const { first, pageviews } = day;
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number; // within the columns of visits
    const events = (first[visit + 1] as number) - (first[visit] as number);
    eventsAndViews[index] = events + HIGH * (pageviews[visit] as number);
    bounced[index] = bounceOf(day, visit);
  }
}

/** 1 when the visit is one pageview and nothing else, whatever part of it is selected. */
export function bounceOf({ first, pageviews }: Day, visit: number): number {
  const others =
    ((first[visit + 1] as number) - (first[visit] as number) - 1) | ((pageviews[visit] as number) ^ 1);
  return (others - 1) >>> 31; // without a branch; visits of 2^31 events are out of the question
}

/**
 * Takes some visits out of the first `count`, both ascending. Few are dropped, so what lies between them moves as a whole.
 *
 * @returns how many are left
 */
export function dropVisits(visits: Uint32Array, count: number, dropped: Uint32Array): number {
  let kept = 0;
  let from = 0;
  for (let next = 0; next < dropped.length && from < count; next += 1) {
    const visit = dropped[next] as number; // within `dropped`
    const place = placeOf(visit, visits, from, count);
    if (kept !== from) visits.copyWithin(kept, from, place);
    kept += place - from;
    from = visits[place] === visit && place < count ? place + 1 : place;
  }
  if (kept !== from) visits.copyWithin(kept, from, count);
  return kept + count - from;
}

/** The first index in [from, to) whose value is not below `visit`; `to` when there is none. */
function placeOf(visit: number, visits: Uint32Array, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((visits[middle] as number) < visit) low = middle + 1;
    else high = middle;
  }
  return low;
}
