import type { Comparison, ComparisonMatch, Period } from '../../vocabulary/contract.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { addToWall, dayStart, floorWall, fromWall, startOf, toWall } from './calendar.ts';
import type { Range } from './range.ts';

export type AskedComparison = {
  comparison: Exclude<Comparison, 'custom'>;
  /** Default: date. */
  match?: ComparisonMatch;
  /** Period that named the range. */
  period: Period | undefined;
  nowMs: number;
  /** The whole earlier range, even while the later one is running. */
  isWhole: boolean;
};

export type Compared = {
  range: Range;
  /** Current instant while the range is running: the earlier range is cut at the corresponding point. */
  untilMs: number | undefined;
};

/** Returns the range to compare with; none for `all`. A running range is compared up to now. */
export function toCompared(range: Range, asked: AskedComparison): Compared | undefined {
  const { comparison, match, period, nowMs, isWhole } = asked;
  if (period === 'all') return undefined;
  const dates = stepOf(range, comparison, period);
  const step = match === 'weekday' ? toWeeks(range, dates, period) : dates;
  const whole = rangeEarlier(range, step);
  const isRunning = range.fromMs <= nowMs && nowMs < range.toMs;
  if (isWhole || !isRunning) return { range: whole, untilMs: undefined };
  const cutMs = Math.min(instantEarlier(range, nowMs, step), whole.toMs);
  return { range: { ...whole, toMs: Math.max(whole.fromMs, cutMs) }, untilMs: nowMs };
}

/** Distance to the compared range. Days and months are those of the zone. */
type Step = { unit: 'ms' | 'day' | 'month'; count: number };

/**
 * Steps to the range of the same length that ends where this one begins: months for whole months, days for days (regardless
 * of daylight saving), otherwise milliseconds. The running month and year are compared with the same number of days of the
 * previous one.
 */
function stepOf(range: Range, comparison: Comparison, period: Period | undefined): Step {
  const { fromMs, toMs } = range;
  if (comparison === 'year') return { unit: 'month', count: 12 };
  if (!isInDays(range) || period === '24h') return { unit: 'ms', count: toMs - fromMs };
  const months = monthsOf(range, period);
  if (months !== undefined) return { unit: 'month', count: months };
  return { unit: 'day', count: Math.round((dateOf(range, toMs) - dateOf(range, fromMs)) / DAY_MS) };
}

/** Rounds up to whole weeks; a year is 52. A range of months keeps its dates. */
function toWeeks(range: Range, step: Step, period: Period | undefined): Step {
  if (monthsOf(range, period) !== undefined) return step;
  const isInTimes = period === '24h' || !isInDays(range);
  const [unit, week] = isInTimes ? (['ms', 7 * DAY_MS] as const) : (['day', 7] as const);
  const weeks = step.unit === 'month' ? 52 : Math.ceil(step.count / week);
  return { unit, count: weeks * week };
}

function monthsOf(range: Range, period: Period | undefined): number | undefined {
  if (period === 'month' || period === 'lastmonth') return 1;
  if (period === '6mo') return 6;
  if (period === 'year' || period === '12mo') return 12;
  const areWhole =
    period === undefined && isMonthStart(range, range.fromMs) && isMonthStart(range, range.toMs);
  return areWhole ? monthsBetween(dateOf(range, range.fromMs), dateOf(range, range.toMs)) : undefined;
}

function rangeEarlier(range: Range, { unit, count }: Step): Range {
  if (unit === 'month') return monthsEarlier(range, count);
  const { fromMs, toMs, zone } = range;
  const earlier = (instantMs: number) =>
    unit === 'ms' ? instantMs - count : dayStart(zone, instantMs, -count);
  return { zone, fromMs: earlier(fromMs), toMs: earlier(toMs) };
}

/** Returns the same days of earlier months. Whole months stay whole: the end of February becomes that of January. */
function monthsEarlier(range: Range, months: number): Range {
  const { fromMs, toMs, zone } = range;
  if (!isInDays(range)) {
    const earlier = (instantMs: number) =>
      fromWall(zone, addToWall(toWall(zone, instantMs), -months, 'month'));
    return { zone, fromMs: earlier(fromMs), toMs: earlier(toMs) };
  }
  const areWhole = isMonthStart(range, fromMs) && isMonthStart(range, toMs);
  const endMs = areWhole
    ? dayStart(zone, toMs, -months, 'month')
    : dayStart(zone, dayStart(zone, dayStart(zone, toMs, -1), -months, 'month'), 1);
  return { zone, fromMs: dayStart(zone, fromMs, -months, 'month'), toMs: endMs };
}

/**
 * Returns the same time of an earlier day. When a month lacks the day, it returns the month's end; but a range that begins
 * with that day is compared from the month's last day (29 February with the 28th).
 */
function instantEarlier(range: Range, instantMs: number, { unit, count }: Step): number {
  const { zone, fromMs } = range;
  if (unit === 'ms') return instantMs - count;
  const wallMs = toWall(zone, instantMs);
  const earlierMs = addToWall(wallMs, -count, unit);
  const isMissing = unit === 'month' && new Date(earlierMs).getUTCDate() !== new Date(wallMs).getUTCDate();
  const isFirstDay = dateOf(range, fromMs) === dateOf(range, instantMs);
  return fromWall(zone, isMissing && !isFirstDay ? floorWall(earlierMs, 'day') + DAY_MS : earlierMs);
}

function isInDays({ fromMs, toMs, zone }: Range): boolean {
  return startOf(zone, fromMs, 'day') === fromMs && startOf(zone, toMs, 'day') === toMs;
}

function isMonthStart({ zone }: Range, instantMs: number): boolean {
  return startOf(zone, instantMs, 'month') === instantMs;
}

/** Returns the local date, as if local time were UTC. */
function dateOf({ zone }: Range, instantMs: number): number {
  return floorWall(toWall(zone, instantMs), 'day');
}

function monthsBetween(fromDateMs: number, toDateMs: number): number {
  const [from, to] = [new Date(fromDateMs), new Date(toDateMs)];
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
}
