import { describe, expect, test } from 'bun:test';
import { rangeFields } from '../../src/contract/metrics-query.ts';
import type { Comparison, Period } from '../../src/contract/vocabulary.ts';
import { toLocalText } from '../../src/metrics/calendar.ts';
import { toComparedRange } from '../../src/metrics/comparison.ts';
import { type Range, readBound, toPeriodRange, toSeries } from '../../src/metrics/range.ts';
import { findZone, type Zone } from '../../src/metrics/zone.ts';

/** A Friday in Berlin, an hour after midnight there; in UTC still the 19th. */
const NOW_MS = Date.parse('2026-11-19T23:30:00Z');
const BEGAN_MS = Date.parse('2026-02-03T15:00:00Z');

function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (!zone) throw new Error(`${name} is no zone`);
  return zone;
}
const berlin = zoneOf('Europe/Berlin');

function local({ fromMs, toMs, zone }: Range): [string, string] {
  return [toLocalText(zone, fromMs), toLocalText(zone, toMs)];
}

describe('a period in Berlin, half an hour after midnight of 20 November', () => {
  test.each<[Period, string, string]>([
    ['today', '2026-11-20T00:00:00+01:00', '2026-11-21T00:00:00+01:00'],
    ['yesterday', '2026-11-19T00:00:00+01:00', '2026-11-20T00:00:00+01:00'],
    ['24h', '2026-11-19T01:00:00+01:00', '2026-11-20T01:00:00+01:00'],
    ['7d', '2026-11-14T00:00:00+01:00', '2026-11-21T00:00:00+01:00'],
    ['28d', '2026-10-24T00:00:00+02:00', '2026-11-21T00:00:00+01:00'],
    ['30d', '2026-10-22T00:00:00+02:00', '2026-11-21T00:00:00+01:00'],
    ['90d', '2026-08-23T00:00:00+02:00', '2026-11-21T00:00:00+01:00'],
    ['month', '2026-11-01T00:00:00+01:00', '2026-11-21T00:00:00+01:00'],
    ['lastmonth', '2026-10-01T00:00:00+02:00', '2026-11-01T00:00:00+01:00'],
    ['year', '2026-01-01T00:00:00+01:00', '2026-11-21T00:00:00+01:00'],
    ['12mo', '2025-12-01T00:00:00+01:00', '2026-11-21T00:00:00+01:00'],
    ['all', '2026-02-03T00:00:00+01:00', '2026-11-21T00:00:00+01:00'],
  ])('%s', (period, from, to) => {
    expect(local(toPeriodRange(period, berlin, NOW_MS, BEGAN_MS))).toEqual([from, to]);
  });

  test.each([
    ['before 1970 begins with 1970', -1e15, '1970-01-01T00:00:00+00:00'],
    ['in the future begins today', NOW_MS + 1e9, '2026-11-19T00:00:00+00:00'],
  ])('all of a website whose first event is %s', (_, beganAtMs, from) => {
    expect(local(toPeriodRange('all', zoneOf('UTC'), NOW_MS, beganAtMs))[0]).toBe(from);
  });

  test('24h follows the clocks of a zone that is half an hour off', () => {
    expect(local(toPeriodRange('24h', zoneOf('Asia/Kolkata'), NOW_MS, 0))).toEqual([
      '2026-11-19T06:00:00+05:30',
      '2026-11-20T06:00:00+05:30',
    ]);
  });
});

describe('from and to', () => {
  const DOCUMENTED = new RegExp(rangeFields.from.pattern ?? '$.');

  test.each<[string, 'from' | 'to', string]>([
    ['2026-11-20', 'from', '2026-11-19T23:00:00.000Z'],
    ['2026-11-20', 'to', '2026-11-20T23:00:00.000Z'],
    ['2026-03-29', 'to', '2026-03-29T22:00:00.000Z'],
    ['2026-11-20T13:00', 'from', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T13:00', 'to', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T13:00:30.250', 'to', '2026-11-20T12:00:30.250Z'],
    ['2026-11-20T13:00Z', 'to', '2026-11-20T13:00:00.000Z'],
    ['2026-11-20T13:00:00-05:00', 'to', '2026-11-20T18:00:00.000Z'],
    ['1763640000000', 'to', '2025-11-20T12:00:00.000Z'],
    ['2026-03-29T02:30', 'from', '2026-03-29T01:00:00.000Z'], // left out: where the gap ends
    ['2026-10-25T02:30', 'from', '2026-10-25T00:30:00.000Z'], // shown twice: the first
  ])('%s as %s', (text, end, instant) => {
    expect(new Date(readBound(text, berlin, end) ?? Number.NaN).toISOString()).toBe(instant);
    expect(text).toMatch(DOCUMENTED);
  });

  test.each(
    [
      '',
      'x',
      '2026-02-30',
      '2026-13-01',
      '2026-11-20Z',
      '2026-11-20 13:00',
      '2026-11-20T25:00',
      '2026-11-20T13:00:00+99:00',
      '1969-12-31',
      '+012026-01-01',
      '-1',
      '1e9',
      '99999999999999999999',
    ].filter((text) => text !== '20261120'),
  )('refuses %p', (text) => {
    expect(readBound(text, berlin, 'from')).toBeUndefined();
    // Of a parameter nothing is absent, and no pattern knows how long a month is.
    if (text !== '' && text !== '2026-02-30') expect(text).not.toMatch(DOCUMENTED);
  });
});

