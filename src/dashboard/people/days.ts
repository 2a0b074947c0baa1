import { formatDay } from '../state/time-format.ts';

/** Groups rows by their day: `Today`, `Yesterday`, a date. */
export function byDay<Row>(
  rows: readonly Row[],
  atOf: (row: Row) => string,
  timezone: string,
  nowMs: number,
): { day: string; rows: Row[] }[] {
  const days: { day: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const day = formatDay(atOf(row), timezone, nowMs);
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}
