import type { Point } from '../../contract/metrics/figures.ts';
import type { Interval } from '../../vocabulary/contract.ts';
import { changeOf, formatChange, unitOf } from '../state/format.ts';
import { METRIC_FORMATS, type ShownMetric } from '../state/metric-formats.ts';
import { formatPointTime } from '../state/time-format.ts';
import type { Values } from './series.ts';

/** Difference between the means of the two halves, in percent, below which there is no trend. */
const TREND_PERCENT = 5;

/**
 * Summarises a chart in a few sentences: number of points, lowest, highest, and trend. Incomplete points do not
 * count for the trend.
 */
export function summarise(
  label: string,
  points: readonly Point[],
  values: Values,
  metric: ShownMetric,
  interval: Interval,
): string {
  const { long } = METRIC_FORMATS[metric];
  const known = points.flatMap((point, index) => {
    const value = values[index] ?? null;
    return value === null ? [] : [{ point, value }];
  });
  const [first] = known;
  if (!first || known.every(({ value }) => value === 0)) return `${label}: no data.`;
  const lowest = known.reduce((low, each) => (each.value < low.value ? each : low), first);
  const highest = known.reduce((high, each) => (each.value > high.value ? each : high), first);
  const describe = ({ point, value }: typeof first) =>
    `${long(value)} (${formatPointTime(point.local, interval)})`;
  const complete = known.filter(({ point }) => !point.incomplete).map(({ value }) => value);
  return [
    `${label}: ${known.length} ${unitOf(String(known.length), 'points')} by ${interval}.`,
    `Lowest ${describe(lowest)}, highest ${describe(highest)}.`,
    describeTrend(complete),
  ].join(' ');
}

function describeTrend(values: readonly number[]): string {
  if (values.length < 4) return '';
  const half = Math.floor(values.length / 2);
  const percent = changeOf(mean(values.slice(-half)), mean(values.slice(0, half)));
  if (percent === null) return 'Rising from zero.';
  if (Math.abs(percent) < TREND_PERCENT) return 'Steady: the second half is like the first.';
  const { text } = formatChange(percent);
  return `${percent > 0 ? 'Rising' : 'Falling'}: the average of the second half is ${text} compared with the first.`;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
