import type { Analytics, Breakdown } from '../../analytics/analytics.ts';
import type { Dashboard } from '../../contract/metrics-dashboard.ts';
import type { AskedTimeseries } from '../question/selection.ts';
import { compareRows, toBreakdownRows, toSeriesAnswer, toTotals } from './stats.ts';
import { NO_FIGURES } from './wire.ts';

/** All that a dashboard shows at once, from one pass; the earlier range takes a second one, and one for each list. */
export async function answerDashboard(
  analytics: Analytics,
  asked: AskedTimeseries,
  breakdowns: Breakdown[],
): Promise<Dashboard> {
  const { selection, compared, series, comparedSeries } = asked;
  const [now, before] = await Promise.all([
    analytics.query({ ...selection, totals: true, series, breakdowns }),
    compared &&
      analytics.query({
        ...compared.selection,
        totals: true,
        ...(comparedSeries && { series: comparedSeries }),
      }),
  ]);
  const { totals = NO_FIGURES } = now;
  const { range, points, comparison: earlierSeries } = toSeriesAnswer(asked, now.series, before?.series);
  const { comparison } = toTotals(totals, compared && { ...compared, totals: before?.totals });
  const lists = (now.breakdowns ?? []).map(async (answer) => {
    const { dimension, total } = answer;
    const rows = toBreakdownRows(answer, totals);
    return {
      dimension,
      rows: compared ? await compareRows(analytics, compared, dimension, rows) : rows,
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
