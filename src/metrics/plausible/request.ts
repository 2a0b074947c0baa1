import type { Filter } from '../../analytics/interface/selection.ts';
import {
  DIMENSIONS_MAX,
  PLAUSIBLE_METRICS,
  type PlausibleInclude,
  type PlausibleMetric,
  PlausibleSiteQuery,
  TIME_DIMENSIONS,
} from '../../contract/plausible.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { INTERVALS } from '../../vocabulary/contract.ts';
import { validationError } from '../../vocabulary/errors.ts';
import { quote } from '../question/dimensions.ts';
import type { Series } from '../question/selection.ts';
import { type Range, toSeries } from '../time/range.ts';
import { findValueDimension, VALID_DIMENSIONS, type ValueDimension } from './dimensions.ts';
import { readPlausibleFilters, sayUnknown } from './filters.ts';
import {
  type Fault,
  isRecord,
  type PlausiblePage,
  readInclude,
  readPagination,
  unknownNames,
} from './members.ts';
import { isRevenue } from './metrics.ts';
import { RANGE_FORM, readPlausibleRange, stepOf, trimRange } from './ranges.ts';
import { NO_GOAL, NO_REVENUE_ORDER, REFUSED_METRICS } from './refusals.ts';
import type { PlausibleSubject } from './subject.ts';

export type TimeDimension = { kind: 'time'; name: string; series: Series };
export type PlausibleDimension = TimeDimension | ValueDimension;
type PlausibleOrder = { name: string; descending: boolean };

export type PlausibleRequest = {
  range: Range;
  metrics: PlausibleMetric[];
  dimensions: PlausibleDimension[];
  filter: Filter;
  others: Filter;
  /** Filters as requested. */
  filters: unknown[];
  /** Never empty. */
  orderBy: PlausibleOrder[];
  include: PlausibleInclude;
  pagination: PlausiblePage;
};

/**
 * Reads a body in the form of Plausible's Stats API v2.
 *
 * @throws AppError VALIDATION_ERROR that names each faulty field and lists the valid names
 */
export async function readPlausibleRequest(
  body: unknown,
  subject: PlausibleSubject,
): Promise<PlausibleRequest> {
  if (!isRecord(body)) throw validationError('Invalid query', {}, ['Must be an object']);
  const faults = new Map<string, string[]>();
  const fault = (field: string, ...sentences: string[]) =>
    void faults.set(field, [...(faults.get(field) ?? []), ...sentences]);

  for (const name of unknownNames(body, BODY_NAMES)) fault(name, `Unknown. Valid: ${BODY_NAMES.join(', ')}`);
  if (body.site_id !== undefined && typeof body.site_id !== 'string') fault('site_id', 'Must be a text');
  const metrics = readMetrics(body.metrics, fault);
  const include = readInclude(body.include, fault);
  const whole = await readPlausibleRange(body.date_range, subject);
  if (!whole) fault('date_range', body.date_range === undefined ? `Required. ${RANGE_FORM}` : RANGE_FORM);
  const { zone, nowMs } = subject;
  const range = whole ?? { fromMs: nowMs, toMs: nowMs + 1, zone }; // replaces an unreadable range
  const trimmed = include.trim_relative_date_range ? trimRange(range, body.date_range, nowMs) : range;
  const dimensions = readDimensions(body.dimensions, { range, trimmed }, subject.goals, fault);
  if (metrics.includes('percentage') && isEmptyList(body.dimensions))
    fault('metrics', 'percentage needs dimensions');
  const { filters = [] } = body;
  const read = readPlausibleFilters(filters, subject);
  if ('faults' in read) fault('filters', ...read.faults);
  else if (!read.hasGoal && !dimensions.some((dimension) => dimension.kind === 'value' && dimension.isGoal))
    for (const metric of metrics.filter((name) => name.endsWith('conversion_rate')))
      fault('metrics', `${metric} ${NO_GOAL}`);
  const orderBy = readOrder(body.order_by, metrics, dimensions, fault);
  if (include.time_labels && whole && !dimensions.some(({ kind }) => kind === 'time'))
    fault('include', 'time_labels needs a time dimension');
  const pagination = readPagination(body.pagination, fault);
  if (faults.size > 0 || !('filter' in read))
    throw validationError('Invalid query', Object.fromEntries(faults));
  return {
    range: trimmed,
    metrics,
    dimensions,
    filter: read.filter,
    others: read.others,
    filters: Array.isArray(filters) ? filters : [],
    orderBy: orderBy ?? defaultOrder(metrics, dimensions),
    include,
    pagination,
  };
}

