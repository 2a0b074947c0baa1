import {
  type Interval,
  type Period,
  POINTS_MAX,
  RANGE_YEAR_MAX,
  RANGE_YEAR_MIN,
} from '../../vocabulary/contract.ts';
import { HOUR_MS } from '../../vocabulary/durations.ts';
import { defaultInterval, estimateBuckets, toBuckets } from './buckets.ts';
import { addToWall, dayStart, fromWall, startOf, toWall } from './calendar.ts';
import type { Zone } from './zone.ts';

/** Half-open range, [fromMs, toMs). */
export type Range = { fromMs: number; toMs: number; zone: Zone };

const FIRST_MS = Date.UTC(RANGE_YEAR_MIN, 0, 1);
const LAST_MS = Date.UTC(RANGE_YEAR_MAX, 11, 31);

/**
 * Returns the range of a period. It ends with the current day (24h: the hour), except yesterday and lastmonth; so the range
 * extends into the future, and stays the same for every question of that day.
 *
 * @param beganAtMs start of `all`
 */
export function toPeriodRange(period: Period, zone: Zone, nowMs: number, beganAtMs: number): Range {
  const todayMs = startOf(zone, nowMs, 'day');
  const tomorrowMs = dayStart(zone, nowMs, 1);
  const thisMonthMs = startOf(zone, nowMs, 'month');
  const monthsBefore = (count: number) => dayStart(zone, thisMonthMs, -count, 'month');
  const to = (fromMs: number, toMs = tomorrowMs): Range => ({ fromMs, toMs, zone });
  switch (period) {
    case 'today':
      return to(todayMs);
    case 'yesterday':
      return to(dayStart(zone, nowMs, -1), todayMs);
    case '24h':
      return lastHours(zone, nowMs, 24);
    case '7d':
    case '28d':
    case '30d':
    case '90d':
    case '91d':
      return to(dayStart(zone, nowMs, 1 - Number.parseInt(period, 10)));
    case 'month':
      return to(thisMonthMs);
    case 'lastmonth':
      return to(monthsBefore(1), thisMonthMs);
    case 'year':
      return to(monthsBefore(new Date(toWall(zone, nowMs)).getUTCMonth()));
    case '6mo':
      return to(monthsBefore(5));
    case '12mo':
      return to(monthsBefore(11));
    case 'all':
      return to(startOf(zone, Math.min(Math.max(beganAtMs, FIRST_MS), nowMs), 'day'));
  }
}

function lastHours(zone: Zone, nowMs: number, count: number): Range {
  const bounds = toBuckets(zone, { fromMs: nowMs, toMs: nowMs + 1 }, 'hour');
  const toMs = bounds.at(-1) ?? nowMs;
  return { fromMs: toMs - count * HOUR_MS, toMs, zone };
}

/** `2026-11-20`, `2026-11-20T13:00`, `2026-11-20T13:00:00.000Z`, `…+01:00`, or milliseconds since the epoch. */
const WALL_TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Reads one end of a range. A date is a day of the zone and, as the end, included; a time without an offset is local.
 *
 * @returns undefined for unreadable texts and years out of bounds
 */
export function readBound(text: string, zone: Zone, end: 'from' | 'to'): number | undefined {
  const boundMs = /^\d{1,15}$/.test(text) ? Number(text) : readWritten(text, zone, end);
  return boundMs !== undefined && boundMs >= FIRST_MS && boundMs <= LAST_MS ? boundMs : undefined;
}

function readWritten(text: string, zone: Zone, end: 'from' | 'to'): number | undefined {
  const [, date = '', time, offset] = WALL_TIME.exec(text) ?? [];
  const dateMs = Date.parse(`${date}T00:00:00.000Z`);
  if (Number.isNaN(dateMs) || new Date(dateMs).toISOString().slice(0, 10) !== date) return undefined; // 30 February
  if (time === undefined) {
    if (offset !== undefined) return undefined;
    return fromWall(zone, end === 'to' ? addToWall(dateMs, 1, 'day') : dateMs);
  }
  const wallMs = Date.parse(`${date}${time}Z`);
  if (Number.isNaN(wallMs)) return undefined;
  if (offset === undefined) return fromWall(zone, wallMs);
  const instantMs = Date.parse(`${date}${time}${offset}`);
  return Number.isNaN(instantMs) ? undefined : instantMs;
}

/** Returns the bounds of a series, or a sentence that says why there is none. */
export function toSeries(
  range: Range,
  asked: Interval | undefined,
  pointsMax = POINTS_MAX,
): { interval: Interval; bounds: number[] } | string {
  const interval = asked ?? defaultInterval(range.zone, range);
  const tooMany = `By ${interval}, this range has more than ${pointsMax} points; ask for a longer interval or a shorter range`;
  if (estimateBuckets(range, interval) > pointsMax) return tooMany;
  const bounds = toBuckets(range.zone, range, interval);
  return bounds.length - 1 > pointsMax ? tooMany : { interval, bounds };
}
