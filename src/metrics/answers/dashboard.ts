import type { Analytics, Breakdown, QueryAnswer, Selection } from '../../analytics/analytics.ts';
import type { Dashboard } from '../../contract/metrics-dashboard.ts';
import type { CountedGoal } from '../../goals/service.ts';
import type { AskedTimeseries, Series } from '../question/selection.ts';
import { addToPoints, addToRows, findTotals, type GoalFigures } from './conversions.ts';
import { compareRows, toBreakdownRows, toSeriesAnswer, toTotals } from './stats.ts';
import { NO_FIGURES } from './wire.ts';

/** All that a dashboard shows at once, from one pass; the earlier range takes a second one, and one for each list. */
export async function answerDashboard(
  analytics: Analytics,
  asked: AskedTimeseries,
  breakdowns: Breakdown[],
): Promise<Dashboard> {
  const { selection, compared, series, comparedSeries, goal } = asked;
  const [now, before] = await Promise.all([
    analytics.query({ ...selection, totals: true, series, breakdowns }),
    compared &&
      analytics.query({
        ...compared.selection,
        totals: true,
        ...(comparedSeries && { series: comparedSeries }),
      }),
  ]);
  const [reached, reachedBefore] = await Promise.all([
    addGoal(analytics, selection, series, now, goal),
    compared && before && addGoal(analytics, compared.selection, comparedSeries, before, goal),
  ]);
  const { totals } = reached;
  const {
    range,
    points,
    comparison: earlierSeries,
  } = toSeriesAnswer(asked, reached.points, reachedBefore?.points);
  const { comparison } = toTotals(totals, compared && { ...compared, totals: reachedBefore?.totals });
  const lists = (now.breakdowns ?? []).map(async (answer) => {
    const { dimension, total } = answer;
    const shared = toBreakdownRows(answer, totals);
    const rows = await addToRows(analytics, asked, dimension, shared, totals.visitors);
    return {
      dimension,
      rows: compared ? await compareRows(analytics, asked, compared, dimension, rows) : rows,
      total,
    };
  });
  return {
    range,
    totals,
    points,
    breakdowns: await Promise.all(lists),
    ...(comparison && earlierSeries && { comparison: { ...comparison, ...earlierSeries } }),
  };
}

/** The same totals and points, with those of the goal. */
async function addGoal(
  analytics: Analytics,
  selection: Selection,
  series: Series | undefined,
  { totals = NO_FIGURES, series: points = [] }: QueryAnswer,
  goal: CountedGoal | undefined,
): Promise<{ totals: GoalFigures; points: GoalFigures[] }> {
  if (!goal) return { totals, points };
  const [withGoal, pointsWithGoal] = await Promise.all([
    findTotals(analytics, selection, goal),
    series ? addToPoints(analytics, selection, series, points, goal) : points,
  ]);
  return { totals: withGoal, points: pointsWithGoal };
}
