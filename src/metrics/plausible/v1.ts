import type { Analytics } from '../../analytics/analytics.ts';
import type { Figures } from '../../analytics/interface/query.ts';
import type { Filter, Selection } from '../../analytics/interface/selection.ts';
import type { PlausibleMetric } from '../../contract/plausible.ts';
import type { V1Aggregate, V1Rows } from '../../contract/plausible-v1.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { dayStart, startOf } from '../time/calendar.ts';
import type { Range } from '../time/range.ts';
import { toTimeLabel } from './answer.ts';
import { createAsk } from './ask.ts';
import type { ValueDimension } from './dimensions.ts';
import type { PlausiblePage } from './members.ts';
import { isRevenue, METRIC_OF } from './metrics.ts';
import { findPage } from './page.ts';
import type { TimeDimension } from './request.ts';
import { findTotals } from './rows.ts';
import type { V1Request } from './v1-request.ts';

/** Answers in the form of Plausible's Stats API v1. */

export async function answerAggregate(
  analytics: Analytics,
  websiteKey: number,
  { range, metrics, filter }: V1Request,
  /** Compares with the same number of earlier days, without days in the future. */
  compare: { nowMs: number } | undefined,
): Promise<V1Aggregate> {
  const ask = createAsk(analytics);
  const figuresOf = async (range: Range) => findTotals(ask, select(websiteKey, range, filter));
  const now = await figuresOf(range);
  const before = compare && (await figuresOf(toPrevious(range, compare.nowMs)));
  const results = metrics.map((metric) => {
    const value = figureOf(metric, now);
    if (!before) return [metric, { value }] as const;
    const earlier = figureOf(metric, before);
    return [metric, { value, comparison_value: earlier, change: toChange(metric, value, earlier) }] as const;
  });
  return { results: Object.fromEntries(results) };
}

export async function answerTimeseries(
  analytics: Analytics,
  websiteKey: number,
  { range, metrics, filter }: V1Request,
  time: TimeDimension,
): Promise<V1Rows> {
  const ask = createAsk(analytics);
  const selection = select(websiteKey, range, filter);
  const { series = [] } = await ask.query({ ...selection, series: time.series });
  return {
    results: series.map((figures, index) => ({
      date: toTimeLabel(range, time, time.series.bounds[index] ?? range.fromMs),
      ...Object.fromEntries(metrics.map((metric) => [metric, pointOf(metric, figures)])),
    })),
  };
}

export async function answerBreakdown(
  analytics: Analytics,
  websiteKey: number,
  { range, metrics, filter }: V1Request,
  property: ValueDimension,
  pagination: PlausiblePage,
): Promise<V1Rows> {
  const ask = createAsk(analytics);
  const selection = select(websiteKey, range, filter);
  const orderBy = [{ name: metrics[0] ?? 'visitors', descending: true }];
  const { rows } = await findPage(ask, selection, { dimensions: [property], metrics, orderBy, pagination });
  const column = property.name.replace(/^(event:props|event|visit):/, '');
  return {
    results: rows.map(({ keys, figures }) => ({
      [column]: keys[0] ?? '',
      ...Object.fromEntries(metrics.map((metric) => [metric, figureOf(metric, figures)])),
    })),
  };
}

function select(websiteKey: number, { fromMs, toMs }: Range, filter: Filter): Selection {
  return { websiteKey, fromMs, toMs, filter };
}

/** Version 1 has no revenue. */
function figureOf(metric: PlausibleMetric, figures: Figures): number {
  if (isRevenue(metric)) return 0;
  return METRIC_OF[metric]({ ...figures, allVisitors: 0 });
}

/** Returns null for the duration when there are no visits. */
function pointOf(metric: PlausibleMetric, figures: Figures): number | null {
  return metric === 'visit_duration' && figures.visits === 0 ? null : figureOf(metric, figures);
}

function toPrevious({ fromMs, toMs, zone }: Range, nowMs: number): Range {
  const endMs = Math.max(Math.min(toMs, dayStart(zone, nowMs, 1)), fromMs + 1);
  if (startOf(zone, fromMs, 'day') !== fromMs || startOf(zone, endMs, 'day') !== endMs)
    return { fromMs: fromMs - (endMs - fromMs), toMs: fromMs, zone };
  const days = Math.round((endMs - fromMs) / DAY_MS);
  return { fromMs: dayStart(zone, fromMs, -days), toMs: fromMs, zone };
}

function toChange(metric: PlausibleMetric, now: number, before: number): number | null {
  if (metric === 'bounce_rate') return before > 0 ? now - before : null;
  if (before === 0) return now > 0 ? 100 : 0;
  return Math.round(((now - before) / before) * 100);
}
