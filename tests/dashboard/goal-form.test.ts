import { expect, test } from 'bun:test';
import type { Goal } from '../../src/contract/goal.ts';
import { formOfProperty, toGoalBody } from '../../src/dashboard/goals/goal-form.ts';

type Property = Goal['properties'][number];

const goal = (properties: Property[] = []): Goal => ({
  id: 'g',
  name: 'Purchase',
  type: 'event',
  match: 'purchase',
  properties,
  value: { amount: '19.90', currency: 'EUR' },
  isPublic: false,
  isArchived: false,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
});
/** Values of the form when it opens. */
const filled = (of: Goal) => {
  const { key, texts } = formOfProperty(of);
  const { name, type, match } = of;
  return { name, type, match, amount: '19.90', currency: 'EUR', key, values: texts };
};

const plan = (operator: Property['operator'], ...values: string[]): Property => ({
  key: 'plan',
  operator,
  values,
});
const city = plan('is', 'Paris, Texas', 'Bonn');

test('a new goal is sent whole', () => {
  const values = {
    name: 'A',
    type: 'page',
    match: '/a',
    amount: '1',
    currency: 'eur',
    key: 'plan',
    values: 'pro, team',
  };
  expect(toGoalBody({ ...values, isPublic: 'on' }, undefined)).toEqual({
    name: 'A',
    type: 'page',
    match: '/a',
    value: { amount: '1', currency: 'EUR' },
    properties: [plan('is', 'pro', 'team')],
    isPublic: true,
  });
});

test.each<[string, Property[], Record<string, string>, object]>([
  ['nothing', [], {}, {}],
  ['the name alone', [city], { name: 'Sale' }, { name: 'Sale' }],
  ['a type with its match', [], { match: 'sale' }, { type: 'event', match: 'sale' }],
  ['that it is worth nothing', [], { amount: '', currency: '' }, { value: null }],
  [
    'another operator as it is',
    [plan('contains', 'pro')],
    { values: 'team' },
    { properties: [plan('contains', 'team')] },
  ],
  [
    'of another property a list',
    [plan('contains', 'pro')],
    { key: 'size', values: 'L' },
    { properties: [{ ...plan('is', 'L'), key: 'size' }] },
  ],
  ['any value when none is named', [], { key: 'plan' }, { properties: [plan('is_not', '')] }],
  ['some of any value', [plan('is_not', '')], { values: 'pro' }, { properties: [plan('is', 'pro')] }],
  [
    'no value between commas',
    [plan('is', 'pro')],
    { values: 'pro, ,team,' },
    { properties: [plan('is', 'pro', 'team')] },
  ],
  [
    'any value for commas alone',
    [plan('is', 'pro')],
    { values: ' , ' },
    { properties: [plan('is_not', '')] },
  ],
  [
    'values without a property, which is refused',
    [],
    { values: 'pro' },
    { properties: [{ key: '', operator: 'is', values: ['pro'] }] },
  ],
  [
    'no condition without a property',
    [city, plan('is', 'pro')],
    { key: '' },
    { properties: [plan('is', 'pro')] },
  ],
])('of a goal that is there, %s is sent', (_, properties, changes, body) => {
  const there = goal(properties);
  expect(toGoalBody({ ...filled(there), ...changes }, there)).toEqual(body);
});

test.each([
  [plan('is', 'pro', 'team'), 'Is one of', 'pro, team'],
  [plan('is_not', ''), 'Is one of', ''],
  [plan('is_not', 'pro'), 'Is not', 'pro'],
  [plan('starts_with', 'p'), 'Starts with', 'p'],
])('the condition %j is shown as what it is', (property, label, texts) => {
  expect(formOfProperty(goal([property]))).toEqual({ key: 'plan', label, texts });
});
