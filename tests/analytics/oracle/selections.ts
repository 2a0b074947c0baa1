import fc from 'fast-check';
import type { Breakdown } from '../../../src/analytics/interface/query.ts';
import type { Filter, Selection } from '../../../src/analytics/interface/selection.ts';
import {
  CHANNELS,
  DIMENSIONS,
  type Dimension,
  FILTER_OPERATORS,
  isPatternOperator,
  METRICS,
  TRAFFIC,
} from '../../../src/vocabulary/analytics.ts';
import { seldom, sometimes } from './sometimes.ts';
import { ASKED_KEYS, FRAGMENTS } from './texts.ts';
import { EARLIEST_MS, FIRST_DAY_MS, instant } from './traffic.ts';

/** Random parts of questions. */

const DAY_MS = 86_400_000;

export const EVERYTHING = { fromMs: EARLIEST_MS, toMs: -EARLIEST_MS };

const propertyDimension = fc
  .constantFrom(...ASKED_KEYS, 'unknown')
  .map((key): Dimension => `property:${key}`);
export const dimension: fc.Arbitrary<Dimension> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Dimension[]>(...DIMENSIONS) },
  { weight: 1, arbitrary: propertyDimension },
);

/** Filter values: some that are there, and pieces of them. */
const VALUES: Partial<Record<Dimension, readonly string[]>> = {
  page: [
    '/',
    '/a',
    '/a/',
    '/A',
    '/%C3%BC',
    '/ü',
    '/%2fa',
    '/a b',
    '/a%20b',
    '/%41',
    'not a%20url',
    `/${'l'.repeat(300)}`,
  ],
  entryPage: ['/', '/a', '/a/b', '/%c3%bc'],
  exitPage: ['/', '/a', '/a/b', '/ü'],
  hostname: ['a.example', 'www.a.example', 'xn--bcher-kva.example', 'bücher.example'],
  eventType: ['pageview', 'click', 'custom'],
  event: ['signup', 'Signup', 'a', '\ufffd'],
  referrer: ['google.com', 'b.example', 'www.a.example', 'accounts.google.com', 'xn--bcher-kva.example'],
  source: [
    'Google',
    'google',
    'Facebook',
    'b.example',
    'own',
    'X',
    'bücher.example',
    'XN--bcher-kva.example',
  ],
  channel: CHANNELS,
  country: ['DE', 'de'],
  deviceType: ['mobile', 'desktop'],
  browser: ['Chrome', 'Chrome\ufffd', 'İ'],
  visitorType: ['new', 'returning'],
};
const PROPERTY_TEXTS = ['1', 'a', 'signup', 'true', '2.5', '[]', '1e+21', '\ud800', '{"b":1,"a":"ü"}'];

function leafOn(on: fc.Arbitrary<Dimension>, values: readonly string[]): fc.Arbitrary<Filter> {
  const value = fc.oneof(fc.constantFrom(...FRAGMENTS), fc.constantFrom(...values));
  return fc.record({
    op: fc.constant('match'),
    dimension: on,
    operator: fc.constantFrom('is', ...FILTER_OPERATORS.filter((name) => !isPatternOperator(name))),
    values: fc.array(value, { maxLength: 3 }),
    ignoresCase: fc.boolean(),
  });
}

/** Patterns of pages. */
const likeLeaf: fc.Arbitrary<Filter> = fc.record({
  op: fc.constant('match'),
  dimension: fc.constantFrom<Dimension[]>('page', 'entryPage', 'event', 'source'),
  operator: fc.constantFrom('like', 'like_not'),
  values: fc.array(
    fc.constantFrom('/*', '/**', '**', '*', '/*/', '/a**', '/*/b', '*a*', '**ü', '/a', '', '***/*'),
    {
      maxLength: 2,
    },
  ),
  ignoresCase: fc.boolean(),
});

/** Regular expressions that mean the same to JavaScript. */
const patternLeaf: fc.Arbitrary<Filter> = fc.record({
  op: fc.constant('match'),
  dimension: fc.constantFrom<Dimension[]>('page', 'entryPage', 'event', 'source', 'visitorType'),
  operator: fc.constantFrom('matches', 'matches_not'),
  values: fc.array(
    fc.constantFrom('^/a', 'a$', '^$', '', '^/([^/]+)/?$', '[aü]', '(?i)SIGN', 'g{2}|^n', '^(.b)+', '\\.e'),
    { maxLength: 2 },
  ),
});

