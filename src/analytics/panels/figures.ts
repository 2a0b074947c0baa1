import type { Figures } from '../analytics.ts';
import type { Day } from '../day.ts';
import type { Selection } from '../selection.ts';
import { takeCounts, takeNumbers } from './scratch.ts';
import { highOf, lowOf } from './tally.ts';

/** What is counted; the quotients follow from it. */
export type Counts = {
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  bounces: number;
  durationMs: number;
};

export function noCounts(): Counts {
  return { visitors: 0, visits: 0, pageviews: 0, events: 0, bounces: 0, durationMs: 0 };
}

export function toFigures({ visitors, visits, pageviews, events, bounces, durationMs }: Counts): Figures {
  return {
    visitors,
    visits,
    pageviews,
    events,
    viewsPerVisit: visits === 0 ? 0 : pageviews / visits,
    bounceRate: visits === 0 ? 0 : bounces / visits,
    visitDuration: visits === 0 ? 0 : durationMs / visits / 1_000,
  };
}

/** What the selected visits come to, but for their visitors, who may be the same. */
export function countSelected(day: Day, selection: Selection): Counts {
  selection.counted ??= selection.sums
    ? addCounts(countVisits(day, selection.sums.rest), selection.sums.totals)
    : countVisits(day, selection);
  return selection.counted;
}

export function countVisits(
  { durationMs }: Day,
  { count, visits, eventsAndViews, bounced }: Selection,
): Counts {
  let duration = 0;
  let events = 0;
  let bounces = 0;
  for (let index = 0; index < count; index += 1) {
    duration += durationMs[visits[index] as number] as number; // numbers of visits are within the columns of visits
    events += eventsAndViews[index] as number;
    bounces += bounced[index] as number;
  }
  return {
    visitors: 0,
    visits: count,
    pageviews: highOf(events),
    events: lowOf(events),
    bounces,
    durationMs: duration,
  };
}

/** But for the visitors, who do not add up. @returns the first, which has the others too then */
export function addCounts(
  counts: Counts,
  { visits, pageviews, events, bounces, durationMs }: Counts,
): Counts {
  counts.visits += visits;
  counts.pageviews += pageviews;
  counts.events += events;
  counts.bounces += bounces;
  counts.durationMs += durationMs;
  return counts;
}

/** Counts of numbered values: one column for each, by the value's number. Durations pass 2^32. */
export type CountColumns = {
  visitors: Uint32Array;
  visits: Uint32Array;
  pageviews: Uint32Array;
  events: Uint32Array;
  bounces: Uint32Array;
  durationMs: Float64Array;
};

/**
 * Valid until the next question begins.
 *
 * @param size numbers go from 0 to size − 1
 */
export function createCounts(size: number): CountColumns {
  return {
    visitors: takeCounts(size),
    visits: takeCounts(size),
    pageviews: takeCounts(size),
    events: takeCounts(size),
    bounces: takeCounts(size),
    durationMs: takeNumbers(size),
  };
}

export function countsAt(columns: CountColumns, number: number): Counts {
  return {
    visitors: columns.visitors[number] ?? 0,
    visits: columns.visits[number] ?? 0,
    pageviews: columns.pageviews[number] ?? 0,
    events: columns.events[number] ?? 0,
    bounces: columns.bounces[number] ?? 0,
    durationMs: columns.durationMs[number] ?? 0,
  };
}
