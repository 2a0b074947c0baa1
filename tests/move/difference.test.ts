import { expect, test } from 'bun:test';
import { findDifference } from '../../src/move/difference.ts';

test.each<[string, unknown, unknown, string | undefined]>([
  ['alike', { rows: [{ visitors: 1 }] }, { rows: [{ visitors: 1 }] }, undefined],
  ['sums in another order', { rate: 0.1 + 0.2 }, { rate: 0.3 }, undefined],
  ['an absent part that is reported, and one that is not', { numbers: undefined }, {}, undefined],
  ['large whole numbers', { minor: 10n }, { minor: 11n }, 'minor: "10n", not "11n"'],
  ['the first of two', { rows: [{ a: 1, b: 2 }] }, { rows: [{ a: 2, b: 3 }] }, 'rows.0.a: 1, not 2'],
  ['a row more', { rows: [1] }, { rows: [1, 2] }, 'rows.1: nothing, not 2'],
  ['nothing and an answer', undefined, { rows: [] }, ': nothing, not {"rows":[]}'],
])('finds what differs: %s', (_, one, other, difference) => {
  expect(findDifference(one, other)).toBe(difference);
});
