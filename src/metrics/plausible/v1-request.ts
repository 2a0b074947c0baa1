import type { Filter } from '../../analytics/interface/selection.ts';
import type { PlausibleMetric } from '../../contract/plausible.ts';
import { V1_INTERVALS, V1_LIMIT_DEFAULT, V1_LIMIT_MAX } from '../../contract/plausible-v1.ts';
import type { CountedGoal } from '../../goals/service.ts';
import type { Parameters } from '../../http/parameters.ts';
import { FILTERS_LENGTH_MAX, type Interval, OFFSET_MAX, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { daysBetween } from '../time/calendar.ts';
import { type Range, readBound, toSeries } from '../time/range.ts';
import { findValueDimension, type ValueDimension } from './dimensions.ts';
import { sayUnknown } from './filters.ts';
import type { PlausiblePage } from './members.ts';
import { PERIOD_FORM, type RangeSubject, readPair, readRelativeRange } from './ranges.ts';
import { NO_V1_RATES } from './refusals.ts';
import { readMetricNames, type TimeDimension } from './request.ts';
import type { PlausibleSubject } from './subject.ts';
import { readV1Filters } from './v1-filters.ts';

export type V1Request = { range: Range; period: string; metrics: PlausibleMetric[]; filter: Filter };

const TEXT_LENGTH_MAX = 200;
const PERIOD_DEFAULT = '30d';

/** Reads what the three reports have in common. Faults are added to the parameters, as everywhere. */
export async function readV1Request(parameters: Parameters, subject: PlausibleSubject): Promise<V1Request> {
  const period = parameters.text('period', TEXT_LENGTH_MAX) ?? PERIOD_DEFAULT;
  const names = parameters.text('metrics', TEXT_LENGTH_MAX) ?? 'visitors';
  const filters = parameters.text('filters', FILTERS_LENGTH_MAX);
  const read = filters === undefined ? undefined : readV1Filters(filters, subject.goals);
  if (read && 'faults' in read) parameters.fault('filters', ...read.faults);
  const metrics = readMetricNames(
    names.split(',').map((name) => name.trim()),
    parameters.fault,
  );
  if (metrics.includes('percentage')) parameters.fault('metrics', 'percentage is not part of version 1');
  if (metrics.some((metric) => /conversion_rate|revenue/.test(metric)))
    parameters.fault('metrics', NO_V1_RATES);
  parameters.flag('with_imported');
  const { zone, nowMs } = subject;
  const range = (await readPeriod(period, parameters, subject)) ?? { fromMs: nowMs, toMs: nowMs + 1, zone };
  return {
    range,
    period,
    metrics,
    filter: read && 'filter' in read ? read.filter : { op: 'and', filters: [] },
  };
}

async function readPeriod(
  period: string,
  parameters: Parameters,
  subject: RangeSubject,
): Promise<Range | undefined> {
  const { zone } = subject;
  const date = parameters.text('date', TEXT_LENGTH_MAX);
  if (period === 'custom') {
    const pair = date?.split(',').map((text) => text.trim()) ?? [];
    const range = readPair(pair, zone);
    if (!range) parameters.fault('date', 'Must be first and last date such as 2026-11-01,2026-11-20');
    return range;
  }
  const dateMs = date === undefined || date === 'today' ? subject.nowMs : readDate(date, subject);
  if (dateMs === undefined) parameters.fault('date', 'Must be a date such as 2026-11-20');
  const range = await readRelativeRange(period, { ...subject, nowMs: dateMs ?? subject.nowMs }, 'running');
  if (!range) parameters.fault('period', PERIOD_FORM);
  return range;
}

function readDate(text: string, { zone }: RangeSubject): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? readBound(text, zone, 'from') : undefined;
}

export function readV1Time(parameters: Parameters, { range, period }: V1Request): TimeDimension {
  const asked = parameters.choice('interval', V1_INTERVALS);
  const interval = asked === 'date' ? 'day' : (asked ?? defaultInterval(period, range));
  const series = toSeries(range, interval);
  if (typeof series === 'string') parameters.fault('interval', series);
  return {
    kind: 'time',
    name: `time:${interval}`,
    series: typeof series === 'string' ? { interval, bounds: [] } : series,
  };
}

function defaultInterval(period: string, { fromMs, toMs, zone }: Range): Interval {
  if (period === 'day' || period === '24h') return 'hour';
  if (period === 'year' || period.endsWith('mo')) return 'month';
  if (period !== 'all' || daysBetween(zone, fromMs, toMs) <= 31) return 'day';
  return 'month';
}

/** Dimensions whose absent value has no row, as in Plausible. */
const PRESENT_ONLY = new Set([
  'visit:country',
  'visit:utm_source',
  'visit:utm_medium',
  'visit:utm_campaign',
  'visit:utm_content',
  'visit:utm_term',
  'visit:entry_page',
  'visit:exit_page',
]);

export function readV1Property(parameters: Parameters, goals: readonly CountedGoal[]): ValueDimension {
  const name = parameters.text('property', URL_LENGTH_MAX);
  const dimension = name === undefined ? undefined : findValueDimension(name, goals);
  if (!dimension) parameters.fault('property', name === undefined ? 'Required' : sayUnknown(name));
  if (dimension?.goals) return dimension;
  const { parts = [] } = dimension ?? {};
  const isPresent = PRESENT_ONLY.has(name ?? '') || dimension?.isGoal === true;
  return { kind: 'value', name: name ?? '', parts: parts.map((part) => ({ ...part, isPresent })) };
}

export function readV1Page(parameters: Parameters): PlausiblePage {
  const limit = parameters.integer('limit', {
    min: 1,
    max: V1_LIMIT_MAX + 1,
    absent: V1_LIMIT_DEFAULT,
  });
  if (limit > V1_LIMIT_MAX) parameters.fault('limit', `Must be at most ${V1_LIMIT_MAX}`);
  const page = parameters.integer('page', { min: 1, max: OFFSET_MAX, absent: 1 });
  return { limit, offset: Math.min((page - 1) * limit, OFFSET_MAX) };
}