export const leaf = fc.oneof(
  ...DIMENSIONS.map((name) => leafOn(fc.constant(name), VALUES[name] ?? FRAGMENTS)),
  leafOn(propertyDimension, PROPERTY_TEXTS),
  likeLeaf,
  patternLeaf,
);

const firstSeen: fc.Arbitrary<Filter> = fc
  .tuple(instant, instant)
  .map(([a, b]) => ({ op: 'first_seen', fromMs: Math.min(a, b), toMs: Math.max(a, b) }));

const ofWebsites: fc.Arbitrary<Filter> = fc
  .subarray([1, 2, 3])
  .map((websiteKeys) => ({ op: 'website', websiteKeys }));

export const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter; leaf: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: tie('leaf') },
    {
      weight: 2,
      arbitrary: fc.record({
        op: fc.constantFrom('and', 'or'),
        filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constantFrom('not', 'has_done', 'first_visit'),
        filter: tie('filter'),
      }),
    },
    { weight: 1, arbitrary: firstSeen },
    { weight: 1, arbitrary: ofWebsites },
  ),
  leaf,
})).filter;

export const range = fc.oneof(
  { weight: 2, arbitrary: fc.constant(EVERYTHING) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(-1, 0, 1), fc.constantFrom(1, 2, 3)).map(([first, days]) => ({
      fromMs: FIRST_DAY_MS + first * DAY_MS,
      toMs: FIRST_DAY_MS + (first + days) * DAY_MS,
    })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(instant, instant).map(([a, b]) => ({ fromMs: Math.min(a, b), toMs: Math.max(a, b) })),
  },
);

/** Whole days of time zones, half an hour and a quarter included. */
export const zonedRange = fc
  .tuple(fc.constantFrom(-1, 0, 1), fc.constantFrom(1, 2, 3), fc.constantFrom(1, -0.5, 0.5, 12, 23.75))
  .map(([first, days, hours]) => {
    const fromMs = FIRST_DAY_MS + first * DAY_MS + hours * 3_600_000;
    return { fromMs, toMs: fromMs + days * DAY_MS };
  });

export const websiteKey = fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3);
export const choices = sometimes<Required<Pick<Selection, 'traffic' | 'filter'>>>({
  traffic: seldom(3, fc.constantFrom(...TRAFFIC)),
  filter: seldom(5, filter),
});
export const selection: fc.Arbitrary<Selection> = fc
  .tuple(websiteKey, range, choices)
  .map(([key, between, chosen]) => ({ websiteKey: key, ...between, ...chosen }));

export const limit = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
);
export const offset = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
);
export const search = fc.constantFrom(...FRAGMENTS);

export function sortBy<Column>(...columns: Column[]) {
  return fc.record({
    by: fc.constantFrom<(Column | 'value')[]>('value', ...columns),
    descending: fc.boolean(),
  });
}

export const breakdown: fc.Arbitrary<Breakdown> = fc
  .tuple(
    dimension,
    limit,
    sometimes<Required<Omit<Breakdown, 'dimension' | 'limit'>>>({
      sort: seldom(5, sortBy(...METRICS)),
      offset: seldom(2, fc.integer({ min: 1, max: 4 })),
      search: seldom(2, search),
      withAbsent: seldom(5, fc.boolean()),
      only: seldom(
        1,
        fc.array(fc.constantFrom(null, '', '/', '/a', 'Google', 'DE', '1', 'a', 'signup'), { maxLength: 4 }),
      ),
      metrics: seldom(2, fc.subarray([...METRICS], { minLength: 1 })),
    }),
  )
  .map(([on, most, chosen]) => ({ dimension: on, limit: most, ...chosen }));

/** Regular buckets from before the traffic until after it, or any. */
const bounds = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(DAY_MS, DAY_MS, 2 * 3_600_000, 5_400_000),
      fc.constantFrom(0, 1, -1_800_000, 900_000),
    )
    .map(([stepMs, shiftMs]) =>
      Array.from(
        { length: 1 + (5 * DAY_MS) / stepMs },
        (_, index) => FIRST_DAY_MS - 2 * DAY_MS + shiftMs + index * stepMs,
      ),
    ),
  fc.uniqueArray(instant, { maxLength: 6 }).map((instants) => instants.sort((a, b) => a - b)),
);
export const series = fc.record({ bounds });
