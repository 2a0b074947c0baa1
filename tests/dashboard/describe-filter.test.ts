import { expect, test } from 'bun:test';
import type { Goal } from '../../src/contract/goal.ts';
import { describeFilter } from '../../src/dashboard/state/describe-filter.ts';

const goals = [
  { id: 'one', name: 'Signup', isArchived: false },
  { id: 'two', name: 'Old sale', isArchived: true },
] as Goal[]; // what the words are made of

test.each([
  ['country', ['DE', ''], 'Country is Germany or Unknown'],
  ['first_visit:source', ['Google'], 'In the first visit: Source is Google'],
  ['has_done:property:plan', ['pro'], 'In the visit: plan (property) is pro'],
  ['goal', ['Signup', 'two', 'Old sale'], 'Goal is Signup or Old sale (archived) or Old sale (archived)'],
  ['first_visit:goal', ['one', 'gone'], 'In the first visit: Goal is Signup or gone'],
  ['firstSeen', ['', '2026-11-20'], 'First seen until Nov 20, 2026'],
])('describes a filter on %s with %j', (dimension, values, text) => {
  expect(describeFilter({ operator: 'is', dimension, values }, goals)).toBe(text);
});
