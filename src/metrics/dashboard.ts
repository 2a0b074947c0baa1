import type { Analytics, Breakdown } from '../analytics/analytics.ts';
import type { Dashboard } from '../contract/metrics-dashboard.ts';
import type { AskedTimeseries } from './selection.ts';
import { toBreakdownRows, toSeriesAnswer, toTotals } from './stats.ts';
import { NO_FIGURES } from './wire.ts';

/** All that a dashboard shows at once, from one pass; the earlier range takes a second one. */
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
  const { comparison } = toTotals(totals, compared && { range: compared.range, totals: before?.totals });
  return {
    range,
    totals,
    points,
    breakdowns: (now.breakdowns ?? []).map((answer) => ({
      dimension: answer.dimension,
      rows: toBreakdownRows(answer, totals),
      total: answer.total,
    })),
    ...(comparison && earlierSeries && { comparison: { ...comparison, ...earlierSeries } }),
  };
}
