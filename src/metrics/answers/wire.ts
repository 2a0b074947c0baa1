import type { Figures } from '../../analytics/interface/query.ts';
import type { Point } from '../../contract/metrics/figures.ts';
import {
  GOAL_METRICS,
  GOAL_SORTS,
  type GoalMetric,
  METRICS,
  type Metric,
} from '../../vocabulary/analytics.ts';
import type { Asked, Series } from '../question/selection.ts';
import { toLocalText } from '../time/calendar.ts';
import type { Compared } from '../time/comparison.ts';
import type { Range } from '../time/range.ts';

export function toInstant(instantMs: number): string {
  return new Date(instantMs).toISOString();
}

export function toRange({ fromMs, toMs, zone }: Range) {
  return { from: toInstant(fromMs), to: toInstant(toMs), timezone: zone.name };
}

export function toComparison({ range, untilMs }: Compared) {
  return { range: toRange(range), ...(untilMs !== undefined && { until: toInstant(untilMs) }) };
}

/** Returns the change in percent with one decimal; null when the earlier figure was 0. */
export function toChange(now: Changing, before: Changing): Change {
  const ofGoal = [...GOAL_METRICS, ...GOAL_SORTS].filter((metric) => now[metric] !== undefined);
  const metrics = [...METRICS, ...ofGoal];
  const entries = metrics.map((metric) => [metric, changeOf(now[metric] ?? 0, before[metric] ?? 0)] as const);
  // Keys are exactly the metrics.
  return Object.fromEntries(entries) as Change;
}

type RowGoal = 'goalVisitors' | 'goalRate';
type Changing = Figures & Partial<Record<GoalMetric, number>> & Partial<Record<RowGoal, number | null>>;
type Change = Record<Metric, number | null> & Partial<Record<GoalMetric | RowGoal, number | null>>;

export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10;
}

/** Converts figures bucket by bucket; `figures` are in the order of the bounds. */
export function toPoints(
  { range, nowMs }: Pick<Asked, 'range' | 'nowMs'>,
  { bounds }: Series,
  figures: readonly Figures[],
): Point[] {
  const { fromMs, toMs, zone } = range;
  return figures.map((figure, index) => {
    const startMs = bounds[index] ?? fromMs;
    const endMs = bounds[index + 1] ?? toMs;
    return {
      time: toInstant(startMs),
      local: toLocalText(zone, startMs),
      incomplete: startMs < fromMs || endMs > toMs || endMs > nowMs,
      ...figure,
    };
  });
}

export const NO_FIGURES: Figures = {
  visitors: 0,
  visits: 0,
  pageviews: 0,
  events: 0,
  viewsPerVisit: 0,
  bounceRate: 0,
  visitDuration: 0,
};
