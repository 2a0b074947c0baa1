import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { countBits } from '../../src/analytics/panels/count-bits.ts';
import { type CountColumns, createCounts } from '../../src/analytics/panels/figures.ts';
import { createPeopleBits } from '../../src/analytics/panels/people-bits.ts';
import { beginScratch } from '../../src/analytics/panels/scratch.ts';
import { addSparse, takeSparse } from '../../src/analytics/panels/sparse-counts.ts';
import { HIGH, Tally } from '../../src/analytics/panels/tally.ts';

const word = fc.oneof(fc.constant(0), fc.constant(0xffff_ffff), fc.nat(0xffff_ffff));

describe('how many words have each bit set', () => {
  test('is what looking at each bit says, for any words and any number of them', () => {
    fc.assert(
      fc.property(fc.uint32Array({ maxLength: 200 }), fc.array(word, { maxLength: 50 }), (some, others) => {
        const words = Uint32Array.from([...some, ...others]);
        expect([...countBits(words)]).toEqual(naively(words));
      }),
    );
  });

  test('is right where the sums of sixteens are full', () => {
    for (const length of [16 * 255 - 1, 16 * 255, 16 * 256 + 3, 16 * 255 * 2]) {
      const words = new Uint32Array(length).fill(0xffff_ffff);
      expect([...countBits(words)]).toEqual(naively(words));
    }
  });

  function naively(words: Uint32Array): number[] {
    return Array.from({ length: 32 }, (_, bit) => words.reduce((sum, one) => sum + ((one >>> bit) & 1), 0));
  }
});

describe('bits of people', () => {
  test('of several fields do not touch one another, however they are packed', () => {
    const fields = fc.array(fc.integer({ min: 1, max: 32 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fields, fc.nat(40), (sizes, people) => {
        beginScratch();
        const bits = createPeopleBits(people);
        const taken = sizes.map((size) => bits.take(size));
        // Bit b of field f is set for the first (f + b) people, and all bits for nobody (number 0).
        taken.forEach(({ word, shift }, field) => {
          for (let bit = 0; bit < (sizes[field] ?? 0); bit += 1)
            for (let person = 0; person <= Math.min(people, field + bit); person += 1)
              word[person] = (word[person] ?? 0) | (1 << (shift + bit));
        });
        taken.forEach((one, field) => {
          for (let bit = 0; bit < (sizes[field] ?? 0); bit += 1)
            expect(bits.count(one, bit)).toBe(Math.min(people, field + bit));
        });
      }),
    );
  });
});

describe('counts that are kept of a day', () => {
  const row = fc.record({
    visits: fc.nat(100_000),
    pageviews: fc.nat(100_000),
    events: fc.integer({ min: 100_000, max: 200_000 }).chain((most) => fc.integer({ min: 1, max: most })),
    bounces: fc.nat(100_000),
    durationMs: fc.oneof(fc.nat(10_000), fc.integer({ min: 2 ** 32 - 2, max: 2 ** 45 })),
  });

  type Row = { visits: number; pageviews: number; events: number; bounces: number; durationMs: number };

  function createTally(rows: readonly (Row | undefined)[]): Tally {
    const tally = new Tally(rows.length);
    rows.forEach((one, number) => {
      if (!one) return;
      // No other count of a value is above that of its events.
      const [visits, views, bounces] = [one.visits, one.pageviews, one.bounces].map((count) =>
        Math.min(count, one.events),
      ) as [number, number, number];
      tally.eventsAndViews[number] = one.events + HIGH * views;
      tally.visitsAndBounces[number] = visits + HIGH * bounces;
      tally.durationMs[number] = one.durationMs;
    });
    return tally;
  }

  function twice(counts: CountColumns): CountColumns {
    for (const column of Object.values(counts))
      column.forEach((count, number) => {
        column[number] = 2 * count;
      });
    return counts;
  }

  test('add up to what was counted, also when a value is too large to be kept narrow', () => {
    fc.assert(
      fc.property(fc.array(fc.option(row, { nil: undefined }), { maxLength: 30 }), (rows) => {
        beginScratch();
        const counted = createTally(rows);
        const kept = takeSparse(counted);
        const sums = new Tally(rows.length);
        addSparse(sums, kept);
        addSparse(sums, kept);
        expect(sums.columns()).toEqual(twice(createTally(rows).columns()));
        expect(counted.columns()).toEqual(createCounts(rows.length));
      }),
    );
  });
});

describe('a tally', () => {
  test('is exact beyond what its pairs hold, and when it grows', () => {
    beginScratch();
    const tally = new Tally(2);
    const most = HIGH - 1;
    for (let day = 0; day < 3; day += 1) {
      tally.reserve(most);
      tally.eventsAndViews[1] = (tally.eventsAndViews[1] ?? 0) + most + HIGH * most;
      tally.visitsAndBounces[1] = (tally.visitsAndBounces[1] ?? 0) + most + HIGH * (most - 1);
      tally.durationMs[1] = (tally.durationMs[1] ?? 0) + 2 ** 40;
    }
    tally.grow(3);
    expect(tally.columns()).toEqual({
      visitors: Uint32Array.of(0, 0, 0),
      visits: Uint32Array.of(0, 3 * most, 0),
      pageviews: Uint32Array.of(0, 3 * most, 0),
      events: Uint32Array.of(0, 3 * most, 0),
      bounces: Uint32Array.of(0, 3 * (most - 1), 0),
      durationMs: Float64Array.of(0, 3 * 2 ** 40, 0),
    });
    expect(tally.columns()).toBe(tally.columns());
  });
});
