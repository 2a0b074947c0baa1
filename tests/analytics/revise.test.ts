import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { WebsiteDictionaries } from '../../src/analytics/embedded/dictionary/website-dictionaries.ts';
import { dayOf, EVENT_CODES, FACT_DIMENSIONS } from '../../src/analytics/embedded/segment/schema.ts';
import type { Segment } from '../../src/analytics/embedded/segment/segment.ts';
import { buildSegment } from '../../src/analytics/embedded/write/build-segment.ts';
import type { NewEvent } from '../../src/analytics/embedded/write/new-event.ts';
import { LIMITS, type Limits, revise } from '../../src/analytics/embedded/write/revise.ts';
import type { Change } from '../../src/analytics/embedded/write/touched.ts';
import { type CutVisit, cutVisits } from '../../src/analytics/embedded/write/visits.ts';
import { Website } from '../../src/analytics/embedded/write/website.ts';
import { contentOf } from './segments.ts';
import { DAY_MS, MINUTE_MS } from './support.ts';

/** Instants that make long chains, gaps just so, other days, and days before 1970. */
const instant = fc
  .tuple(fc.constantFrom(-DAY_MS, 0, DAY_MS - 20 * MINUTE_MS), fc.nat(6), fc.nat(2))
  .map(([dayMs, steps, ms]) => dayMs + steps * 30 * MINUTE_MS + ms);
const sketch = fc.record({
  visitor: fc.integer({ min: 1, max: 3 }),
  class: fc.constantFrom(0, 0, 0, 1),
  atMs: instant,
  eventType: fc.constantFrom(1, 1, 2),
  page: fc.nat(3),
  session: fc.nat(3),
  properties: fc.uniqueArray(
    fc.record({ key: fc.integer({ min: 1, max: 3 }), value: fc.nat(2), isNumber: fc.boolean() }),
    { maxLength: 2, selector: ({ key }) => key },
  ),
});
const tiny = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }))
  .map(([a, b]): Limits => ({ visitEvents: Math.min(a, b), segmentEvents: Math.max(a, b) }));

type Codes = Record<(typeof EVENT_CODES)[number], number>;
type EventSketch = Omit<NewEvent, 'key' | 'facts' | keyof Codes> & { page: number };

/** Each event says something else of the visit that it begins. */
function toEvents(sketches: readonly EventSketch[]): NewEvent[] {
  return sketches.map((event, index) => ({
    ...event,
    ...(Object.fromEntries(EVENT_CODES.map((name) => [name, event.page])) as Codes), // one for each
    key: index + 1,
    facts: FACT_DIMENSIONS.map(() => index + 1),
  }));
}

function grow(limits: Limits) {
  const website = new Website(1, [], {} as WebsiteDictionaries, 0); // its segments alone are looked at
  const log = new Map<number, NewEvent>();
  function change(what: Change): void {
    for (const event of what.add ?? []) log.set(event.key, event);
    const first = revise(1, website.segments, what, limits);
    const facts = new Map(first.missing.map((key) => [key, log.get(key)?.facts ?? []]));
    const done = first.missing.length === 0 ? first : revise(1, website.segments, { ...what, facts }, limits);
    expect(done.missing).toEqual([]);
    website.replace(done);
  }
  return { website, change };
}

/** The defined result: one segment a day, of visits cut out of all events. */
function expected(events: readonly NewEvent[], { visitEvents }: Limits): Segment[] {
  const visits: CutVisit[] = [];
  for (const own of Map.groupBy(events, (event) => `${event.visitor} ${event.class}`).values()) {
    const cut = own.map((event) => ({ atMs: event.atMs, key: event.key, new: event }));
    for (const visit of cutVisits(cut, visitEvents)) {
      const { new: first, atMs: startMs } = visit[0] as (typeof cut)[number];
      visits.push({ visitor: first.visitor, class: first.class, startMs, events: visit, facts: first.facts });
    }
  }
  visits.sort((a, b) => a.visitor - b.visitor || a.class - b.class || a.startMs - b.startMs);
  const days = [...Map.groupBy(visits, ({ startMs }) => dayOf(startMs))].sort(([a], [b]) => a - b);
  return days.map(([day, own]) =>
    buildSegment(
      1,
      day,
      own.map((visit) => ({ visit })),
    ),
  );
}

