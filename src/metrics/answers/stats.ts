import type { Analytics } from '../../analytics/analytics.ts';
import type {
  BreakdownAnswer,
  Breakdown as BreakdownRequest,
  Figures,
} from '../../analytics/interface/query.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import type { Breakdown, Series, Totals, Values } from '../../contract/metrics/stats.ts';
import type { Asked, Series as AskedSeries, AskedTimeseries } from '../question/selection.ts';
import type { Compared } from '../time/comparison.ts';
import type { Range } from '../time/range.ts';
import { addToPoints, addToRows, findTotals, type GoalFigures, type RowGoalFigures } from './conversions.ts';
import { type Ranked, rankRows } from './ranked-rows.ts';
import { addRevenueToPoints, addRevenueToRows, findRevenue } from './revenue.ts';
import { findValues } from './values.ts';
import { NO_FIGURES, toChange, toComparison, toPoints, toRange } from './wire.ts';

export type AskedBreakdown = BreakdownRequest & { limit: number; offset: number };

export async function answerTotals(analytics: Analytics, asked: Asked): Promise<Totals> {
  const { range, selection, compared, goal, withRevenue } = asked;
  const [now, before, revenue, revenueBefore] = await Promise.all([
    findTotals(analytics, selection, goal),
    compared && findTotals(analytics, compared.selection, goal),
    withRevenue ? findRevenue(analytics, selection) : undefined,
    withRevenue && compared ? findRevenue(analytics, compared.selection) : undefined,
  ]);
  const { comparison, ...totals } = toTotals(now, compared && { ...compared, totals: before });
  return {
    range: toRange(range),
    ...totals,
    ...(revenue && { revenue }),
    ...(comparison && { comparison: { ...comparison, ...(revenueBefore && { revenue: revenueBefore }) } }),
  };
}

export function toTotals(
  totals: GoalFigures = NO_FIGURES,
  before?: (Compared & { totals: GoalFigures | undefined }) | undefined,
): Omit<Totals, 'range'> {
  if (!before) return totals;
  const { totals: earlier = NO_FIGURES } = before;
  return {
    ...totals,
    comparison: { ...toComparison(before), ...earlier, change: toChange(totals, earlier) },
  };
}

export async function answerTimeseries(analytics: Analytics, asked: AskedTimeseries): Promise<Series> {
  const { selection, compared, series, comparedSeries, goal, withRevenue } = asked;
  const ask = async (selected: Selection, points: AskedSeries) => {
    const { series: figures = [] } = await analytics.query({ ...selected, series: points });
    return addToPoints(analytics, selected, points, figures, goal);
  };
  const [now, before] = await Promise.all([
    ask(selection, series),
    compared && comparedSeries && ask(compared.selection, comparedSeries),
  ]);
  const answer = toSeriesAnswer(asked, now, before);
  if (!withRevenue) return answer;
  return { ...answer, points: await addRevenueToPoints(analytics, selection, series, answer.points) };
}

export function toSeriesAnswer(
  { range, compared, series, comparedSeries, nowMs }: AskedTimeseries,
  now: GoalFigures[] = [],
  before: GoalFigures[] = [],
): Series {
  const answer = (range: Range, series: AskedSeries, figures: GoalFigures[]) => ({
    range: { ...toRange(range), interval: series.interval },
    points: toPoints({ range, nowMs }, series, figures),
  });
  return {
    ...answer(range, series, now),
    ...(compared &&
      comparedSeries && {
        comparison: { ...toComparison(compared), ...answer(compared.range, comparedSeries, before) },
      }),
  };
}

/** Answers a breakdown. Shares are of the totals of the same pass, so that a search does not change them. */
export async function answerBreakdown(
  analytics: Analytics,
  asked: Asked,
  { ranked, ...breakdown }: AskedBreakdown & { ranked?: Ranked },
): Promise<Breakdown> {
  const { range, selection, compared } = asked;
  const { dimension, limit, offset } = breakdown;
  const { totals, answer: found } = ranked
    ? await rankRows(analytics, asked, breakdown, ranked)
    : await askBreakdown(analytics, selection, breakdown);
  const shared = toBreakdownRows(found, totals);
  const reached = await addToRows(analytics, asked, dimension, shared, totals?.visitors ?? 0);
  const rows = asked.withRevenue ? await addRevenueToRows(analytics, selection, dimension, reached) : reached;
  return {
    range: toRange(range),
    dimension,
    rows: compared ? await compareRows(analytics, asked, compared, dimension, rows) : rows,
    pagination: { total: found.total, limit, offset },
    ...(compared && { comparison: toComparison(compared) }),
  };
}

async function askBreakdown(analytics: Analytics, selection: Selection, breakdown: AskedBreakdown) {
  const { totals, breakdowns } = await analytics.query({
    ...selection,
    totals: true,
    breakdowns: [breakdown],
  });
  const none: BreakdownAnswer = { dimension: breakdown.dimension, rows: [], total: 0 };
  return { totals, answer: breakdowns?.[0] ?? none };
}

export function toBreakdownRows({ rows }: BreakdownAnswer, totals: Figures = NO_FIGURES): BreakdownRow[] {
  return rows.map((row) => ({ ...row, share: totals.visitors === 0 ? 0 : row.visitors / totals.visitors }));
}

/** Finds the same values in the earlier range, whatever their rank there. @param known figures that were found before */
export async function compareRows(
  analytics: Analytics,
  { goal }: Pick<Asked, 'goal'>,
  { selection }: NonNullable<Asked['compared']>,
  dimension: BreakdownRequest['dimension'],
  rows: BreakdownRow[],
  known?: ReadonlyMap<string | null, Figures>,
): Promise<BreakdownRow[]> {
  const before = known ?? (await findValues(analytics, selection, dimension, rows));
  const found = rows.map(({ value }) => ({ value, ...(before.get(value) ?? NO_FIGURES) }));
  const visitors = goal ? (await findTotals(analytics, selection, undefined)).visitors : 0;
  return toCompared(rows, await addToRows(analytics, { selection, goal }, dimension, found, visitors));
}

/** @param earlier the same values in the earlier range */
export function toCompared(
  rows: readonly BreakdownRow[],
  earlier: readonly (Figures & RowGoalFigures & { value: string | null })[],
): BreakdownRow[] {
  return rows.map((row, index) => {
    const {
      value: _,
      groupConversionRate: _rate,
      ...figures
    } = earlier[index] ?? { value: null, ...NO_FIGURES };
    return { ...row, comparison: { ...figures, change: toChange(row, figures) } };
  });
}

export async function answerValues(
  analytics: Analytics,
  { range, selection }: Asked,
  request: { dimension: BreakdownRequest['dimension']; search?: string; limit: number },
): Promise<Values> {
  return {
    range: toRange(range),
    dimension: request.dimension,
    values: await analytics.values({ ...selection, ...request }),
  };
}
