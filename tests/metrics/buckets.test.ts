import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { estimateBuckets, toBuckets } from '../../src/metrics/time/buckets.ts';
import { toLocalText } from '../../src/metrics/time/calendar.ts';
import { findZone, type Zone } from '../../src/metrics/time/zone.ts';
import { INTERVALS } from '../../src/vocabulary/contract.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'America/Santiago',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Australia/Adelaide',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Antarctica/Troll',
];

function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (!zone) throw new Error(`${name} is not a zone`);
  return zone;
}

/** The starts of the buckets as the walls show them, and the end. */
function localBounds(zone: string, interval: (typeof INTERVALS)[number], from: string, to: string): string[] {
  const range = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  return toBuckets(zoneOf(zone), range, interval).map((boundMs) => toLocalText(zoneOf(zone), boundMs));
}

describe('days', () => {
  test.each([
    [
      'of 23 hours in spring',
      'Europe/Berlin',
      '2026-03-28T23:00Z',
      '2026-03-29T22:00Z',
      ['2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'],
    ],
    [
      'of 25 hours in autumn',
      'Europe/Berlin',
      '2026-10-24T22:00Z',
      '2026-10-25T23:00Z',
      ['2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00'],
    ],
    [
      'cut by the range, covered whole',
      'Asia/Kathmandu',
      '2026-11-19T20:00Z',
      '2026-11-20T20:00Z',
      ['2026-11-20T00:00:00+05:45', '2026-11-21T00:00:00+05:45', '2026-11-22T00:00:00+05:45'],
    ],
    [
      'whose midnight does not exist begin where the gap ends',
      'America/Sao_Paulo',
      '2018-11-03T03:00Z',
      '2018-11-05T02:00Z',
      ['2018-11-03T00:00:00-03:00', '2018-11-04T01:00:00-02:00', '2018-11-05T00:00:00-02:00'],
    ],
    [
      'whose midnight comes twice begin with the first',
      'America/Havana',
      '2026-11-01T04:00Z',
      '2026-11-02T05:00Z',
      ['2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00'],
    ],
    [
      'that were left out at the date line have no bucket',
      'Pacific/Apia',
      '2011-12-29T10:00Z',
      '2011-12-31T10:00Z',
      ['2011-12-29T00:00:00-10:00', '2011-12-31T00:00:00+14:00', '2012-01-01T00:00:00+14:00'],
    ],
  ])('%s', (_, zone, from, to, bounds) => {
    expect(localBounds(zone, 'day', from, to)).toEqual(bounds);
  });
});

describe('weeks and months', () => {
  test('weeks begin on Monday', () => {
    expect(localBounds('Europe/Berlin', 'week', '2026-10-21T00:00Z', '2026-11-03T00:00Z')).toEqual([
      '2026-10-19T00:00:00+02:00',
      '2026-10-26T00:00:00+01:00',
      '2026-11-02T00:00:00+01:00',
      '2026-11-09T00:00:00+01:00',
    ]);
  });

  test('a Sunday belongs to the week before', () => {
    expect(localBounds('UTC', 'week', '2026-11-22T12:00Z', '2026-11-22T13:00Z')).toEqual([
      '2026-11-16T00:00:00+00:00',
      '2026-11-23T00:00:00+00:00',
    ]);
  });

  test('months begin on the first, over the end of a year', () => {
    expect(localBounds('America/New_York', 'month', '2026-12-15T00:00Z', '2027-03-01T05:00Z')).toEqual([
      '2026-12-01T00:00:00-05:00',
      '2027-01-01T00:00:00-05:00',
      '2027-02-01T00:00:00-05:00',
      '2027-03-01T00:00:00-05:00',
    ]);
  });
});

describe('hours', () => {
  const starts = (zone: string, from: string, to: string) => localBounds(zone, 'hour', from, to).slice(0, -1);

  test('a day of 23 hours has 23, and leaves the missing one out', () => {
    const hours = starts('Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z');
    expect(hours).toHaveLength(23);
    expect(hours.slice(0, 4)).toEqual([
      '2026-03-29T00:00:00+01:00',
      '2026-03-29T01:00:00+01:00',
      '2026-03-29T03:00:00+02:00',
      '2026-03-29T04:00:00+02:00',
    ]);
  });

  test('a day of 25 hours has 25, the repeated one twice', () => {
    const hours = starts('Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z');
    expect(hours).toHaveLength(25);
    expect(hours.slice(2, 4)).toEqual(['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00']);
  });

  test('follow the walls of zones that are half or three quarters of an hour off', () => {
    expect(starts('Asia/Kolkata', '2026-11-20T00:00Z', '2026-11-20T02:00Z')).toEqual([
      '2026-11-20T05:00:00+05:30',
      '2026-11-20T06:00:00+05:30',
      '2026-11-20T07:00:00+05:30',
    ]);
  });

  test('a change of half an hour makes short ones and loses nothing', () => {
    expect(starts('Australia/Lord_Howe', '2026-04-04T14:00Z', '2026-04-04T16:00Z')).toEqual([
      '2026-04-05T01:00:00+11:00',
      '2026-04-05T01:30:00+10:30',
      '2026-04-05T02:00:00+10:30',
    ]);
  });
});

