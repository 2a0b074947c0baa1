import { discard } from '../../garbage.ts';
import type { Figures } from '../analytics.ts';
import type { Day } from '../day.ts';
import type { Selection } from '../selection.ts';

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

/** What visits come to, but for their visitors, who may be the same. */
export function countVisits(
  { first, pageviews: views, durationMs }: Day,
  { count, visits, pageviews, events }: Selection,
): Counts {
  let bounces = 0;
  let duration = 0;
  let sumPageviews = 0;
  let sumEvents = 0;
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number; // within the columns of visits
    if (views[visit] === 1 && (first[visit + 1] as number) - (first[visit] as number) === 1) bounces += 1;
    duration += durationMs[visit] as number;
    sumPageviews += pageviews[index] as number;
    sumEvents += events[index] as number;
  }
  return {
    visitors: 0,
    visits: count,
    pageviews: sumPageviews,
    events: sumEvents,
    bounces,
    durationMs: duration,
  };
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

/** What columns of counts leave behind for each number: themselves, and the tables and lists that are made with them. */
const GARBAGE_BYTES_A_NUMBER = 64;

/** @param size numbers go from 0 to size − 1 */
export function createCounts(size: number): CountColumns {
  discard(size * GARBAGE_BYTES_A_NUMBER); // once the question is answered
  return {
    visitors: new Uint32Array(size),
    visits: new Uint32Array(size),
    pageviews: new Uint32Array(size),
    events: new Uint32Array(size),
    bounces: new Uint32Array(size),
    durationMs: new Float64Array(size),
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
