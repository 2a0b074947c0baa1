import { describe, expect, test } from 'bun:test';
import { createKeyedHash } from '../../src/limits/keyed-hash.ts';
import { createRateLimit } from '../../src/limits/rate-limit.ts';
import { livingBytes } from '../support/living-bytes.ts';

const KEY = 'secret';

/** Ten at once, and ten more over a second. */
function tenPerSecond(slots?: number) {
  const hash = createKeyedHash(KEY);
  return createRateLimit({ rate: { max: 10, perMs: 1_000 }, hash, ...(slots && { slots }) });
}

describe('the hash', () => {
  const halves = (text: string, key = KEY) => {
    const out = new Uint32Array(2);
    createKeyedHash(key)(text, out);
    return [...out];
  };

  test('tells every pair of a hundred thousand addresses apart', () => {
    const seen = new Set<string>();
    for (let index = 0; index < 100_000; index += 1)
      seen.add(halves(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`).join());
    expect(seen.size).toBe(100_000);
  });

  test('spreads neighbours evenly', () => {
    const buckets = new Array<number>(64).fill(0);
    for (let index = 0; index < 64_000; index += 1) {
      const bucket = (halves(`2001:db8:${index.toString(16)}:0::/64`)[1] ?? 0) & 63;
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    // 1,000 each; a fair spread stays within five standard deviations.
    for (const count of buckets) expect(Math.abs(count - 1_000)).toBeLessThan(160);
  });

  test('is another one with another key', () => {
    expect(halves('192.0.2.1')).toEqual(halves('192.0.2.1'));
    expect(halves('192.0.2.1', 'another')).not.toEqual(halves('192.0.2.1'));
  });

  test('heeds the length and every character', () => {
    const texts = ['', '\0', '\0\0', 'a', 'a\0', '\0a', 'ab', 'ba', 'abc', 'abd', 'ābc'];
    expect(new Set(texts.map((text) => halves(text).join())).size).toBe(texts.length);
  });
});

describe('a limit', () => {
  test('grants its burst at once and then says how long to wait', () => {
    const limit = tenPerSecond();
    for (let count = 0; count < 10; count += 1) expect(limit.take('a', 0)).toBe(0);
    expect(limit.take('a', 0)).toBeCloseTo(100);
    expect(limit.take('a', 60)).toBeCloseTo(40);
    expect(limit.take('a', 100)).toBe(0);
    expect(limit.take('a', 100)).toBeCloseTo(100);
  });

  test('grants no more than its rate over a long time, whatever the rhythm', () => {
    const limit = tenPerSecond();
    let granted = 0;
    for (let nowMs = 0; nowMs < 60_000; nowMs += 7) if (limit.take('a', nowMs) === 0) granted += 1;
    expect(granted).toBeGreaterThanOrEqual(609);
    expect(granted).toBeLessThanOrEqual(610);
  });

  test('does not count what it refuses', () => {
    const limit = tenPerSecond();
    for (let count = 0; count < 1_000; count += 1) limit.take('a', 0);
    expect(limit.take('a', 100)).toBe(0);
  });

  test('keeps one key apart from another', () => {
    const limit = tenPerSecond();
    for (let count = 0; count < 20; count += 1) limit.take('a', 0);
    expect(limit.take('b', 0)).toBe(0);
  });

  test('says what is left and when all of it is there again', () => {
    const limit = tenPerSecond();
    expect(limit.rest('a', 0)).toEqual({ remaining: 10, fullInMs: 0 });
    limit.take('a', 0, 3);
    expect(limit.rest('a', 0)).toEqual({ remaining: 7, fullInMs: 300 });
    expect(limit.rest('a', 300)).toEqual({ remaining: 10, fullInMs: 0 });
  });

  test('lets through what is larger than it, once nothing is owed, and counts all of it', () => {
    const limit = tenPerSecond();
    expect(limit.take('a', 0, 30)).toBe(0);
    expect(limit.take('a', 0)).toBeCloseTo(2_100);
  });

  test('remembers a key at its limit while a million others come by', () => {
    const limit = tenPerSecond();
    for (let count = 0; count < 10; count += 1) limit.take('attacker', 0);
    // All at the same instant, so that none of them is forgotten for having nothing to pay.
    for (let other = 0; other < 1_000_000; other += 1) limit.take(`2001:db8:${other.toString(16)}::/64`, 0);
    expect(limit.take('attacker', 0)).toBeGreaterThan(0);
  });

  test('takes as much memory for a million keys as for one', () => {
    const before = livingBytes();
    const limit = tenPerSecond();
    for (let other = 0; other < 1_000_000; other += 1)
      limit.take(`2001:db8:${other.toString(16)}::/64`, other);
    expect(livingBytes() - before).toBeLessThan(64 * 1024 * 1024);
    expect(limit.take('still in use', 0)).toBe(0);
  });
});
