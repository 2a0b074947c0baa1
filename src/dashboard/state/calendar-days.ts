import { DAY_MS } from '../../vocabulary/durations.ts';

/** Dates as text, YYYY-MM-DD, without a time zone: `Date` parses them in UTC. */

const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const addDays = (date: string, days: number) => toDate(Date.parse(date) + days * DAY_MS);

/** 1 for Monday to 7. */
export const weekdayOf = (date: string) => new Date(date).getUTCDay() || 7;

/** `2026-11` */
export const monthOf = (date: string) => date.slice(0, 7);

/** Day with the same number in another month, or its last day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const count = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return toDate(Date.UTC(year, month - 1 + months, Math.min(day, count)));
}

/** Every day of a month such as `2026-11`. */
export function daysOfMonth(month: string): string[] {
  const first = `${month}-01`;
  const count = Number(addDays(addMonths(first, 1), -1).slice(-2));
  return Array.from({ length: count }, (_, index) => addDays(first, index));
}
