import { describe, expect, test } from 'bun:test';
import { addDays, addMonths, daysOfMonth } from '../../src/dashboard/state/calendar-days.ts';

describe('days of a calendar', () => {
  test('months have their days, also February in a leap year', () => {
    expect(daysOfMonth('2026-11').length).toBe(30);
    expect(daysOfMonth('2028-02').at(-1)).toBe('2028-02-29');
    expect(daysOfMonth('2026-02')).toEqual(
      Array.from({ length: 28 }, (_, index) => `2026-02-${String(index + 1).padStart(2, '0')}`),
    );
  });

  test.each([
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2026-12-31', 2, '2027-02-28'],
  ])('%s and %d months are %s', (date, months, expected) => expect(addMonths(date, months)).toBe(expected));

  test.each([
    ['2026-03-01', -1, '2026-02-28'],
    ['2026-12-31', 1, '2027-01-01'],
  ])('%s and %d days are %s', (date, days, expected) => expect(addDays(date, days)).toBe(expected));
});
