import type { Filter } from '../analytics/analytics.ts';
import type { Dimension } from '../analytics/vocabulary.ts';
import {
  PLAUSIBLE_METRICS,
  type PlausibleMetric,
  PlausibleSiteQuery,
  TIME_DIMENSIONS,
} from '../contract/plausible.ts';
import { INTERVALS, type Interval } from '../contract/vocabulary.ts';
import { validationError } from '../errors.ts';
import { findDimension, PLAUSIBLE_DIMENSIONS, quote } from './dimensions.ts';
import { parsePlausibleFilters } from './filters.ts';
import {
  type Fault,
  isRecord,
  type PlausibleInclude,
  type PlausiblePage,
  readInclude,
  readPagination,
  unknownNames,
} from './plausible-members.ts';
import { fromPlausibleValues } from './plausible-names.ts';
import { RANGE_FORM, type RangeSubject, readPlausibleRange } from './plausible-range.ts';
import { type Range, toPeriodRange, toSeries } from './range.ts';
import type { Series } from './selection.ts';

export type PlausibleDimension =
  | { kind: 'time'; name: string; series: Series }
  | { kind: 'value'; name: string; dimension: Dimension };
export type PlausibleOrder = { name: string; descending: boolean };

export type PlausibleRequest = {
  range: Range;
  metrics: PlausibleMetric[];
  dimensions: PlausibleDimension[];
  filter: Filter | undefined;
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
export async function readPlausibleRequest(body: unknown, subject: RangeSubject): Promise<PlausibleRequest> {
  if (!isRecord(body)) throw validationError('Invalid query', {}, ['Must be an object']);
  const faults = new Map<string, string[]>();
  const fault = (field: string, ...sentences: string[]) =>
    void faults.set(field, [...(faults.get(field) ?? []), ...sentences]);

  for (const name of unknownNames(body, BODY_NAMES)) fault(name, `Unknown. Valid: ${BODY_NAMES.join(', ')}`);
  if (body.site_id !== undefined && typeof body.site_id !== 'string') fault('site_id', 'Must be a text');
  const metrics = readMetrics(body.metrics, fault);
  const range = await readPlausibleRange(body.date_range, subject);
  if (!range) fault('date_range', body.date_range === undefined ? `Required. ${RANGE_FORM}` : RANGE_FORM);
  const { zone, nowMs } = subject;
  const today = toPeriodRange('today', zone, nowMs, nowMs); // stands in for what cannot be read
  const dimensions = readDimensions(body.dimensions, range ?? today, fault);
  if (metrics.includes('percentage') && isEmptyList(body.dimensions))
    fault('metrics', 'percentage needs dimensions');
  const { filters = [] } = body;
  const read = parsePlausibleFilters(filters);
  if ('faults' in read) fault('filters', ...read.faults);
  const orderBy = readOrder(body.order_by, [...metrics, ...dimensions.map(({ name }) => name)], fault);
  const include = readInclude(body.include, fault);
  if (include.time_labels && range && !dimensions.some(({ kind }) => kind === 'time'))
    fault('include', 'time_labels needs a time dimension');
  const pagination = readPagination(body.pagination, fault);
  if (faults.size > 0 || !range) throw validationError('Invalid query', Object.fromEntries(faults));
  return {
    range,
    metrics,
    dimensions,
    filter: 'filter' in read ? fromPlausibleValues(read.filter) : undefined,
    filters: Array.isArray(filters) ? filters : [],
    orderBy: orderBy ?? defaultOrder(metrics, dimensions),
    include,
    pagination,
  };
}

const BODY_NAMES = Object.keys(PlausibleSiteQuery.properties);

function readMetrics(value: unknown, fault: Fault): PlausibleMetric[] {
  const valid = `Valid: ${PLAUSIBLE_METRICS.join(', ')}`;
  if (!Array.isArray(value) || value.length === 0 || value.length > PLAUSIBLE_METRICS.length) {
    fault('metrics', `Must be a list of 1 to ${PLAUSIBLE_METRICS.length} metrics. ${valid}`);
    return [];
  }
  if (new Set(value).size < value.length) fault('metrics', 'Must not name a metric twice');
  return value.flatMap((name: unknown) => {
    const metric = PLAUSIBLE_METRICS.find((candidate) => candidate === name);
    if (!metric) fault('metrics', `Unknown metric ${quote(name)}. ${valid}`);
    return metric ?? [];
  });
}

function readDimensions(value: unknown = [], range: Range, fault: Fault): PlausibleDimension[] {
  if (!Array.isArray(value) || value.length > 2) {
    fault('dimensions', 'Must be a list of at most 2 dimensions');
    return [];
  }
  const dimensions = value.flatMap((name: unknown): PlausibleDimension[] => {
    if (typeof name === 'string' && TIME_DIMENSIONS.some((candidate) => candidate === name)) {
      const series = toSeries(range, intervalOf(name));
      if (typeof series !== 'string') return [{ kind: 'time', name, series }];
      fault('dimensions', series);
      return [];
    }
    const dimension = typeof name === 'string' ? findDimension(name) : undefined;
    if (dimension && typeof name === 'string') return [{ kind: 'value', name, dimension }];
    const valid = [...TIME_DIMENSIONS, ...PLAUSIBLE_DIMENSIONS].join(', ');
    fault('dimensions', `Unknown dimension ${quote(name)}. Valid: ${valid}`);
    return [];
  });
  if (value.length === 2 && value[0] === value[1]) fault('dimensions', 'Must not name a dimension twice');
  else if (dimensions.filter(({ kind }) => kind === 'time').length > 1)
    fault('dimensions', 'Must have at most one time dimension');
  return dimensions;
}

/** Undefined for `time`: the range decides. */
function intervalOf(name: string): Interval | undefined {
  return INTERVALS.find((interval) => name === `time:${interval}`);
}

function readOrder(value: unknown, names: string[], fault: Fault): PlausibleOrder[] | undefined {
  if (isEmptyList(value)) return undefined;
  if (!Array.isArray(value) || value.length > names.length) {
    fault('order_by', 'Must be a list such as [["visitors","desc"]], no longer than metrics and dimensions');
    return undefined;
  }
  return value.flatMap((entry: unknown) => {
    const [name, direction, ...rest] = Array.isArray(entry) ? entry : [];
    const isDirection = direction === 'asc' || direction === 'desc';
    if (typeof name === 'string' && names.includes(name) && isDirection && rest.length === 0)
      return { name, descending: direction === 'desc' };
    fault(
      'order_by',
      `${quote(entry)} must be one of the query’s metrics or dimensions with "asc" or "desc"`,
    );
    return [];
  });
}

function defaultOrder(metrics: PlausibleMetric[], dimensions: PlausibleDimension[]): PlausibleOrder[] {
  const time = dimensions.find(({ kind }) => kind === 'time');
  const byMetric = { name: metrics[0] ?? 'visitors', descending: true };
  return time ? [{ name: time.name, descending: false }, byMetric] : [byMetric];
}

function isEmptyList(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}
