import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../vocabulary/durations.ts';
import type { Zone } from './zone.ts';

/** Days, weeks and months of a time zone. Wall times are milliseconds, as if the wall were in UTC. */

export type CalendarUnit = 'day' | 'week' | 'month';

/** 1970-01-01 was a Thursday; weeks start on Monday. */
const DAYS_FROM_MONDAY_TO_EPOCH = 3;
/** More than any zone has been away from UTC. */
const OFFSET_MS_MAX = 16 * HOUR_MS;

export function toWall(zone: Zone, instantMs: number): number {
  return instantMs + zone.offsetMs(instantMs);
}

/**
 * The first instant at which the wall shows this time or a later one: of a time that is shown twice the earlier, of
 * one that is left out the end of the gap.
 */
export function fromWall(zone: Zone, wallMs: number): number {
  const spans = zone.spans(wallMs - OFFSET_MS_MAX, wallMs + OFFSET_MS_MAX);
  for (const { fromMs, toMs, offsetMs } of spans) {
    if (fromMs + offsetMs >= wallMs) return fromMs;
    if (wallMs - offsetMs < toMs) return wallMs - offsetMs;
  }
  return wallMs; // not reached: the last span shows a time 16 hours away
}

export function floorWall(wallMs: number, unit: CalendarUnit): number {
  const day = Math.floor(wallMs / DAY_MS);
  if (unit === 'day') return day * DAY_MS;
  if (unit === 'week') return (day - modulo(day + DAYS_FROM_MONDAY_TO_EPOCH, 7)) * DAY_MS;
  const date = new Date(wallMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

/** How many days lie between two instants by the clocks of the zone: a day of 25 hours is one. */
export function daysBetween(zone: Zone, fromMs: number, toMs: number): number {
  return (toWall(zone, toMs) - toWall(zone, fromMs)) / DAY_MS;
}

/** The day of the month is kept, or becomes the last of a shorter month. */
export function addToWall(wallMs: number, count: number, unit: CalendarUnit): number {
  if (unit === 'day') return wallMs + count * DAY_MS;
  if (unit === 'week') return wallMs + count * 7 * DAY_MS;
  const date = new Date(wallMs);
  const month = date.getUTCMonth() + count;
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  return Date.UTC(date.getUTCFullYear(), month, day) + modulo(wallMs, DAY_MS);
}

/** The start of the day, week or month that an instant lies in. */
export function startOf(zone: Zone, instantMs: number, unit: CalendarUnit): number {
  return fromWall(zone, floorWall(toWall(zone, instantMs), unit));
}

/** The start of the day that is so many days, weeks or months away from the day of an instant. */
export function dayStart(zone: Zone, instantMs: number, count: number, unit: CalendarUnit = 'day'): number {
  return fromWall(zone, addToWall(floorWall(toWall(zone, instantMs), 'day'), count, unit));
}

/** The instant as its wall shows it, with the offset: `2026-11-20T13:00:00+01:00`. */
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
