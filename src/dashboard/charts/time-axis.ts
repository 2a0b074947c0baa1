import type { Interval } from '../../vocabulary/contract.ts';
import { DAY_MS, MINUTE_MS } from '../../vocabulary/durations.ts';
import { formatTick, toWallMs } from '../state/time-format.ts';

export type TimeLabel = { index: number; x: number; text: string };

/** Width of a letter of a label, and distance between two labels, in pixels. */
const LETTER_WIDTH = 6.6;
const LABEL_GAP = 16;

const CLOCK_STEPS_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720];
const DAY_STEPS = [1, 2, 3, 4];
const WEEK_STEPS = [1, 2, 3];
const MONTH_STEPS = [1, 2, 3, 6, 12];
const SUNDAY = 0;
const MONDAY = 1;
const SATURDAY = 6;

/**
 * Chooses the points to label: of the sets below, the one with the most labels that do not touch. The sets are
 * those of a calendar (full hours, midnights, Mondays, firsts of months), so labels are at round times.
 *
 * @param locals wall times of all points
 */
export function toTimeLabels(
  locals: readonly string[],
  interval: Interval,
  positions: readonly number[],
  width: number,
): TimeLabel[] {
  const toLabel = (index: number): TimeLabel => {
    const text = formatTick(locals[index] ?? '', interval);
    const half = (text.length * LETTER_WIDTH) / 2;
    return { index, text, x: Math.min(width - half, Math.max(half, positions[index] ?? 0)) };
  };
  const sets = calendarSets(locals.map(toWallMs), interval).filter((set) => set.length > 0);
  const most = width / LABEL_GAP;
  for (const set of sets) {
    if (set.length > most || (set.length < 2 && locals.length > 1)) continue;
    const labels = set.map(toLabel);
    if (labels.every((label, index) => isFree(labels[index - 1], label))) return labels;
  }
  return thin((sets[0] ?? []).map(toLabel));
}

function isFree(before: TimeLabel | undefined, { x, text }: TimeLabel): boolean {
  if (!before) return true;
  return x - before.x >= ((before.text.length + text.length) * LETTER_WIDTH) / 2 + LABEL_GAP;
}

/** Labels each point that fits from the left, when no set does. */
function thin(labels: TimeLabel[]): TimeLabel[] {
  const kept: TimeLabel[] = [];
  for (const label of labels) if (isFree(kept.at(-1), label)) kept.push(label);
  return kept;
}

/** Sets of indices, from the densest to the sparsest. */
function calendarSets(walls: readonly number[], interval: Interval): number[][] {
  const all = walls.map((_, index) => index);
  const wall = (index: number) => new Date(walls[index] ?? 0);
  const months = (indices: number[]) =>
    MONTH_STEPS.map((step) => indices.filter((index) => wall(index).getUTCMonth() % step === 0));
  if (interval === 'month') return months(all);

  if (interval === 'week') {
    const monthFirsts = all.filter((index) => wall(index).getUTCDate() <= 7);
    const anchor = monthFirsts[0] ?? 0;
    return [
      ...WEEK_STEPS.map((step) => all.filter((index) => (index - anchor) % step === 0)),
      ...months(monthFirsts),
    ];
  }

  const day = (index: number) => Math.floor((walls[index] ?? 0) / DAY_MS);
  const isDayStart = (index: number) =>
    index === 0 ? (walls[0] ?? 0) % DAY_MS === 0 : day(index) !== day(index - 1);
  const days = interval === 'day' ? all : all.filter(isDayStart);
  const firsts = days.filter((index) => wall(index).getUTCDate() === 1);
  const anchor = day(firsts[0] ?? days[0] ?? 0);
  const clocks = interval === 'day' ? [] : CLOCK_STEPS_MINUTES;
  return [
    ...clocks.map((step) => all.filter((index) => ((walls[index] ?? 0) / MINUTE_MS) % step === 0)),
    ...DAY_STEPS.map((step) => days.filter((index) => (day(index) - anchor) % step === 0)),
    days.filter((index) => wall(index).getUTCDay() === MONDAY),
    days.filter((index) => [1, 15].includes(wall(index).getUTCDate())),
    ...months(firsts),
  ];
}

const WEEKEND_POINTS_MAX = 800;

/** First and last index of each weekend, for points of a day or less; none where weekends would be too thin to see. */
export function toWeekends(
  points: readonly { local: string }[],
  interval: Interval,
): [first: number, last: number][] {
  if (!/^(day|hour)$/.test(interval) || points.length > WEEKEND_POINTS_MAX) return [];
  const stretches: [number, number][] = [];
  points.forEach(({ local }, index) => {
    if (![SATURDAY, SUNDAY].includes(new Date(toWallMs(local)).getUTCDay())) return;
    const open = stretches.at(-1);
    if (open?.[1] === index - 1) open[1] = index;
    else stretches.push([index, index]);
  });
  return stretches;
}
