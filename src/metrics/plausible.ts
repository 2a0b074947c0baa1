import type { Analytics } from '../analytics/analytics.ts';
import type { PlausibleAnswer } from '../contract/plausible.ts';
import type { Interval } from '../contract/vocabulary.ts';
import type { WebsiteRow } from '../websites/store.ts';
import { toLocalText } from './calendar.ts';
import { METRIC_OF, toPlausibleValue } from './plausible-names.ts';
import type { PlausibleRequest } from './plausible-request.ts';
import { findRows, type PlausibleRow } from './plausible-rows.ts';
import { toSelection } from './selection.ts';
import type { Zone } from './zone.ts';

/** Answers a question in the form of Plausible's Stats API v2. */
export async function answerPlausible(
  analytics: Analytics,
  website: Pick<WebsiteRow, 'key'>,
  siteId: string,
  request: PlausibleRequest,
): Promise<PlausibleAnswer> {
  const { range, metrics, dimensions, filter, orderBy, include, pagination } = request;
  const { fromMs, toMs, zone } = range;
  const selection = toSelection({ websiteKey: website.key, fromMs, toMs, filter });
  const { rows, totals, paged } = await findRows({ analytics, selection, request });
  const { limit, offset } = pagination;
  const page = paged ? rows : inOrder(rows, request).slice(offset, offset + limit);
  return {
    results: page.map(({ keys, figures }) => ({
      dimensions: keys.map((key, index) => toText(request, zone, key, index)),
      metrics: metrics.map((metric) => METRIC_OF[metric]({ ...figures, allVisitors: totals.visitors })),
    })),
    meta: {
      ...(include.imports && { imports_included: false, imports_skip_reason: 'no_imported_data' }),
      ...(include.time_labels && { time_labels: toTimeLabels(request) }),
      ...(include.total_rows && { total_rows: paged?.total ?? rows.length }),
    },
    query: {
      site_id: siteId,
      metrics,
      date_range: [toLocalText(zone, fromMs), toLocalText(zone, toMs - 1)],
      dimensions: dimensions.map(({ name }) => name),
      filters: request.filters,
      order_by: orderBy.map(({ name, descending }) => [name, descending ? 'desc' : 'asc']),
      include,
      pagination,
    },
  };
}

function inOrder(rows: PlausibleRow[], { orderBy, dimensions, metrics }: PlausibleRequest): PlausibleRow[] {
  const columns = orderBy.map(({ name, descending }) => {
    const index = dimensions.findIndex((dimension) => dimension.name === name);
    const metric = metrics.find((metric) => metric === name);
    const keyOf = (row: PlausibleRow) =>
      metric ? METRIC_OF[metric]({ ...row.figures, allVisitors: 1 }) : (row.keys[index] ?? '');
    return { keyOf, sign: descending ? -1 : 1 };
  });
  return rows.toSorted((a, b) => {
    for (const { keyOf, sign } of columns) {
      const order = compare(keyOf(a), keyOf(b));
      if (order !== 0) return sign * order;
    }
    return compareAll(a.keys, b.keys);
  });
}

type Key = number | string | null;

function compareAll(a: Key[], b: Key[]): number {
  for (const [index, key] of a.entries()) {
    const order = compare(key ?? '', b[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** Keys of one column are of one type. */
function compare(a: number | string, b: number | string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function toText({ dimensions }: PlausibleRequest, zone: Zone, key: Key, index: number): string {
  const dimension = dimensions[index];
  if (dimension?.kind === 'time') return toTimeLabel(zone, Number(key), dimension.series.interval);
  return dimension ? toPlausibleValue(dimension.dimension, key === null ? null : String(key)) : '';
}

function toTimeLabels({ dimensions, range }: PlausibleRequest): string[] {
  const time = dimensions.find((dimension) => dimension.kind === 'time');
  if (!time) return [];
  const { bounds, interval } = time.series;
  return bounds.slice(0, -1).map((startMs) => toTimeLabel(range.zone, startMs, interval));
}

/** `2026-11-20`; of hours and minutes `2026-11-20 13:00:00`, as the walls show it. */
function toTimeLabel(zone: Zone, startMs: number, interval: Interval): string {
  const local = toLocalText(zone, startMs);
  const isClock = interval === 'hour' || interval === 'minute';
  return isClock ? local.slice(0, 19).replace('T', ' ') : local.slice(0, 10);
}
