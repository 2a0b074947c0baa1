import type { Interval } from '../../vocabulary/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../vocabulary/durations.ts';
import { addToWall, type CalendarUnit, daysBetween, floorWall, fromWall, toWall } from './calendar.ts';
import type { Zone } from './zone.ts';

type Range = { fromMs: number; toMs: number };

/** Minimum length of a bucket, except around days when a zone crossed the date line. */
const LENGTH_MS: Record<Interval, number> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
};

export function defaultInterval(zone: Zone, { fromMs, toMs }: Range): Interval {
  if (toMs - fromMs <= 2 * HOUR_MS) return 'minute';
  if (toMs - fromMs <= 2 * DAY_MS + HOUR_MS) return 'hour';
  const days = daysBetween(zone, fromMs, toMs);
  if (days <= 100) return 'day';
  return days <= 200 ? 'week' : 'month';
}

/** Estimates the number of buckets, closely enough to refuse a request before creating them. */
export function estimateBuckets({ fromMs, toMs }: Range, interval: Interval): number {
  return Math.ceil((toMs - fromMs) / LENGTH_MS[interval]);
}

/**
 * Returns the bounds of the buckets that cover a range: bucket i is [bounds[i], bounds[i + 1]). The first may begin before
 * the range and the last end after it. Days, weeks and months begin at local midnight, or at the end of the gap when
 * midnight does not exist; a day that a zone skipped has no bucket. Hours and minutes begin at full local hours and
 * minutes, and wherever local time jumps, so the repeated hour in autumn is two buckets.
 */
export function toBuckets(zone: Zone, { fromMs, toMs }: Range, interval: Interval): number[] {
  if (interval === 'hour') return clockBounds(zone, fromMs, toMs, HOUR_MS);
  if (interval === 'minute') return clockBounds(zone, fromMs, toMs, MINUTE_MS);
  return calendarBounds(zone, fromMs, toMs, interval);
}

function calendarBounds(zone: Zone, fromMs: number, toMs: number, unit: CalendarUnit): number[] {
  const firstWallMs = floorWall(toWall(zone, fromMs), unit);
  const bounds: number[] = [];
  for (let index = 0; (bounds.at(-1) ?? -Infinity) < toMs; index += 1) {
    const boundMs = fromWall(zone, addToWall(firstWallMs, index, unit));
    if (boundMs <= fromMs) bounds.length = 0;
    if (boundMs !== bounds.at(-1)) bounds.push(boundMs);
  }
  return bounds;
}

function clockBounds(zone: Zone, fromMs: number, toMs: number, stepMs: number): number[] {
  const bounds: number[] = [];
  for (const span of zone.spans(fromMs - stepMs, toMs + stepMs)) {
    if (bounds.length > 0) bounds.push(span.fromMs);
    const first = Math.ceil((span.fromMs + span.offsetMs) / stepMs) * stepMs - span.offsetMs;
    for (let boundMs = first; boundMs < span.toMs; boundMs += stepMs)
      if (boundMs !== bounds.at(-1)) bounds.push(boundMs);
  }
  return between(bounds, fromMs, toMs);
}

/** Returns the bounds from the last at or before `fromMs` to the first at or after `toMs`. */
function between(bounds: number[], fromMs: number, toMs: number): number[] {
  const start = bounds.findLastIndex((boundMs) => boundMs <= fromMs);
  const end = bounds.findIndex((boundMs) => boundMs >= toMs);
  return bounds.slice(start, end + 1);
}
