import { DAY_MS } from '../../durations.ts';

/** Dates as text, YYYY-MM-DD, on no clock at all. */

const toMs = (date: string) => Date.parse(`${date}T00:00Z`);
const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export const addDays = (date: string, days: number) => toDate(toMs(date) + days * DAY_MS);

/** `2026-11` */
export const monthOf = (date: string) => date.slice(0, 7);

/** Every day of a month such as `2026-11`. */
export function daysOfMonth(month: string): string[] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}

/** The same day of another month, or its last one. */
export function addMonths(date: string, months: number): string {
  const [year = 0, number = 0, day = 0] = date.split('-').map(Number);
  const days = daysOfMonth(monthOf(toDate(Date.UTC(year, number - 1 + months, 1))));
  return days[Math.min(day, days.length) - 1] ?? date;
}