describe('what a range is compared with', () => {
  const between = (from: string, to: string, zone = berlin): Range => ({
    zone,
    fromMs: readBound(from, zone, 'from') ?? 0,
    toMs: readBound(to, zone, 'to') ?? 0,
  });
  /** A range, or the name of a period. */
  test.each<[string, Range | Period, Comparison, string, string]>([
    ['today: yesterday', 'today', 'previous', '2026-11-19', '2026-11-20'],
    ['7 days: the 7 before', '7d', 'previous', '2026-11-07', '2026-11-14'],
    ['28 days over a change of the clocks', '28d', 'previous', '2026-09-26', '2026-10-24'],
    ['a running month: the same days of the last', 'month', 'previous', '2026-10-01', '2026-10-21'],
    ['the last month: the month before it', 'lastmonth', 'previous', '2026-09-01', '2026-10-01'],
    ['a running year: the same days of the last', 'year', 'previous', '2025-01-01', '2025-11-21'],
    ['12 months: the 12 before', '12mo', 'previous', '2024-12-01', '2025-11-21'],
    ['dates: as many days', between('2026-03-28', '2026-03-30'), 'previous', '2026-03-25', '2026-03-28'],
    ['two whole months: two', between('2026-03-01', '2026-04-30'), 'previous', '2026-01-01', '2026-03-01'],
    [
      'a whole February: January',
      between('2028-02-01', '2028-02-29'),
      'previous',
      '2028-01-01',
      '2028-02-01',
    ],
    ['a year before, the same days', '7d', 'year', '2025-11-14', '2025-11-21'],
    ['a year before a whole month', between('2029-02-01', '2029-02-28'), 'year', '2028-02-01', '2028-03-01'],
    ['a year before 29 February', between('2028-02-29', '2028-02-29'), 'year', '2027-02-28', '2027-03-01'],
  ])('%s', (_, asked, comparison, from, to) => {
    const [range, period] =
      typeof asked === 'string'
        ? [toPeriodRange(asked, berlin, NOW_MS, BEGAN_MS), asked]
        : [asked, undefined];
    const [localFrom, localTo] = local(toComparedRange(range, comparison, period));
    expect([localFrom.slice(0, 19), localTo.slice(0, 19)]).toEqual([`${from}T00:00:00`, `${to}T00:00:00`]);
  });

  test.each([
    ['24h by the millisecond', '24h' as const, undefined],
    ['times by the millisecond', undefined, between('2026-10-25T01:30', '2026-10-25T05:00')],
  ])('%s', (_, name, given) => {
    const range = given ?? toPeriodRange('24h', berlin, NOW_MS, 0);
    const compared = toComparedRange(range, 'previous', name);
    expect(compared.toMs).toBe(range.fromMs);
    expect(compared.toMs - compared.fromMs).toBe(range.toMs - range.fromMs);
  });

  test('times are compared with the same times on the walls a year before', () => {
    const range = between('2026-07-01T10:00', '2026-07-01T12:00');
    expect(local(toComparedRange(range, 'year', undefined))).toEqual([
      '2025-07-01T10:00:00+02:00',
      '2025-07-01T12:00:00+02:00',
    ]);
  });
});

describe('a series', () => {
  const hours = (count: number): Range => ({
    zone: zoneOf('UTC'),
    fromMs: NOW_MS,
    toMs: NOW_MS + count * 3_600_000,
  });

  test.each([
    [2, 'minute'],
    [3, 'hour'],
    [49, 'hour'],
    [50, 'day'],
    [100 * 24, 'day'],
    [100 * 24 + 1, 'week'],
    [200 * 24, 'week'],
    [200 * 24 + 1, 'month'],
  ])('of %d hours is by %s', (count, interval) => {
    expect(toSeries(hours(count), undefined)).toMatchObject({ interval });
  });

  test('has at most 2,000 points', () => {
    const series = toSeries({ ...hours(0), fromMs: 0, toMs: 2_000 * 60_000 }, 'minute');
    expect(series).toMatchObject({ bounds: { length: 2_001 } });
    expect(toSeries({ ...hours(0), fromMs: 0, toMs: 2_000 * 60_000 + 1 }, 'minute')).toBe(
      'By minute, this range has more than 2000 points; ask for a longer interval or a shorter range',
    );
  });

  test('counts the points that the edges of a range add', () => {
    const shifted = { ...hours(0), fromMs: 1, toMs: 2_000 * 60_000 + 1 };
    expect(typeof toSeries(shifted, 'minute')).toBe('string');
  });
});

describe('a time zone', () => {
  test.each([
    'UTC',
    'Europe/Berlin',
    'america/new_york',
    'Etc/GMT+5',
    'America/Argentina/Buenos_Aires',
    'EST5EDT',
  ])('%s is known', (name) => {
    expect(findZone(name)?.name).toBe(name);
  });

  test.each(['', '+01:00', 'Mars/Olympus', 'Europe/Berlin ', '../etc/passwd', '__proto__', 'x'.repeat(100)])(
    '%p is none',
    (name) => {
      expect(findZone(name)).toBeUndefined();
    },
  );
});