/** The segments of each day as one. */
function joined(segments: readonly Segment[]): Segment[] {
  return [...Map.groupBy(segments, ({ header }) => header.day)].map(([day, own]) =>
    buildSegment(
      1,
      day,
      own.map((run) => ({ run, from: 0, to: run.visitCount })),
    ),
  );
}

const inSteps = <Item>(items: readonly Item[], size: number) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, step) =>
    items.slice(step * size, (step + 1) * size),
  );

describe('segments that grew', () => {
  test('in any steps hold what those hold that were built at once', () => {
    fc.assert(
      fc.property(
        fc.array(sketch, { maxLength: 60 }),
        fc.integer({ min: 1, max: 25 }),
        tiny,
        (sketches, step, limits) => {
          const events = toEvents(sketches);
          const { website, change } = grow(limits);
          for (const add of inSteps(events, step)) change({ add });
          for (const { eventCount } of website.segments)
            expect(eventCount).toBeLessThanOrEqual(limits.segmentEvents);
          expect(joined(website.segments).map(contentOf)).toEqual(expected(events, limits).map(contentOf));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('equal, after shrinking, those that never had the removed events', () => {
    const some = fc.array(sketch, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        some,
        fc.integer({ min: 1, max: 25 }),
        tiny,
        fc.func(fc.boolean()),
        (sketches, step, limits, goes) => {
          const events = toEvents(sketches);
          const { website, change } = grow(limits);
          const gone = new Set<number>();
          for (const add of inSteps(events, step)) {
            change({ add });
            for (const { key } of add) if (goes(key)) gone.add(key);
            change({ isRemoved: (key) => gone.has(key), removedFrom: website.segments });
          }
          const left = events.filter(({ key }) => !gone.has(key));
          expect(joined(website.segments).map(contentOf)).toEqual(expected(left, limits).map(contentOf));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('are one a day, to the byte, as long as one has room', () => {
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 60 }), fc.integer({ min: 1, max: 25 }), (sketches, step) => {
        const events = toEvents(sketches);
        const { website, change } = grow(LIMITS);
        for (const add of inSteps(events, step)) change({ add });
        expect(website.segments.map(contentOf)).toEqual(expected(events, LIMITS).map(contentOf));
      }),
    );
  });

  test('keep a visit of thirty days whole, whichever way its events come', () => {
    const times = Array.from({ length: 30 * 50 }, (_, step) => step * 29 * MINUTE_MS);
    const one = { visitor: 1, class: 0, eventType: 1, page: 1, session: 1, properties: [] };
    const events = toEvents(times.map((atMs) => ({ ...one, atMs })));
    for (const order of [events, events.toReversed()]) {
      const { website, change } = grow(LIMITS);
      for (const add of inSteps(order, 400)) change({ add });
      expect(
        website.segments.map(({ header }) => [header.day, header.eventCount, header.startMs, header.endMs]),
      ).toEqual([
        [0, 1_490, 0, 1_489 * 29 * MINUTE_MS + 1],
        [30, 10, 1_490 * 29 * MINUTE_MS, 1_499 * 29 * MINUTE_MS + 1],
      ]);
    }
  });
});

test('segments are deleted when all of their events are gone', () => {
  const { website, change } = grow(LIMITS);
  const one = { visitor: 1, class: 0, eventType: 1, page: 1, session: 1, properties: [] };
  change({
    add: toEvents([
      { ...one, atMs: -8.64e15 },
      { ...one, atMs: 8.64e15 },
    ]),
  });
  expect(website.segments.map(({ header }) => [header.day, header.startMs])).toEqual([
    [-100_000_000, -8.64e15],
    [100_000_000, 8.64e15],
  ]);
  change({ isRemoved: () => true, removedFrom: website.segments });
  expect(website.segments).toEqual([]);
});
