import type {
  Analytics,
  BreakdownAnswer,
  Breakdown as BreakdownRequest,
  Figures,
} from '../../analytics/analytics.ts';
import type { Breakdown, BreakdownRow, Series, Totals, Values } from '../../contract/metrics.ts';
import type { Asked, Series as AskedSeries, AskedTimeseries } from '../question/selection.ts';
import type { Compared } from '../time/comparison.ts';
import type { Range } from '../time/range.ts';
import { NO_FIGURES, toChange, toComparison, toPoints, toRange } from './wire.ts';

export type AskedBreakdown = BreakdownRequest & { limit: number; offset: number };

export async function answerTotals(analytics: Analytics, asked: Asked): Promise<Totals> {
  const { range, selection, compared } = asked;
  const [now, before] = await Promise.all([
    analytics.query({ ...selection, totals: true }),
    compared && analytics.query({ ...compared.selection, totals: true }),
  ]);
  return {
    range: toRange(range),
    ...toTotals(now.totals, compared && { ...compared, totals: before?.totals }),
  };
}

export function toTotals(
  totals: Figures = NO_FIGURES,
  before?: (Compared & { totals: Figures | undefined }) | undefined,
): Omit<Totals, 'range'> {
  if (!before) return totals;
  const { totals: earlier = NO_FIGURES } = before;
  return {
    ...totals,
    comparison: { ...toComparison(before), ...earlier, change: toChange(totals, earlier) },
  };
}

export async function answerTimeseries(analytics: Analytics, asked: AskedTimeseries): Promise<Series> {
  const { selection, compared, series, comparedSeries } = asked;
  const [now, before] = await Promise.all([
    analytics.query({ ...selection, series }),
    compared && comparedSeries && analytics.query({ ...compared.selection, series: comparedSeries }),
  ]);
  return toSeriesAnswer(asked, now.series, before?.series);
}

export function toSeriesAnswer(
  { range, compared, series, comparedSeries, nowMs }: AskedTimeseries,
  now: Figures[] = [],
  before: Figures[] = [],
): Series {
  const answer = (range: Range, series: AskedSeries, figures: Figures[]) => ({
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

/** The shares are of the totals of the same pass, so a search does not change them. */
export async function answerBreakdown(
  analytics: Analytics,
  asked: Asked,
  breakdown: AskedBreakdown,
): Promise<Breakdown> {
  const { range, selection, compared } = asked;
  const { totals, breakdowns } = await analytics.query({
    ...selection,
    totals: true,
    breakdowns: [breakdown],
  });
  const { dimension, limit, offset } = breakdown;
  const found: BreakdownAnswer = breakdowns?.[0] ?? { dimension, rows: [], total: 0 };
  const rows = toBreakdownRows(found, totals);
  return {
    range: toRange(range),
    dimension,
    rows: compared ? await compareRows(analytics, compared, dimension, rows) : rows,
    pagination: { total: found.total, limit, offset },
    ...(compared && { comparison: toComparison(compared) }),
  };
}

export function toBreakdownRows({ rows }: BreakdownAnswer, totals: Figures = NO_FIGURES): BreakdownRow[] {
  return rows.map((row) => ({ ...row, share: totals.visitors === 0 ? 0 : row.visitors / totals.visitors }));
}

/** The same values in the earlier range, however far down they were there. */
export async function compareRows(
  analytics: Analytics,
  { selection }: NonNullable<Asked['compared']>,
  dimension: BreakdownRequest['dimension'],
  rows: BreakdownRow[],
): Promise<BreakdownRow[]> {
  if (rows.length === 0) return [];
  const isOneOfThem = {
    op: 'match',
    dimension,
    operator: 'is',
    values: rows.map(({ value }) => value ?? ''),
  } as const;
  const { breakdowns } = await analytics.query({
    ...selection,
    filter: selection.filter ? { op: 'and', filters: [selection.filter, isOneOfThem] } : isOneOfThem,
    breakdowns: [{ dimension, limit: rows.length, withAbsent: true }],
  });
  const before = new Map(breakdowns?.[0]?.rows.map(({ value, ...figures }) => [value, figures]));
  return rows.map((row) => {
    const earlier = before.get(row.value) ?? NO_FIGURES;
    return { ...row, comparison: { ...earlier, change: toChange(row, earlier) } };
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
