import { expect, test } from 'bun:test';
import { describeGoal } from '../../src/dashboard/goals/describe-goal.ts';

test.each([
  ['page', '/docs/**', [], 'Visits /docs/**'],
  [
    'event',
    'signup',
    [{ key: 'plan', operator: 'is', values: ['pro', 'team'] }],
    'Event signup, plan is pro or team',
  ],
  ['click', 'mailto', [], 'Clicks on links to an e-mail address'],
  ['event', 'a', [{ key: 'b', operator: 'starts_with', values: ['c'] }], 'Event a, b starts with c'],
  ['event', 'a', [{ key: 'b', operator: 'is_not', values: [''] }], 'Event a, with b'],
  ['event', 'a', [{ key: 'b', operator: 'is', values: [''] }], 'Event a, without b'],
] as const)('a goal of the type %s is described in words', (type, match, properties, text) => {
  const own = properties.map(({ key, operator, values }) => ({ key, operator, values: [...values] }));
  expect(describeGoal({ type, match, properties: own })).toBe(text);
});
