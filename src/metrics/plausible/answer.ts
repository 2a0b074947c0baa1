import type { Analytics } from '../../analytics/analytics.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import type { PlausibleAnswer } from '../../contract/plausible.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { toLocalText } from '../time/calendar.ts';
import type { Range } from '../time/range.ts';
import { createAsk } from './ask.ts';
import { type ImportDeps, includeImports } from './imports.ts';
import { isRevenue, METRIC_OF } from './metrics.ts';
import { findPage } from './page.ts';
import type { PlausibleRequest, TimeDimension } from './request.ts';
import { findRowsRevenue } from './revenue.ts';
import { findTotals } from './rows.ts';

type Website = Pick<WebsiteRow, 'key'>;

/** Answers a question in the form of Plausible's Stats API v2. */
export async function answerPlausible(
  analytics: Analytics,
  website: Website,
  siteId: string,
  request: PlausibleRequest,
  imports: ImportDeps,
): Promise<PlausibleAnswer> {
  const { others: withoutGoals, ...asked } = request;
  const { range, metrics, dimensions, orderBy, include, pagination } = asked;
  const ask = createAsk(analytics);
  const whole: Selection = { websiteKey: website.key, fromMs: range.fromMs, toMs: range.toMs };
  const selection = { ...whole, filter: request.filter };
  const others = metrics.some((metric) => metric.endsWith('conversion_rate'))
    ? { ...whole, filter: withoutGoals }
    : undefined;
  const page = await findPage(ask, selection, { ...asked, ...(others && { others }) });
  const { found, skipReason } = include.imports
    ? await includeImports(imports, selection, page, request)
    : { found: page, skipReason: undefined };
  const { rows, total } = found;
  const goalVisitors = others ? (await findTotals(ask, others)).visitors : 0;
  const needsAll = metrics.includes('percentage');
  const allVisitors = needsAll ? (await findTotals(ask, selection)).visitors : 0;
  const { ofRows, warnings } = await findRowsRevenue(ask, rows, request);
  const time = dimensions.find((dimension) => dimension.kind === 'time');
  return {
    results: rows.map(({ keys, figures }, index) => ({
      dimensions: keys.map((key) =>
        time && typeof key === 'number' ? toTimeLabel(range, time, key) : String(key),
      ),
      metrics: metrics.map((metric) =>
        isRevenue(metric)
          ? (ofRows[index]?.[metric] ?? null)
          : METRIC_OF[metric]({ ...figures, allVisitors, goalVisitors }),
      ),
    })),
    meta: {
      ...(Object.keys(warnings).length > 0 && { metric_warnings: warnings }),
      ...(include.imports && {
        imports_included: skipReason === undefined,
        ...(skipReason && { imports_skip_reason: skipReason }),
      }),
      ...(include.time_labels && { time_labels: time ? toTimeLabels(range, time) : [] }),
      ...(include.total_rows && { total_rows: total }),
    },
    query: {
      site_id: siteId,
      metrics,
      date_range: [toLocalText(range.zone, range.fromMs), toLocalText(range.zone, range.toMs - 1)],
      dimensions: dimensions.map(({ name }) => name),
      filters: request.filters,
      order_by: orderBy.map(({ name, descending }) => [name, descending ? 'desc' : 'asc']),
      include,
      pagination,
    },
  };
}

function toTimeLabels(range: Range, time: TimeDimension): string[] {
  return time.series.bounds.slice(0, -1).map((startMs) => toTimeLabel(range, time, startMs));
}

/**
 * Formats a time label: `2026-11-20`, or for hours and minutes `2026-11-20 13:00:00`, in local time. A week never begins
 * before the range.
 */
export function toTimeLabel(
  { zone, fromMs }: Range,
  { series: { interval } }: TimeDimension,
  startMs: number,
) {
  const local = toLocalText(zone, interval === 'week' ? Math.max(startMs, fromMs) : startMs);
  const isClock = interval === 'hour' || interval === 'minute';
  return isClock ? local.slice(0, 19).replace('T', ' ') : local.slice(0, 10);
}