const BODY_NAMES = Object.keys(PlausibleSiteQuery.properties);

function readMetrics(value: unknown, fault: Fault): PlausibleMetric[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > PLAUSIBLE_METRICS.length) {
    fault('metrics', `Must be a list of 1 to ${PLAUSIBLE_METRICS.length} metrics. ${VALID_METRICS}`);
    return [];
  }
  return readMetricNames(value, fault);
}

const VALID_METRICS = `Valid: ${PLAUSIBLE_METRICS.join(', ')}`;

export function readMetricNames(names: unknown[], fault: Fault): PlausibleMetric[] {
  if (new Set(names).size < names.length) fault('metrics', 'Must not name a metric twice');
  return names.flatMap((name: unknown) => {
    const metric = PLAUSIBLE_METRICS.find((candidate) => candidate === name);
    const reason = REFUSED_METRICS.get(String(name));
    if (!metric) fault('metrics', reason ?? `Unknown metric ${quote(name)}. ${VALID_METRICS}`);
    return metric ?? [];
  });
}

type Ranges = { range: Range; trimmed: Range };

function readDimensions(
  value: unknown,
  ranges: Ranges,
  goals: readonly CountedGoal[],
  fault: Fault,
): PlausibleDimension[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > DIMENSIONS_MAX) {
    fault('dimensions', `Must be a list of at most ${DIMENSIONS_MAX} dimensions`);
    return [];
  }
  const dimensions = value.flatMap((name: unknown): PlausibleDimension[] => {
    const found = TIME_DIMENSIONS.some((candidate) => candidate === name)
      ? toTimeDimension(String(name), ranges)
      : (findValueDimension(name, goals) ?? sayUnknown(name, VALID_DIMENSIONS));
    if (typeof found !== 'string') return [found];
    fault('dimensions', found);
    return [];
  });
  if (new Set(value).size < value.length) fault('dimensions', 'Must not name a dimension twice');
  else if (dimensions.filter(({ kind }) => kind === 'time').length > 1)
    fault('dimensions', 'Must have at most one time dimension');
  return dimensions;
}

/** Determines `time` by the range before it is trimmed. @returns a sentence when there are too many points */
function toTimeDimension(name: string, { range, trimmed }: Ranges): TimeDimension | string {
  const interval = INTERVALS.find((interval) => name === `time:${interval}`) ?? stepOf(range);
  const series = toSeries(trimmed, interval);
  return typeof series === 'string' ? series : { kind: 'time', name: `time:${interval}`, series };
}

function readOrder(
  value: unknown,
  metrics: PlausibleMetric[],
  dimensions: PlausibleDimension[],
  fault: Fault,
): PlausibleOrder[] | undefined {
  if (isEmptyList(value)) return undefined;
  const names = [...metrics, ...dimensions.map(({ name }) => name)];
  const time = dimensions.find(({ kind }) => kind === 'time');
  if (!Array.isArray(value) || value.length > names.length) {
    fault('order_by', 'Must be a list such as [["visitors","desc"]], no longer than metrics and dimensions');
    return undefined;
  }
  return value.flatMap((entry: unknown) => {
    const [asked, direction, ...rest] = Array.isArray(entry) ? entry : [];
    const name = asked === 'time' ? time?.name : asked;
    const isDirection = direction === 'asc' || direction === 'desc';
    const isOfRevenue = metrics.some((metric) => isRevenue(metric) && metric === name);
    if (typeof name === 'string' && names.includes(name) && isDirection && rest.length === 0 && !isOfRevenue)
      return { name, descending: direction === 'desc' };
    if (isOfRevenue) fault('order_by', NO_REVENUE_ORDER);
    else
      fault(
        'order_by',
        `${quote(entry)} must be one of the query’s metrics or dimensions with "asc" or "desc"`,
      );
    return [];
  });
}

function defaultOrder(metrics: PlausibleMetric[], dimensions: PlausibleDimension[]): PlausibleOrder[] {
  const time = dimensions.find(({ kind }) => kind === 'time');
  const first = metrics.find((metric) => !isRevenue(metric));
  // Revenue alone has no order.
  const byMetric = first
    ? { name: first, descending: true }
    : { name: dimensions[0]?.name ?? 'visitors', descending: false };
  return time ? [{ name: time.name, descending: false }, byMetric] : [byMetric];
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