describe('whatever the zone, the range and the interval', () => {
  const zone = fc.constantFrom(...ZONES).map(zoneOf);
  const startMs = fc.integer({ min: Date.UTC(1973, 0, 1), max: Date.UTC(2037, 0, 1) });
  const interval = fc.constantFrom(...INTERVALS);
  const LENGTH_MS_MAX = { minute: 3e6, hour: 4e8, day: 4e9, week: 1e10, month: 1e11 };
  const question = interval.chain((interval) =>
    fc.record({
      interval: fc.constant(interval),
      zone,
      range: fc
        .tuple(startMs, fc.integer({ min: 1, max: LENGTH_MS_MAX[interval] }))
        .map(([fromMs, lengthMs]) => ({ fromMs, toMs: fromMs + lengthMs })),
    }),
  );

  test('the buckets cover the range, ascend, and none lies outside', () => {
    fc.assert(
      fc.property(question, ({ interval, zone, range }) => {
        const bounds = toBuckets(zone, range, interval);
        const [first = Number.NaN, second = Number.NaN] = bounds;
        const [beforeLast = Number.NaN, last = Number.NaN] = bounds.slice(-2);
        expect(first).toBeLessThanOrEqual(range.fromMs);
        expect(second).toBeGreaterThan(range.fromMs);
        expect(beforeLast).toBeLessThan(range.toMs);
        expect(last).toBeGreaterThanOrEqual(range.toMs);
        expect(bounds.every((boundMs, index) => index === 0 || boundMs > (bounds[index - 1] ?? 0))).toBe(
          true,
        );
        expect(Math.abs(bounds.length - 1 - estimateBuckets(range, interval))).toBeLessThanOrEqual(
          5 + bounds.length / 8,
        );
      }),
      { numRuns: 300 },
    );
  });

  test('days, weeks and months begin where the standard’s own calendar says', () => {
    fc.assert(
      fc.property(question, ({ interval, zone, range }) => {
        if (interval === 'minute' || interval === 'hour') return;
        for (const boundMs of toBuckets(zone, range, interval)) {
          const local = Temporal.Instant.fromEpochMilliseconds(boundMs).toZonedDateTimeISO(zone.name);
          expect(local.startOfDay().epochMilliseconds).toBe(boundMs);
          if (interval === 'week' && zone.name !== 'Pacific/Apia') expect(local.dayOfWeek).toBe(1);
          if (interval === 'month') expect(local.day).toBe(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('hours and minutes last no longer than that, and begin when the wall shows a full one or jumps', () => {
    fc.assert(
      fc.property(question, ({ interval, zone, range }) => {
        if (interval !== 'minute' && interval !== 'hour') return;
        const stepMs = interval === 'hour' ? 3_600_000 : 60_000;
        const bounds = toBuckets(zone, range, interval);
        bounds.forEach((boundMs, index) => {
          if (index > 0) expect(boundMs - (bounds[index - 1] ?? 0)).toBeLessThanOrEqual(stepMs);
          const jumps = zone.offsetMs(boundMs) !== zone.offsetMs(boundMs - 1);
          expect(jumps || (boundMs + zone.offsetMs(boundMs)) % stepMs === 0).toBe(true);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('an offset is the one that Intl formats', () => {
    fc.assert(
      fc.property(zone, startMs, (zone, instantMs) => {
        const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone.name, timeZoneName: 'longOffset' });
        const [, sign, ...clock] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(parts.format(instantMs)) ?? [];
        const [hours = 0, minutes = 0, seconds = 0] = clock.map((part) => Number(part ?? 0));
        const offsetMs = ((hours * 60 + minutes) * 60 + seconds) * 1000;
        expect(zone.offsetMs(instantMs)).toBe(sign === '-' ? -offsetMs : offsetMs);
      }),
      { numRuns: 500 },
    );
  });
});
