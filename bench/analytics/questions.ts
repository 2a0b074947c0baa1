import { FIVE_WEBSITES } from '../../src/demo/traffic.ts';
import type { Loaded } from './load.ts';

/** One dashboard: a website, the days up to the end of the traffic, and what its visits must be. */
export type Question = { website: number; days: number; filter: FilterName };

export const LARGEST = 0;
/** It has 4 % of the events. */
export const SMALL = FIVE_WEBSITES.length - 1;
export const RANGES = [7, 30, 90] as const;

/** Dimension and value, all of which must hold. */
export const FILTERS = {
  'no filter': [],
  'one filter': [['country', 'DE']],
  'three filters': [
    ['country', 'DE'],
    ['deviceType', 'desktop'],
    ['browser', 'Chrome'],
  ],
} as const;
export type FilterName = keyof typeof FILTERS;

/** Eight of the ten panels; the other two are the totals and the points by day. */
export const BREAKDOWNS = [
  'page',
  'entryPage',
  'source',
  'channel',
  'country',
  'browser',
  'os',
  'deviceType',
] as const;
export const ROWS = 10;
export const DAY_MS = 86_400_000;

export function dashboardsOf(website: number): Question[] {
  // The object above has just these keys.
  const names = Object.keys(FILTERS) as FilterName[];
  return RANGES.flatMap((days) => names.map((filter) => ({ website, days, filter })));
}

/** The targets in milliseconds, for questions about thirty days. */
const TARGETED_DAYS = 30;
const TARGET_MS = { largest: 80, largestFiltered: 30, small: 10, totals: 10 };

export function targetMsOf({ website, days, filter }: Question): number | undefined {
  if (days !== TARGETED_DAYS) return undefined;
  if (website === SMALL) return TARGET_MS.small;
  return filter === 'no filter' ? TARGET_MS.largest : TARGET_MS.largestFiltered;
}

export function totalsTargetMs(days: number): number | undefined {
  return days === TARGETED_DAYS ? TARGET_MS.totals : undefined;
}

export function nameOf({ website, days, filter }: Question): string {
  return `${FIVE_WEBSITES[website]?.domain}, ${days} days, ${filter}`;
}

export function toPath({ website, days, filter }: Question, { endMs, websites }: Loaded): string {
  const parameters = new URLSearchParams({
    from: String(endMs - days * DAY_MS),
    to: String(endMs),
    interval: 'day',
    limit: String(ROWS),
    breakdowns: BREAKDOWNS.join(','),
  });
  const filters = FILTERS[filter].map(([dimension, value]) => ['is', dimension, [value]]);
  if (filters.length > 0) parameters.set('filters', JSON.stringify(filters));
  return `/websites/${websites[website]?.id}/stats/dashboard?${parameters}`;
}

export function toTotalsPath(days: number, { endMs }: Loaded): string {
  return `/stats/websites?from=${endMs - days * DAY_MS}&to=${endMs}&timezone=UTC`;
}

/** Other frequent questions: lists of a month of the largest website. Without targets. */
export function listPaths({ endMs, websites }: Loaded): [name: string, path: string][] {
  const website = `/websites/${websites[LARGEST]?.id}`;
  const month = `from=${endMs - 30 * DAY_MS}&to=${endMs}&limit=50`;
  return [
    ['sessions', `${website}/sessions?${month}`],
    ['visitors', `${website}/visitors?${month}`],
    ['pages', `${website}/pages?${month}`],
    ['custom events', `${website}/stats/events?${month}`],
    ['property keys', `${website}/stats/properties?${month}`],
  ];
}
