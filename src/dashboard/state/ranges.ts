import type { Comparison, ComparisonMatch, Interval, Period } from '../../vocabulary/contract.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { addDays, addMonths } from './calendar-days.ts';
import { ownValue } from './own-value.ts';
import { formatDays, formatPart, formatRange, isMidnight, type Range } from './time-format.ts';
import type { ViewState } from './view-state.ts';

export const PERIOD_NAMES: Record<Period, string> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '28d': 'Last 28 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '91d': 'Last 91 days',
  month: 'Month to date',
  lastmonth: 'Last month',
  year: 'Year to date',
  '6mo': 'Last 6 months',
  '12mo': 'Last 12 months',
  all: 'All time',
};

/** Name of a period; an unknown one in an address as it is. */
export const nameOfPeriod = (period: string): string => ownValue(PERIOD_NAMES, period) ?? period;

/** Period of the address; undefined when it contains dates. */
export const periodOf = ({ from, period }: Pick<ViewState, 'from' | 'period'>) => (from ? undefined : period);

/** Periods offered by the menus, in whole weeks where possible; an address may name others. */
export const OFFERED_PERIODS = [
  'today',
  'yesterday',
  '24h',
  '7d',
  '28d',
  '91d',
  'month',
  'lastmonth',
  '6mo',
  'year',
  '12mo',
  'all',
] as const satisfies Period[];

export const COMPARISON_NAMES: Record<Comparison, string> = {
  previous: 'Previous period',
  year: 'Same period last year',
  custom: 'Custom range…',
};

export const MATCH_NAMES: Record<ComparisonMatch, string> = {
  weekday: 'Match days of the week',
  date: 'Match exact dates',
};

export const INTERVAL_NAMES: Record<Interval, string> = {
  minute: 'Minutes',
  hour: 'Hours',
  day: 'Days',
  week: 'Weeks',
  month: 'Months',
};

/** `Compared with 19 Nov 2026 until 10:20`. */
export function describeComparison({ range }: { range: Range }): string {
  return `Compared with ${formatPart(range)}`;
}

/** Date of an instant in a zone, YYYY-MM-DD. */
export function dateIn(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(ms);
}

const isDate = (text: string) => text.length === '2026-11-20'.length;

/** First and last day of a range, YYYY-MM-DD. A range from an address may already consist of them. */
export function daysOf({ from, to, timezone }: Range): { first: string; last: string } {
  if (isDate(from)) return { first: from, last: to };
  const fromMs = Date.parse(from);
  const lastMs = Math.max(fromMs, Date.parse(to) - 1);
  return { first: dateIn(fromMs, timezone), last: dateIn(lastMs, timezone) };
}

/** Months of the periods that end with the running month. */
const RUNNING_MONTHS: Partial<Record<Period, number>> = { month: 1, '6mo': 6, year: 12, '12mo': 12 };

/**
 * Range before (`-1`) or after (`1`) this one: a running month or year by its unit, whole months by months, other whole
 * days by days, and ranges that begin or end within a day by their length. Undefined when it would begin in the future.
 *
 * @param period the one that the range is of; without it, the range is of dates
 */
export function shiftRange(
  range: Range,
  step: -1 | 1,
  nowMs: number,
  period = '',
): Required<Pick<ViewState, 'from' | 'to'>> | undefined {
  const [fromMs, toMs] = [Date.parse(range.from), Date.parse(range.to)];
  if (![fromMs, toMs].every((ms) => isMidnight(ms, range.timezone))) {
    const byMs = step * (toMs - fromMs);
    if (fromMs + byMs > nowMs) return undefined;
    return { from: new Date(fromMs + byMs).toISOString(), to: new Date(toMs + byMs).toISOString() };
  }
  const { first, last } = daysOf(range);
  const running = ownValue<number>(RUNNING_MONTHS, period);
  const end = running ? addMonths(first, running) : addDays(last, 1);
  const months = running ?? wholeMonths(first, end);
  const days = (Date.parse(end) - Date.parse(first)) / DAY_MS;
  const shift = (date: string) => (months > 0 ? addMonths(date, step * months) : addDays(date, step * days));
  const from = shift(first);
  return from > dateIn(nowMs, range.timezone) ? undefined : { from, to: addDays(shift(end), -1) };
}

/** Number of months between two days; 0 unless they are whole. */
function wholeMonths(first: string, end: string): number {
  return first.endsWith('-01') && end.endsWith('-01') ? monthIndex(end) - monthIndex(first) : 0;
}

const monthIndex = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

/** Describes a range from an address: dates, both included, or instants. */
export function describeRange(range: Range): string {
  return isDate(range.from) ? formatDays(range.from, range.to) : formatRange(range);
}

const HOUR_DAYS_MAX = 32;
const DAY_DAYS_MAX = 1_000;
const MINUTE_DAYS_MAX = 1;

/** Intervals that suit a range: more than one point, and no more than can be seen. */
export function intervalsFor(range: Range): Interval[] {
  // Rounded: a day that has 25 hours is one.
  const days = Math.round((Date.parse(range.to) - Date.parse(range.from)) / DAY_MS);
  const fits: Record<Interval, boolean> = {
    minute: days <= MINUTE_DAYS_MAX,
    hour: days <= HOUR_DAYS_MAX,
    day: days > 1 && days <= DAY_DAYS_MAX,
    week: days > 13,
    month: days > 59,
  };
  return (Object.keys(fits) as Interval[]).filter((interval) => fits[interval]); // the keys are those of the record
}
