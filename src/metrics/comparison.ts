import type { Comparison, Period } from '../contract/vocabulary.ts';
import { addToWall, dayStart, floorWall, fromWall, startOf, toWall } from './calendar.ts';
import type { Range } from './range.ts';
import { DAY_MS } from './zone.ts';

/** What a range is compared with. */
export function toComparedRange(range: Range, comparison: Comparison, period: Period | undefined): Range {
  return comparison === 'year' ? monthsEarlier(range, 12) : previousRange(range, period);
}

/**
 * The range of the same length that ends where this one begins: whole months for whole months, days for days (however
 * long daylight saving makes them), else milliseconds. The running month and year are compared with as many days of
 * the one before.
 */
function previousRange(range: Range, period: Period | undefined): Range {
  const { fromMs, toMs, zone } = range;
  if (!isInDays(range) || period === '24h') return { zone, fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
  const months = monthsOf(range, period);
  if (months !== undefined) return monthsEarlier(range, months);
  const days = Math.round((dateOf(range, toMs) - dateOf(range, fromMs)) / DAY_MS);
  return { zone, fromMs: dayStart(zone, fromMs, -days), toMs: fromMs };
}

function monthsOf(range: Range, period: Period | undefined): number | undefined {
  if (period === 'month' || period === 'lastmonth') return 1;
  if (period === 'year' || period === '12mo') return 12;
  const areWhole =
    period === undefined && isMonthStart(range, range.fromMs) && isMonthStart(range, range.toMs);
  return areWhole ? monthsBetween(dateOf(range, range.fromMs), dateOf(range, range.toMs)) : undefined;
}

/** The same days of an earlier month: the end is that of the last day, and stays the end of a month. */
function monthsEarlier(range: Range, months: number): Range {
  const { fromMs, toMs, zone } = range;
  if (!isInDays(range)) {
    const earlier = (instantMs: number) =>
      fromWall(zone, addToWall(toWall(zone, instantMs), -months, 'month'));
    return { zone, fromMs: earlier(fromMs), toMs: earlier(toMs) };
  }
  const endMs = isMonthStart(range, toMs)
    ? dayStart(zone, toMs, -months, 'month')
    : dayStart(zone, dayStart(zone, dayStart(zone, toMs, -1), -months, 'month'), 1);
  return { zone, fromMs: dayStart(zone, fromMs, -months, 'month'), toMs: endMs };
}

function isInDays({ fromMs, toMs, zone }: Range): boolean {
  return startOf(zone, fromMs, 'day') === fromMs && startOf(zone, toMs, 'day') === toMs;
}

function isMonthStart({ zone }: Range, instantMs: number): boolean {
  return startOf(zone, instantMs, 'month') === instantMs;
}

/** The local date, as if the wall were in UTC. */
function dateOf({ zone }: Range, instantMs: number): number {
  return floorWall(toWall(zone, instantMs), 'day');
}

function monthsBetween(fromDateMs: number, toDateMs: number): number {
  const [from, to] = [new Date(fromDateMs), new Date(toDateMs)];
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}
