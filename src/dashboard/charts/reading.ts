import type { Point } from '../../contract/metrics/figures.ts';
import type { Interval } from '../../vocabulary/contract.ts';
import { type Change, changeOf, formatChange, unitOf } from '../state/format.ts';
import { METRIC_FORMATS, type ShownMetric } from '../state/metric-formats.ts';
import { formatPointTime } from '../state/time-format.ts';
import type { Notes } from './notes.ts';
import type { Values } from './series.ts';

/** Text of a missing figure. */
const NONE = '–';

/** Texts of one point of a chart. */
type Reading = {
  time: string;
  value: string;
  isIncomplete: boolean;
  /** Imported sum. */
  imported?: string;
  earlier?: { time: string; value: string; change?: Change };
  /** Annotations at the point. */
  notes?: string[];
};

export type Series = {
  points: readonly Point[];
  values: Values;
  earlierPoints: readonly Point[];
  earlierValues: Values;
  importedValues?: Values | undefined;
  /** Time at which the last of the earlier points was cut: `10:20`. */
  earlierUntil?: string | undefined;
  metric: ShownMetric;
  interval: Interval;
  notes?: Notes | undefined;
};

export function readPoint(series: Series, index: number): Reading | undefined {
  const { points, values, earlierPoints, earlierValues, earlierUntil, metric, interval } = series;
  const point = points[index];
  if (!point) return undefined;
  const { long } = METRIC_FORMATS[metric];
  const value = values[index] ?? null;
  const own = series.notes?.get(index);
  const imported = series.importedValues?.[index] ?? null;
  const reading: Reading = {
    time: formatPointTime(point.local, interval),
    value: value === null ? NONE : long(value),
    isIncomplete: point.incomplete,
    ...(imported !== null && { imported: long(imported) }),
    ...(own && { notes: own.map(({ text }) => text) }),
  };
  const before = earlierPoints[index];
  if (!before) return reading;
  const earlierValue = earlierValues[index] ?? null;
  const isCut = earlierUntil && before.incomplete && index === earlierPoints.length - 1;
  const isComparable = value !== null && earlierValue !== null;
  return {
    ...reading,
    earlier: {
      time: formatPointTime(before.local, interval) + (isCut ? ` until\u00a0${earlierUntil}` : ''),
      value: earlierValue === null ? NONE : long(earlierValue),
      ...(isComparable && {
        change: formatChange(changeOf(value, earlierValue), value, Math.max(point.visitors, before.visitors)),
      }),
    },
  };
}

/** Describes a point in one sentence, for screen readers. */
export function describePoint(series: Series, index: number): string {
  const reading = readPoint(series, index);
  if (!reading) return '';
  const { time, value, isIncomplete, imported, earlier, notes = [] } = reading;
  const name = unitOf(value, METRIC_FORMATS[series.metric].name.toLowerCase());
  return [
    `${time}: ${value === NONE ? 'no' : value} ${name}`,
    isIncomplete ? 'not complete' : '',
    imported ? `${imported} imported` : '',
    earlier ? `${earlier.value} on ${earlier.time}` : '',
    earlier?.change ? earlier.change.text : '',
    ...notes,
  ]
    .filter(Boolean)
    .join(', ');
}
