import { describe, expect, test } from 'bun:test';
import { rangeFields } from '../../src/contract/metrics/query.ts';
import { toLocalText } from '../../src/metrics/time/calendar.ts';
import { type Range, readBound, toPeriodRange, toSeries } from '../../src/metrics/time/range.ts';
import { findZone, type Zone } from '../../src/metrics/time/zone.ts';
import type { Period } from '../../src/vocabulary/contract.ts';

/** A Friday in Berlin, an hour after midnight there; in UTC still the 19th. */
const NOW_MS = Date.parse('2026-11-19T23:30:00Z');
const BEGAN_MS = Date.parse('2026-02-03T15:00:00Z');

function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (!zone) throw new Error(`${name} is not a zone`);
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

  test.each([
    ['2026-10-31', '2026-11-01', 'hour'],
    ['2026-08-03', '2026-11-10', 'day'],
    ['2026-08-02', '2026-11-10', 'week'],
    ['2026-06-01', '2026-12-17', 'week'],
    ['2026-05-31', '2026-12-17', 'month'],
  ])('of the days from %s to %s, one of which has 25 hours, is by %s', (from, to, interval) => {
    const zone = zoneOf('America/New_York');
    const range = { zone, fromMs: readBound(from, zone, 'from') ?? 0, toMs: readBound(to, zone, 'to') ?? 0 };
    expect(toSeries(range, undefined)).toMatchObject({ interval });
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
