import { expect, test } from 'bun:test';
import { completeDay, type Day, dayBytes } from '../../src/analytics/day.ts';
import { createDayCache } from '../../src/analytics/day-cache.ts';
import { decodeDay, decodedBytes, encodeDay } from '../../src/analytics/day-codec.ts';

/** Days of so many visits of one event each, their visitors the number of the day. */
const VISITS = 1_000;
const DAY_BYTES = dayBytes(VISITS, VISITS);

test('days that fit are read once, in whatever order', () => {
  const { scan, reads } = createScans({ days: 4 });
  scan([1, 2, 3, 4]);
  scan([4, 3, 2, 1]);
  expect(reads()).toEqual([1, 2, 3, 4]);
});

test('of a scan that is longer than the cache by a few days, only these are read again, or none', () => {
  const { scan, reads } = createScans({ days: 10 });
  scan(range(1, 12));
  reads();
  scan(range(1, 12));
  expect(reads()).toEqual([]);
  scan(range(1, 15));
  reads();
  scan(range(1, 15));
  expect(reads()).toEqual([11, 12, 13, 14, 15]);
});

test('when open days take some of the room, a scan goes on finding nearly all of its days', () => {
  const { scan, reads, cache } = createScans({ days: 10 });
  scan(range(1, 10));
  reads();
  cache.reserve(2 * DAY_BYTES);
  expect(cache.bytes()).toBeLessThanOrEqual(8 * DAY_BYTES);
  scan(range(1, 10));
  expect(reads()).toEqual([1, 2]);
  scan(range(1, 10));
  expect(reads()).toEqual([]);
  cache.reserve(0);
  scan(range(1, 10));
  scan(range(1, 10));
  expect(reads()).toEqual([1, 2]); // they find room, and stay
});

test('a scan of other days takes their place', () => {
  const { scan, reads } = createScans({ days: 4 });
  scan([1, 2, 3, 4]);
  scan([11, 12]);
  reads();
  scan([11, 12]);
  expect(reads()).toEqual([]);
  scan([1, 2, 3, 4]);
  expect(reads()).toEqual([1, 2]);
});

test('a day that is larger than all that is kept passes, and others leave for it', () => {
  const { scan, reads, cache } = createScans({ days: 200, sizes: { 201: 400_000 } });
  scan(range(1, 201));
  expect(reads()).toHaveLength(201);
  expect(cache.bytes()).toBeLessThanOrEqual(4 * DAY_BYTES);
  scan([201]);
  expect(reads()).toEqual([201]); // its memory was given back
});

test('what has changed is read again, kept or passing', () => {
  const { scan, reads, cache } = createScans({ days: 2 });
  scan([1, 2, 3]);
  reads();
  for (const day of [1, 3]) cache.drop(`1 ${day}`);
  scan([1, 2, 3]);
  expect(reads()).toEqual([1, 3]);
  cache.dropAll('1 ');
  scan([1, 2, 3]);
  expect(reads()).toEqual([1, 2, 3]);
});

test('a passing day that could not be read is not there', () => {
  const { scan, reads, cache } = createScans({ days: 1 });
  scan([1, 2]);
  const broken = () =>
    cache.put('1 3', (placeFor) => {
      placeFor(DAY_BYTES);
      throw new Error('The file cannot be read.');
    });
  expect(broken).toThrow('The file cannot be read.');
  expect(cache.get('1 3')).toBeUndefined();
  reads();
  scan([1, 2, 3]);
  expect(reads()).toEqual([3]);
});

test('sums stay when their day leaves, and go when it changes', () => {
  const { scan, cache } = createScans({ days: 4 });
  scan([1, 2]);
  const kept = cache.sums('1 1', 500);
  expect(kept?.grow(500)).toBe(true);
  cache.reserve(10 * DAY_BYTES);
  expect(cache.get('1 1')).toBeUndefined();
  expect(cache.bytes()).toBe(500);
  expect(cache.sums('1 1', 500)).toBe(kept);
  cache.drop('1 1');
  expect(cache.bytes()).toBe(0);
  expect(cache.sums('1 1', 500)).not.toBe(kept);
});

test('sums of a scan find room up to their part, and take the place of those of others', () => {
  const cache = createDayCache(8_000);
  const sum = (id: string) => {
    const kept = cache.sums(id, 400);
    return kept?.grow(400) === true;
  };
  cache.beginScan();
  expect(['1 1', '1 2', '1 3'].map(sum)).toEqual([true, true, false]);
  cache.beginScan();
  expect(['1 3', '1 4', '1 5'].map(sum)).toEqual([true, true, false]);
  expect(cache.bytes()).toBe(800);
});

test('sums that were small before do not grow beyond their part', () => {
  const cache = createDayCache(8_000);
  const ids = ['1 1', '1 2', '1 3', '1 4'];
  cache.beginScan();
  for (const id of ids) expect(cache.sums(id, 100)?.grow(100)).toBe(true);
  cache.beginScan();
  expect(ids.map((id) => cache.sums(id, 100)?.grow(400))).toEqual([true, true, undefined, undefined]);
  expect(cache.bytes()).toBe(1_000);
});

test('sums take the place of days', () => {
  const { scan, reads, cache } = createScans({ days: 10 });
  scan(range(1, 10));
  reads();
  for (const day of [1, 2]) cache.sums(`1 ${day}`, 0)?.grow(DAY_BYTES / 2);
  scan(range(1, 10));
  expect(cache.bytes()).toBeLessThanOrEqual(10.5 * DAY_BYTES);
  expect(reads()).toEqual([1]);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** @param options.days how many days of VISITS are kept at most. @param options.sizes visits of days that have others */
function createScans({ days, sizes = {} }: { days: number; sizes?: Record<number, number> }) {
  const share = 1 - 1 / 8 - 1 / 64 - 1 / 8; // see day-cache
  const cache = createDayCache(((days + 0.5) * DAY_BYTES) / share);
  let read: number[] = [];

  function get(number: number): Day | undefined {
    const id = `1 ${number}`;
    return cache.get(id) ?? cache.put(id, (placeFor) => unpack(number, placeFor));
  }

  function unpack(number: number, placeFor: Parameters<Parameters<typeof cache.put>[1]>[0]): Day {
    read.push(number);
    const block = blockOf(number, sizes[number] ?? VISITS);
    return decodeDay(number, block, placeFor(decodedBytes(block)));
  }

  return {
    cache,
    reads() {
      const found = read;
      read = [];
      return found;
    },
    /** Looks at each day, and at those before and after it, as a scan does. */
    scan(numbers: number[]): void {
      cache.beginScan({ prefix: '1 ', from: Math.min(...numbers), to: Math.max(...numbers) });
      const seen: Day[] = [];
      for (const number of numbers) {
        const day = get(number);
        if (day) seen.push(day);
        for (const { day: one, visitor } of seen.slice(-3)) expect(visitor[visitor.length - 1]).toBe(one);
      }
      expect(seen).toHaveLength(numbers.length);
    },
  };
}

function blockOf(day: number, visits: number): Uint8Array {
  const column = () => new Uint32Array(visits);
  return encodeDay(
    completeDay({
      day,
      visitor: column().fill(day),
      class: new Uint8Array(visits),
      client: column(),
      origin: column(),
      first: Uint32Array.from({ length: visits + 1 }, (_, visit) => visit),
      atMs: column(),
      type: new Uint8Array(visits),
      page: column().fill(1),
    }),
  );
}
