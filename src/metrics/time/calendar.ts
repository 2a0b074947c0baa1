import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../vocabulary/durations.ts';
import type { Zone } from './zone.ts';

/** Days, weeks and months of a time zone. Wall times are milliseconds, as if local time were UTC. */

export type CalendarUnit = 'day' | 'week' | 'month';

/** 1970-01-01 was a Thursday; weeks start on Monday. */
const DAYS_FROM_MONDAY_TO_EPOCH = 3;
/** More than the offset of any zone ever. */
const OFFSET_MS_MAX = 16 * HOUR_MS;

export function toWall(zone: Zone, instantMs: number): number {
  return instantMs + zone.offsetMs(instantMs);
}

/**
 * Returns the first instant whose local time is this or later: the earlier one of a repeated time, the end of the gap for a
 * skipped one.
 */
export function fromWall(zone: Zone, wallMs: number): number {
  const spans = zone.spans(wallMs - OFFSET_MS_MAX, wallMs + OFFSET_MS_MAX);
  for (const { fromMs, toMs, offsetMs } of spans) {
    if (fromMs + offsetMs >= wallMs) return fromMs;
    if (wallMs - offsetMs < toMs) return wallMs - offsetMs;
  }
  return wallMs; // unreachable: the last span is 16 hours away
}

export function floorWall(wallMs: number, unit: CalendarUnit): number {
  const day = Math.floor(wallMs / DAY_MS);
  if (unit === 'day') return day * DAY_MS;
  if (unit === 'week') return (day - modulo(day + DAYS_FROM_MONDAY_TO_EPOCH, 7)) * DAY_MS;
  const date = new Date(wallMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** Counts the days between two instants in the zone's local time: a day of 25 hours is one. */
export function daysBetween(zone: Zone, fromMs: number, toMs: number): number {
  return (toWall(zone, toMs) - toWall(zone, fromMs)) / DAY_MS;
}

/** Adds to a local time. The day of the month stays, or becomes the last of a shorter month. */
export function addToWall(wallMs: number, count: number, unit: CalendarUnit): number {
  if (unit === 'day') return wallMs + count * DAY_MS;
  if (unit === 'week') return wallMs + count * 7 * DAY_MS;
  const date = new Date(wallMs);
  const month = date.getUTCMonth() + count;
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  return Date.UTC(date.getUTCFullYear(), month, day) + modulo(wallMs, DAY_MS);
}

/** Returns the start of the day, week or month of an instant. */
export function startOf(zone: Zone, instantMs: number, unit: CalendarUnit): number {
  return fromWall(zone, floorWall(toWall(zone, instantMs), unit));
}

/** Returns the start of the day that is a number of days, weeks or months away from an instant's day. */
export function dayStart(zone: Zone, instantMs: number, count: number, unit: CalendarUnit = 'day'): number {
  return fromWall(zone, addToWall(floorWall(toWall(zone, instantMs), 'day'), count, unit));
}

/** Formats local time with the offset: `2026-11-20T13:00:00+01:00`. */
export function toLocalText(zone: Zone, instantMs: number): string {
  const offsetMs = zone.offsetMs(instantMs);
  const wall = new Date(instantMs + offsetMs).toISOString().slice(0, 19);
  const minutes = Math.abs(Math.trunc(offsetMs / MINUTE_MS));
  const sign = offsetMs < 0 ? '-' : '+';
  return `${wall}${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
