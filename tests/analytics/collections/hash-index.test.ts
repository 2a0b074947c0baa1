import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { HashIndex } from '../../../src/analytics/collections/hash-index.ts';

function placeAll(keys: readonly number[]): { places: number[]; size: number } {
  const index = new HashIndex();
  const places = keys.map((key) => index.place(key));
  const { size } = index;
  index.free();
  return { places, size };
}

function naively(keys: readonly number[]): { places: number[]; size: number } {
  const known = new Map<number, number>();
  for (const key of keys) if (!known.has(key)) known.set(key, known.size);
  return { places: keys.map((key) => known.get(key) ?? -1), size: known.size };
}

test('keys have places in the order in which they come first', () => {
  const key = fc.oneof(
    fc.nat(5),
    fc.maxSafeNat(),
    fc.nat(5).map((high) => high * 2 ** 32),
  );
  fc.assert(
    fc.property(fc.array(key, { maxLength: 100 }), (keys) => {
      expect(placeAll(keys)).toEqual(naively(keys));
    }),
  );
});

test('keys keep their places when the table grows', () => {
  const keys = Array.from({ length: 6_000 }, (_, key) => (key % 5_000) * 2 ** 20);
  expect(placeAll(keys)).toEqual(naively(keys));
});
