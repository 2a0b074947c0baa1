import type { Interval } from '../../vocabulary/contract.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../vocabulary/durations.ts';
import type { Subject } from '../question/selection.ts';
import { toBuckets } from '../time/buckets.ts';
import { dayStart, daysBetween, startOf, toWall } from '../time/calendar.ts';
import { type Range, readBound } from '../time/range.ts';
import type { Zone } from '../time/zone.ts';

/** Context of ranges in Plausible's version 3. */

export type RangeSubject = { zone: Zone } & Pick<Subject, 'nowMs' | 'findBeganAtMs'>;

const DAYS_MAX = 5_000;
const MONTHS_MAX = 100;
const RELATIVE = `day, 24h, 7d, 28d, 30d, 91d, month, 6mo, 12mo, year, all or another number of d (at most ${DAYS_MAX}) or mo (${MONTHS_MAX})`;
export const RANGE_FORM = `Must be ${RELATIVE}; or first and last date, in this order, such as ["2026-11-01","2026-11-20"]`;
export const PERIOD_FORM = `Must be ${RELATIVE}; or custom`;

/** @returns undefined for unreadable values */
export async function readPlausibleRange(value: unknown, subject: RangeSubject): Promise<Range | undefined> {
  if (Array.isArray(value)) return readPair(value, subject.zone);
  return typeof value === 'string' ? readRelativeRange(value, subject) : undefined;
}

/**
 * Reads a relative range. Ranges of days end yesterday, ranges of months with the previous month; day, month and year are
 * whole.
 *
 * @param subject.nowMs the time that the range is relative to
 * @param lastMonth `running`: ranges of months include this one, as in version 1
 * @returns undefined for unreadable values
 */
export async function readRelativeRange(
  name: string,
  subject: RangeSubject,
  lastMonth: 'before' | 'running' = 'before',
): Promise<Range | undefined> {
  const { zone, nowMs, findBeganAtMs } = subject;
  const to = (fromMs: number, toMs: number): Range => ({ fromMs, toMs, zone });
  const todayMs = startOf(zone, nowMs, 'day');
  const tomorrowMs = dayStart(zone, nowMs, 1);
  const monthMs = startOf(zone, nowMs, 'month');
  const monthsOn = (count: number) => dayStart(zone, monthMs, count, 'month');

  const [, digits, unit] = /^([1-9]\d{0,3})(d|mo)$/.exec(name) ?? [];
  const count = Number(digits);
  if (unit === 'd') return count <= DAYS_MAX ? to(dayStart(zone, nowMs, -count), todayMs) : undefined;
  const months = lastMonth === 'before' ? 0 : 1;
  if (unit === 'mo') return count <= MONTHS_MAX ? to(monthsOn(months - count), monthsOn(months)) : undefined;

  const monthOfYear = new Date(toWall(zone, nowMs)).getUTCMonth();
  switch (name) {
    case 'day':
      return to(todayMs, tomorrowMs);
    case '24h':
      return lastDay(zone, nowMs);
    case 'month':
      return to(monthMs, monthsOn(1));
    case 'year':
      return to(monthsOn(-monthOfYear), monthsOn(12 - monthOfYear));
    case 'all':
      return to(startOf(zone, Math.max(0, Math.min(await findBeganAtMs(), nowMs)), 'day'), tomorrowMs);
    default:
      return undefined;
  }
}

/** Returns the last 24 hours. The current second is included, as the last second of a range is. */
function lastDay(zone: Zone, nowMs: number): Range {
  const toMs = (Math.floor(nowMs / SECOND_MS) + 1) * SECOND_MS;
  return { fromMs: toMs - SECOND_MS - DAY_MS, toMs, zone };
}

/** Cuts off the future: hours of a day, days of a month or year. */
export function trimRange(range: Range, name: unknown, nowMs: number): Range {
  const { zone, toMs } = range;
  if (name === 'day') {
    const endMs = toBuckets(zone, { fromMs: nowMs, toMs: nowMs + 1 }, 'hour').at(-1) ?? toMs;
    return { ...range, toMs: Math.min(toMs, endMs) };
  }
  if (name !== 'month' && name !== 'year') return range;
  return { ...range, toMs: Math.min(toMs, dayStart(zone, nowMs, 1)) };
}

/** Returns the interval of the dimension `time`, judged from the first second to the last. */
export function stepOf({ fromMs, toMs, zone }: Range): Interval {
  const lastMs = toMs - SECOND_MS;
  if (Math.floor((lastMs - fromMs) / HOUR_MS) <= 48) return 'hour';
  const days = Math.floor(daysBetween(zone, fromMs, lastMs));
  if (days <= 40) return 'day';
  return Math.floor(days / 7) <= 52 ? 'week' : 'month';
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME_WITH_OFFSET = /T.*(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Reads two dates or two times with an offset. Both are included: the last date as a whole day, the last time as a whole
 * second.
 */
export function readPair([first, last, ...rest]: unknown[], zone: Zone): Range | undefined {
  if (typeof first !== 'string' || typeof last !== 'string' || rest.length > 0) return undefined;
  if (![DATE, TIME_WITH_OFFSET].some((form) => form.test(first) && form.test(last))) return undefined;
  const fromMs = readBound(first, zone, 'from');
  const lastMs = readBound(last, zone, 'to');
  if (fromMs === undefined || lastMs === undefined) return undefined;
  const toMs = last.includes('T') ? lastMs + SECOND_MS : lastMs;
  return fromMs < toMs ? { zone, fromMs, toMs } : undefined;
}
