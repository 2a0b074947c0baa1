import { expect, test } from 'bun:test';
import { TRACKING_CODE_LENGTH_MAX } from '../../src/vocabulary/contract.ts';
import { makeTrackingCode } from '../../src/websites/tracking-code.ts';

test('a tracking code is pm-, 16 characters of base62 and the milliseconds of its creation', () => {
  expect(makeTrackingCode(1_763_700_000_000)).toMatch(/^pm-[0-9A-Za-z]{16}-1763700000000$/);
  expect(makeTrackingCode(8.64e15).length).toBeLessThanOrEqual(TRACKING_CODE_LENGTH_MAX);
});

test('tracking codes of one instant differ', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => makeTrackingCode(1)))).toHaveProperty('size', 10_000);
});

test('no character is favoured', () => {
  const counts = new Map<string, number>();
  const codes = 20_000;
  for (let index = 0; index < codes; index += 1)
    for (const character of makeTrackingCode(1).slice(3, 19))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  const expected = (codes * 16) / 62;
  const chiSquared = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(counts.size).toBe(62);
  // 61 degrees of freedom: above 140 once in ten million runs. Taking a byte modulo 62 gives about 4,000.
  expect(chiSquared).toBeLessThan(140);
});
