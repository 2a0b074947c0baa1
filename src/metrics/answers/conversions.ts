import type { Analytics } from '../../analytics/analytics.ts';
import type { Figures } from '../../analytics/interface/query.ts';
import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { type Dimension, EVENT_DIMENSIONS, type GoalMetric } from '../../vocabulary/analytics.ts';
import type { Series } from '../question/selection.ts';
import { findLists } from './values.ts';
import { NO_FIGURES } from './wire.ts';

type Conversions = Record<GoalMetric, number>;
export type RowGoalFigures = Partial<Conversions> & {
  groupConversionRate?: number;
  goalVisitors?: number;
  goalRate?: number | null;
};
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

export const isOfEvents = (dimension: Dimension) =>
  dimension.startsWith('property:') || EVENT_DIMENSIONS.some((name) => name === dimension);

type GoalList = { dimension: Dimension; rows: readonly (Figures & { value: string | null })[] };

/**
 * Adds the goal's figures to the rows of some lists: those of the events that reach it and have the value, and the visitors
 * who reached it in a visit that has the value. One question for all lists, and one more for dimensions of events.
 *
 * @param visitors visitors of the whole selection, the denominator of `conversionRate`
 */
export async function addToLists<List extends GoalList>(
  analytics: Analytics,
  { selection, goal }: { selection: Selection; goal?: CountedGoal | undefined },
  lists: readonly List[],
  visitors: number,
): Promise<(List['rows'][number] & RowGoalFigures)[][]> {
  if (!goal) return lists.map(({ rows }) => [...rows]);
  const ofEvents = lists.filter(({ dimension }) => isOfEvents(dimension));
  const [reached, inVisit] = await Promise.all([
    findLists(analytics, narrow(selection, goal.condition), lists),
    findLists(analytics, narrow(selection, { op: 'has_done', filter: goal.condition }), ofEvents),
  ]);
  return lists.map((list, index) =>
    list.rows.map((row) => {
      const figures = reached[index]?.get(row.value) ?? NO_FIGURES;
      const conversions = toConversions(visitors, figures);
      const ofVisits = inVisit[ofEvents.indexOf(list)];
      const goalVisitors = ofVisits ? (ofVisits.get(row.value)?.visitors ?? 0) : conversions.converters;
      return {
        ...row,
        ...conversions,
        groupConversionRate: toRate(conversions.converters, row.visitors),
        goalVisitors,
        goalRate: row.visitors === 0 ? null : goalVisitors / row.visitors,
      };
    }),
  );
}

/** Does the same for one list. */
export async function addToRows<Row extends Figures & { value: string | null }>(
  analytics: Analytics,
  asked: { selection: Selection; goal?: CountedGoal | undefined },
  dimension: Dimension,
  rows: readonly Row[],
  visitors: number,
): Promise<(Row & RowGoalFigures)[]> {
  const [found = []] = await addToLists(analytics, asked, [{ dimension, rows }], visitors);
  return found;
}
