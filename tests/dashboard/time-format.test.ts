import { describe, expect, test } from 'bun:test';
import {
  formatAgo,
  formatPart,
  formatPointTime,
  formatRange,
  formatTick,
  formatUntil,
} from '../../src/dashboard/state/time-format.ts';
import { readIn } from '../support/reader.ts';

readIn('en-GB');

const plain = (text: string) => text.replace(/\s/g, ' ');

describe('the time of a point', () => {
  for (const [interval, local, tick, whole] of [
    ['minute', '2026-11-20T13:05:00+01:00', '13:05', 'Fri 20 Nov, 13:05'],
    ['hour', '2026-11-20T13:00:00+01:00', '13:00', 'Fri 20 Nov, 13:00'],
    ['hour', '2026-11-20T00:00:00+01:00', '20 Nov', 'Fri 20 Nov, 00:00'],
    ['day', '2026-11-20T00:00:00+01:00', '20 Nov', 'Fri, 20 Nov 2026'],
    ['day', '2026-11-20T00:00:00+14:00', '20 Nov', 'Fri, 20 Nov 2026'],
    ['day', '2026-11-20T00:00:00-11:00', '20 Nov', 'Fri, 20 Nov 2026'],
    ['week', '2026-11-16T00:00:00+01:00', '16 Nov', '16 – 22 Nov 2026'],
    ['month', '2026-11-01T00:00:00+01:00', 'Nov', 'November 2026'],
    ['month', '2027-01-01T00:00:00+01:00', '2027', 'January 2027'],
  ] as const)
    test(`${local} by ${interval} is ${tick} on the axis and ${whole} in the tooltip`, () => {
      expect(formatTick(local, interval)).toBe(tick);
      expect(plain(formatPointTime(local, interval))).toBe(whole);
    });

  for (const [language, tick, whole] of [
    ['en-US', '1:00 PM', 'Fri, Nov 20, 2026'],
    ['de', '13:00', 'Fri, 20 Nov 2026'],
    ['made_up', '1:00 PM', 'Fri, Nov 20, 2026'],
  ] as const)
    describe(`read in ${language}`, () => {
      readIn(language);
      test('has the clock and the order of its region, in the words of the page', () => {
        const local = '2026-11-20T13:00:00+01:00';
        expect(plain(formatTick(local, 'hour'))).toBe(tick);
        expect(plain(formatPointTime(local, 'day'))).toBe(whole);
      });
    });
});

describe('a range', () => {
  for (const [from, to, zone, text] of [
    ['2026-10-31T23:00:00Z', '2026-11-20T23:00:00Z', 'Europe/Berlin', '1 – 20 Nov 2026'],
    ['2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z', 'Europe/Berlin', '20 Nov 2026'],
    ['2026-12-31T00:00:00Z', '2027-01-02T00:00:00Z', 'UTC', '31 Dec 2026 – 1 Jan 2027'],
    ['2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z', 'Europe/Berlin', 'October 2026'],
    ['2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'UTC', '2025'],
    [
      '2026-11-20T13:00:00Z',
      '2026-11-21T13:00:00Z',
      'Europe/Berlin',
      '20 Nov 2026, 14:00 – 21 Nov 2026, 14:00',
    ],
  ] as const)
    test(`from ${from} to ${to} in ${zone} is ${text}`, () =>
      expect(plain(formatRange({ from, to, timezone: zone }))).toBe(text));

  test('is written in UTC when the browser does not know the zone', () => {
    const day = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' };
    const text = formatRange({ ...day, timezone: 'Moon/Tycho' });
    expect(text).toBe('20 Nov 2026');
  });
});

describe('a part of a range', () => {
  for (const [from, to, zone, text] of [
    ['2026-11-18T23:00:00Z', '2026-11-19T09:20:00Z', 'Europe/Berlin', '19 Nov 2026 until 10:20'],
    ['2026-11-07T00:00:00Z', '2026-11-13T10:20:37.5Z', 'UTC', '7 – 13 Nov 2026 until 10:20'],
    ['2026-11-19T00:00:00Z', '2026-11-19T00:00:30Z', 'UTC', '19 Nov 2026 until 00:00'],
    ['2026-09-01T00:00:00Z', '2026-10-01T00:00:00Z', 'UTC', 'September 2026'],
    ['2026-11-19T00:00:00Z', '2026-11-19T00:00:00Z', 'UTC', '19 Nov 2026'],
    ['2026-11-18T11:00:00Z', '2026-11-19T10:20:00Z', 'UTC', '18 Nov 2026, 11:00 – 19 Nov 2026, 10:20'],
  ] as const)
    test(`from ${from} to ${to} in ${zone} is ${text}`, () =>
      expect(plain(formatPart({ from, to, timezone: zone }))).toBe(text));

  for (const [interval, text] of [
    ['hour', '10:20'],
    ['day', '10:20'],
    ['week', '13 Nov, 10:20'],
    ['month', '13 Nov, 10:20'],
  ] as const)
    test(`a ${interval} of it is cut at ${text}`, () =>
      expect(plain(formatUntil('2026-11-13T09:20:00Z', 'Europe/Berlin', interval))).toBe(text));
});

describe('how long ago', () => {
  for (const [seconds, text] of [
    [0, 'now'],
    [59, 'now'],
    [60, '1 min. ago'],
    [200, '3 min. ago'],
    [4_000, '1 hr. ago'],
    [90_000, 'yesterday'],
    [864_000, '10 days ago'],
  ] as const)
    test(`${seconds} seconds is ${text}`, () => expect(formatAgo(0, seconds * 1_000)).toBe(text));
});
