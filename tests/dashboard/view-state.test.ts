import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  readViewState,
  SCOPES,
  toQuestion,
  toSearch,
  type ViewState,
} from '../../src/dashboard/state/view-state.ts';
import { DIMENSIONS, FILTER_OPERATORS, METRICS } from '../../src/vocabulary/analytics.ts';
import { COMPARISONS, INTERVALS, PERIODS } from '../../src/vocabulary/contract.ts';

const first: ViewState = { period: '28d', metric: 'visitors', chart: 'line', filters: [], tabs: {} };

const addresses: [string, string, Partial<ViewState>][] = [
  ['nothing', '', {}],
  ['a period', '?period=7d', { period: '7d' }],
  ['days', '?from=2026-11-01&to=2026-11-20', { from: '2026-11-01', to: '2026-11-20' }],
  [
    'a filter of two values',
    '?f=is,country,DE|FR',
    { filters: [{ operator: 'is', dimension: 'country', values: ['DE', 'FR'] }] },
  ],
  ['direct visits', '?f=is,source,', { filters: [{ operator: 'is', dimension: 'source', values: [''] }] }],
  [
    'a page with slashes',
    '?f=is,page,/blog/a',
    { filters: [{ operator: 'is', dimension: 'page', values: ['/blog/a'] }] },
  ],
  [
    'signs that separate',
    '?f=contains,property:a%252Cb,50%2525+%257C+more',
    { filters: [{ operator: 'contains', dimension: 'property:a,b', values: ['50% | more'] }] },
  ],
  [
    'a tab and its details',
    '?tab.devices=os&details=devices',
    { tabs: { devices: 'os' }, details: 'devices' },
  ],
  [
    'all the rest',
    '?interval=week&compare=year&metric=bounceRate&chart=bar',
    { interval: 'week', compare: 'year', metric: 'bounceRate', chart: 'bar' },
  ],
  [
    'what it is compared with',
    '?compare=custom&compareFrom=2026-10-01&compareTo=2026-10-31',
    { compare: 'custom', compareFrom: '2026-10-01', compareTo: '2026-10-31' },
  ],
  ['no comparison, and how days match', '?compare=none&match=date', { compare: 'none', match: 'date' }],
];

test.each(addresses)('the address says %s', (_, search, state) => {
  expect(readViewState(search)).toEqual({ ...first, ...state });
  expect(toSearch({ ...first, ...state })).toBe(search);
});

test.each(['?period=never', '?interval=second', '?f=is&f=is,&f=likely,page,/&f=is,page&f=is,page,a,b'])(
  'keeps what no question can be, so that the service refuses it: %s',
  (search) => {
    const { period, interval, filters } = readViewState(search);
    const parameters = new URLSearchParams(search);
    expect<unknown>([period, interval, filters.map(({ dimension }) => dimension)]).toEqual([
      parameters.get('period') ?? first.period,
      parameters.get('interval') ?? undefined,
      parameters.getAll('f'),
    ]);
  },
);

test.each(['?compare=tomorrow&metric=luck&chart=pie', '?f=', '?to=2026-11-20'])(
  'leaves out what cannot be: %s',
  (search) => {
    expect(readViewState(search)).toEqual(first);
  },
);

test.each([
  ['?f=is,firstSeen,2026-11-01|2026-11-20', { from: '2026-11-01', to: '2026-11-20' }],
  ['?f=is,firstSeen,2026-11-01|', { from: '2026-11-01' }],
  ['?f=is,firstSeen,|2026-11-20', { to: '2026-11-20' }],
])('the days of the first visit are a condition of their own: %s', (search, range) => {
  const { filters } = toQuestion(readViewState(search));
  expect(filters).toBe(JSON.stringify([['first_seen', range]]));
});

test.each([
  ['?f=is,first_visit:source,Google', ['first_visit', ['is', 'source', ['Google']]]],
  ['?f=like,has_done:property:plan,p*', ['has_done', ['like', 'property:plan', ['p*']]]],
])('a filter can be about another event of the visitor: %s', (search, condition) => {
  const view = readViewState(search);
  expect(toQuestion(view).filters).toBe(JSON.stringify([condition]));
  expect(toSearch(view)).toBe(search);
});

describe('any state', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
  const states = fc
    .record({
      period: fc.constantFrom(...PERIODS),
      metric: fc.constantFrom(...METRICS),
      chart: fc.constantFrom('line', 'bar', 'table'),
      interval: maybe(fc.constantFrom(...INTERVALS)),
      compare: maybe(fc.constantFrom(...COMPARISONS)),
      details: maybe(fc.constantFrom('pages', 'sources')),
      filters: fc.array(
        fc.record({
          operator: fc.constantFrom(...FILTER_OPERATORS),
          dimension: fc.oneof(
            fc.constantFrom<string>(...DIMENSIONS),
            text.map((key) => `property:${key}`),
            fc.constantFrom(...SCOPES).map((scope) => `${scope}:goal`),
          ),
          values: fc.array(text, { minLength: 1, maxLength: 3 }),
        }),
        { maxLength: 3 },
      ),
      tabs: fc.dictionary(fc.constantFrom('pages', 'devices'), fc.constantFrom('page', 'os')),
    })
    // As the address gives it back: what is undefined is absent.
    .map((state) => JSON.parse(JSON.stringify(state)) as ViewState);

  test('comes back from its address', () => {
    fc.assert(fc.property(states, (state) => expect(readViewState(toSearch(state))).toEqual(state)));
  });
});

test('a question over the API has the filters as triples', () => {
  const state = readViewState('?period=7d&compare=previous&f=is_not,page,/a');
  expect(toQuestion(state)).toEqual({
    period: '7d',
    filters: '[["is_not","page",["/a"]]]',
  });
  expect(toQuestion(readViewState('?from=2026-11-01'))).toEqual({
    from: '2026-11-01',
    to: undefined,
    filters: undefined,
  });
});
