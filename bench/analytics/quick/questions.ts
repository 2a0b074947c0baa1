import type { Analytics } from '../../../src/analytics/analytics.ts';
import type { Query } from '../../../src/analytics/interface/query.ts';
import type { Filter } from '../../../src/analytics/interface/selection.ts';
import { FIVE_WEBSITES } from '../../../src/demo/traffic.ts';
import { BREAKDOWNS, DAY_MS, FILTERS, type FilterName, LARGEST, ROWS, SMALL } from '../questions.ts';
import { END_MS, keyOf } from './load.ts';

export type Asked = { name: string; ask: (analytics: Analytics) => Promise<unknown> };

/** Totals, the points by day, and the first ten of eight dimensions: one question. */
export function panels(website: number, days: number, filterName: FilterName, endMs = END_MS): Query {
  const fromMs = endMs - days * DAY_MS;
  const filters = FILTERS[filterName].map(
    ([dimension, value]): Filter => ({ op: 'match', dimension, operator: 'is', values: [value] }),
  );
  return {
    websiteKey: keyOf(website),
    fromMs,
    toMs: endMs,
    totals: true,
    series: { bounds: boundsOf(fromMs, days) },
    breakdowns: BREAKDOWNS.map((dimension) => ({ dimension, limit: ROWS })),
    ...(filters.length > 0 && { filter: { op: 'and', filters } }),
  };
}

/** About a month and a quarter, or other ranges in their place. */
export function listQuestions(month = 30, quarter = 90): Asked[] {
  const range = { websiteKey: keyOf(LARGEST), fromMs: END_MS - month * DAY_MS, toMs: END_MS };
  const longer = { ...range, fromMs: END_MS - quarter * DAY_MS };
  const list = { ...range, limit: 50, offset: 0 };
  const names = Object.keys(FILTERS) as FilterName[]; // its own keys
  return [
    ...[month, quarter].flatMap((days) => names.map((name) => panelsOf(LARGEST, days, name))),
    panelsOf(SMALL, month, 'no filter'),
    {
      name: `totals of five websites, ${month} days`,
      ask: (analytics) => analytics.headlines(headlines(month)),
    },
    {
      name: `20 conditions, ${month} days`,
      ask: (analytics) => analytics.conditions({ ...range, conditions: Array.from({ length: 20 }, pageIs) }),
    },
    {
      name: `funnel of five steps, ${month} days`,
      ask: (analytics) =>
        analytics.funnel({ ...range, by: 'visitor', steps: Array.from({ length: 5 }, pageIs) }),
    },
    { name: `sessions, ${month} days`, ask: (analytics) => analytics.sessions(list) },
    { name: `visitors, ${month} days`, ask: (analytics) => analytics.visitors(list) },
    { name: `pages, ${month} days`, ask: (analytics) => analytics.pages(list) },
    { name: `custom events, ${month} days`, ask: (analytics) => analytics.customEvents(list) },
    { name: `property keys, ${month} days`, ask: (analytics) => analytics.propertyKeys(list) },
    {
      name: `values of page, ${quarter} days`,
      ask: (analytics) => analytics.values({ ...longer, dimension: 'page', search: 'guide', limit: 20 }),
    },
  ];
}

function panelsOf(website: number, days: number, filterName: FilterName): Asked {
  const request = panels(website, days, filterName);
  const who = website === SMALL ? 'website with 4 %, ' : '';
  return {
    name: `${who}ten panels, ${days} days, ${filterName}`,
    ask: (analytics) => analytics.query(request),
  };
}

function headlines(days: number) {
  const fromMs = END_MS - days * DAY_MS;
  const websiteKeys = FIVE_WEBSITES.map((_, index) => keyOf(index));
  return { websiteKeys, fromMs, toMs: END_MS, bounds: boundsOf(fromMs, days) };
}

function boundsOf(fromMs: number, days: number): number[] {
  return Array.from({ length: days + 1 }, (_, day) => fromMs + day * DAY_MS);
}

/** As a goal is: a pageview of one page. */
function pageIs(_: unknown, index: number): Filter {
  const page = PAGES[index] ?? `/blog/${index}`;
  return {
    op: 'and',
    filters: [
      { op: 'match', dimension: 'eventType', operator: 'is', values: ['pageview'] },
      { op: 'match', dimension: 'page', operator: 'is', values: [page] },
    ],
  };
}

const PAGES = ['/', '/pricing', '/features', '/docs', '/signup', '/about', '/blog', '/contact'];
