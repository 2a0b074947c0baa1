import { expect, test } from 'bun:test';
import { daysOf, intervalsFor, nameOfPeriod, shiftRange } from '../../src/dashboard/state/ranges.ts';

/** Whole days of Berlin: UTC+1 in winter, +2 in summer. */
const range = (from: string, to: string) => ({ from, to, timezone: 'Europe/Berlin' });
const NOW_MS = Date.parse('2026-11-20T10:30:00Z');

const november = range('2026-10-31T23:00:00.000Z', '2026-11-30T23:00:00.000Z');
const week = range('2026-11-13T23:00:00.000Z', '2026-11-20T23:00:00.000Z');
const overTheChange = range('2026-10-23T22:00:00.000Z', '2026-10-25T23:00:00.000Z');

test('the days of a range are those of its zone, or those that it names', () => {
  expect(daysOf(november)).toEqual({ first: '2026-11-01', last: '2026-11-30' });
  expect(daysOf(overTheChange)).toEqual({ first: '2026-10-24', last: '2026-10-25' });
  expect(daysOf(range('2026-11-01', '2026-11-30'))).toEqual({ first: '2026-11-01', last: '2026-11-30' });
});

test.each([
  ['a month, earlier', november, -1, { from: '2026-10-01', to: '2026-10-31' }],
  ['a week, earlier', week, -1, { from: '2026-11-07', to: '2026-11-13' }],
  ['two days over the change of the clocks', overTheChange, 1, { from: '2026-10-26', to: '2026-10-27' }],
  [
    'hours, by their length',
    range('2026-11-19T10:00:00.000Z', '2026-11-20T10:00:00.000Z'),
    -1,
    { from: '2026-11-18T10:00:00.000Z', to: '2026-11-19T10:00:00.000Z' },
  ],
  ['hours that have not begun', range('2026-11-19T11:00:00.000Z', '2026-11-20T11:00:00.000Z'), 1, undefined],
  ['what has not begun', week, 1, undefined],
] as const)('%s', (_, before, step, after) => {
  expect(shiftRange(before, step, NOW_MS)).toEqual(after);
});

test.each([
  ['month', range('2026-10-31T23:00:00.000Z', '2026-11-20T23:00:00.000Z'), '2026-10-01', '2026-10-31'],
  ['year', range('2025-12-31T23:00:00.000Z', '2026-11-20T23:00:00.000Z'), '2025-01-01', '2025-12-31'],
  ['6mo', range('2026-05-31T22:00:00.000Z', '2026-11-20T23:00:00.000Z'), '2025-12-01', '2026-05-31'],
  ['12mo', range('2025-11-30T23:00:00.000Z', '2026-11-20T23:00:00.000Z'), '2024-12-01', '2025-11-30'],
  ['7d', week, '2026-11-07', '2026-11-13'],
] as const)('what was before the running %s is whole', (period, running, from, to) => {
  expect(shiftRange(running, -1, NOW_MS, period)).toEqual({ from, to });
  expect(shiftRange(running, 1, NOW_MS, period)).toBeUndefined();
});

test('going there and back ends where it began', () => {
  const back = shiftRange(range('2025-12-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'), -1, NOW_MS);
  expect(back).toEqual({ from: '2025-11-01', to: '2025-12-31' });
});

test.each([
  [1, ['minute', 'hour']],
  [7, ['hour', 'day']],
  [30, ['hour', 'day', 'week']],
  [90, ['day', 'week', 'month']],
  [2_000, ['week', 'month']],
] as const)('%i days are drawn by %p', (days, intervals) => {
  const to = Date.UTC(2026, 10, 20);
  const from = to - days * 86_400_000;
  expect(
    intervalsFor({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), timezone: 'UTC' }),
  ).toEqual([...intervals]);
});

test('the day whose clocks are set back is drawn by what other days are', () => {
  const range = {
    timezone: 'Europe/Berlin',
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
  };
  expect(intervalsFor(range)).toEqual(['minute', 'hour']);
});

test.each([
  ['7d', 'Last 7 days'],
  ['never', 'never'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
])('the period %s is called %s', (period, name) => {
  expect(nameOfPeriod(period)).toBe(name);
});
