import { expect, test } from 'bun:test';
import type { FunnelStep } from '../../src/dashboard/funnels/funnel-state.ts';
import { lostVisits } from '../../src/dashboard/funnels/lost-visits.ts';

const any: FunnelStep = [{ kind: 'any', value: '' }];
const blog: FunnelStep = [{ kind: 'page', value: '/blog/*' }];
const prices: FunnelStep = [{ kind: 'page', value: '/pricing' }];
const outcome: FunnelStep = [
  { kind: 'goal', value: 'Signup' },
  { kind: 'goal', value: 'Trial' },
];
const mixed: FunnelStep = [...prices, ...outcome];

const pageview = { operator: 'is' as const, dimension: 'has_done:eventType', values: ['pageview'] };
const sawPrices = { operator: 'is' as const, dimension: 'has_done:page', values: ['/pricing'] };
const noOutcome = {
  operator: 'is' as const,
  dimension: 'has_not_done:goal',
  values: ['Signup', 'Trial'],
};

test('lost visits have every step before the missing one', () => {
  expect(lostVisits({ steps: [any, prices, outcome], by: 'visit', at: 1 })).toEqual([
    pageview,
    sawPrices,
    noOutcome,
  ]);
});

test('lost visitors may have taken earlier steps in other visits', () => {
  expect(lostVisits({ steps: [any, prices, outcome], by: 'visitor', at: 1 })).toEqual([sawPrices, noOutcome]);
});

test('lost visits have the page that they went to', () => {
  expect(lostVisits({ steps: [any, blog], by: 'visit', at: 0, next: '/a' })).toEqual([
    pageview,
    { operator: 'like', dimension: 'has_not_done:page', values: ['/blog/*'] },
    { operator: 'is', dimension: 'has_done:page', values: ['/a'] },
  ]);
});

test('lost visits that left end on the page of their last step', () => {
  expect(lostVisits({ steps: [prices, outcome], by: 'visit', at: 0, next: null })?.at(-1)).toEqual({
    operator: 'is',
    dimension: 'exitPage',
    values: ['/pricing'],
  });
});

test.each([
  ['a step whose alternatives differ in kind', { steps: [any, mixed], at: 0 }],
  [
    'a condition saved through the API',
    { steps: [[{ kind: 'filter', value: '[]' }], prices] as FunnelStep[], at: 0 },
  ],
  ['leaving after an outcome', { steps: [outcome, prices], at: 0, next: null }],
])('filters cannot say %s', (_, lost) => {
  expect(lostVisits({ by: 'visit', ...lost })).toBeUndefined();
});
