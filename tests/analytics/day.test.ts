import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { completeDay } from '../../src/analytics/day.ts';
import { EVENT_TYPES } from '../../src/contract/vocabulary.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');
/** Most are short; some are longer than the stretches in which a day is looked at. */
const length = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5_000, max: 40_000 }) },
);

test('what follows from a day is what its events say, however many a visit has', () => {
  fc.assert(
    fc.property(fc.array(length, { maxLength: 60 }), fc.nat(100), (lengths, salt) => {
      const first = Uint32Array.of(0, ...lengths);
      for (let visit = 1; visit < first.length; visit += 1)
        first[visit] = (first[visit] ?? 0) + (first[visit - 1] ?? 0);
      const events = Array.from({ length: first.at(-1) ?? 0 }, (_, event) => ({
        atMs: event * 3 + ((event * salt) % 3),
        type: (event * 31 + salt) % 3 === 0 ? PAGEVIEW : (PAGEVIEW + 1) % EVENT_TYPES.length,
        page: ((event * 17 + salt) % 50) + 1,
      }));
      const none = new Uint32Array(lengths.length);
      const day = completeDay({
        day: 20_000,
        visitor: none,
        class: new Uint8Array(lengths.length),
        client: none,
        origin: none,
        first,
        atMs: Uint32Array.from(events, ({ atMs }) => atMs),
        type: Uint8Array.from(events, ({ type }) => type),
        page: Uint32Array.from(events, ({ page }) => page),
      });
      const expected = lengths.map((_, visit) => {
        const own = events.slice(first[visit], first[visit + 1]);
        const views = own.filter(({ type }) => type === PAGEVIEW);
        return [views.length, views[0]?.page ?? 0, (own.at(-1)?.atMs ?? 0) - (own[0]?.atMs ?? 0)];
      });
      expect(
        lengths.map((_, visit) => [day.pageviews[visit], day.entryPage[visit], day.durationMs[visit]]),
      ).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});
