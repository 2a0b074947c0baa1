import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { HashSet } from '../../../src/analytics/embedded/collections/hash-set.ts';

function countDifferent(numbers: readonly number[]): number {
  const set = new HashSet();
  for (const number of numbers) set.add(number);
  const { size } = set;
  set.free();
  return size;
}

test('counts different numbers', () => {
  const number = fc.oneof(
    fc.nat(5),
    fc.maxSafeNat(),
    fc.nat(5).map((high) => high * 2 ** 32),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 100 }), (numbers) => {
      expect(countDifferent(numbers)).toBe(new Set(numbers).size);
    }),
  );
});

test('knows them when the table has grown', () => {
  expect(countDifferent(Array.from({ length: 6_000 }, (_, index) => (index % 5_000) * 2 ** 20))).toBe(5_000);
});
