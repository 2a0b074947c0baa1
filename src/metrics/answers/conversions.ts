import type { Analytics } from '../../analytics/analytics.ts';
import type { Figures } from '../../analytics/interface/query.ts';
import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import type { CountedGoal } from '../../goals/service.ts';
import type { GoalMetric } from '../../vocabulary/analytics.ts';
import type { Series } from '../question/selection.ts';
import { findValues } from './values.ts';
import { NO_FIGURES } from './wire.ts';

type Conversions = Record<GoalMetric, number>;
/** Figures of a selection, with those of a goal when one is requested. */
export type GoalFigures = Figures & Partial<Conversions>;

/** Adds a condition to a selection. */
export function narrow(selection: Selection, filter: Filter): Selection {
  const { filter: own } = selection;
  return { ...selection, filter: own ? { op: 'and', filters: [own, filter] } : filter };
}

/** @param reached figures of the events that reach the goal */
export function toConversions(visitors: number, { events, visitors: converters }: Figures): Conversions {
  return { conversions: events, converters, conversionRate: toRate(converters, visitors) };
}

function toRate(converters: number, visitors: number): number {
  return visitors === 0 ? 0 : converters / visitors;
}

export async function findTotals(
  analytics: Analytics,
  selection: Selection,
  goal: CountedGoal | undefined,
): Promise<GoalFigures> {
  if (!goal) return (await analytics.query({ ...selection, totals: true })).totals ?? NO_FIGURES;
  const { totals, rows } = await analytics.conditions({ ...selection, conditions: [goal.condition] });
  return { ...totals, ...toConversions(totals.visitors, rows[0] ?? NO_FIGURES) };
}

/** @param points points of the selection */
export async function addToPoints(
  analytics: Analytics,
  selection: Selection,
  series: Series,
  points: readonly Figures[],
  goal: CountedGoal | undefined,
): Promise<GoalFigures[]> {
  if (!goal) return [...points];
  const { series: reached = [] } = await analytics.query({ ...narrow(selection, goal.condition), series });
  return points.map((point, index) => ({
    ...point,
    ...toConversions(point.visitors, reached[index] ?? NO_FIGURES),
  }));
}

/** @param visitors visitors of the whole selection, the denominator of `conversionRate` */
export async function addToRows<Row extends Figures & { value: string | null }>(
  analytics: Analytics,
  asked: { selection: Selection; goal?: CountedGoal | undefined },
  breakdown: Parameters<typeof findValues>[2],
  rows: readonly Row[],
  visitors: number,
): Promise<(Row & Partial<Conversions> & { groupConversionRate?: number })[]> {
  const { selection, goal } = asked;
  if (!goal) return [...rows];
  const reached = await findValues(analytics, narrow(selection, goal.condition), breakdown, rows);
  return rows.map((row) => {
    const conversions = toConversions(visitors, reached.get(row.value) ?? NO_FIGURES);
    return {
      ...row,
      ...conversions,
      groupConversionRate: toRate(conversions.converters, row.visitors),
    };
  });
}
