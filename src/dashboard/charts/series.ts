import type { Point } from '../../contract/metrics/figures.ts';
import { figureIn, METRIC_FORMATS, type ShownMetric } from '../state/metric-formats.ts';

/** A figure for each point; null where there is none. */
export type Values = readonly (number | null)[];

/**
 * Figures of a metric. A range may reach into the future, which has no figures; and without visits there is no
 * bounce rate, not one of 0.
 */
export function toValues(points: readonly Point[], metric: ShownMetric, nowMs: number): Values {
  const { isOfVisits } = METRIC_FORMATS[metric];
  return points.map((point) =>
    (isOfVisits && point.visits === 0) || Date.parse(point.time) > nowMs
      ? null
      : (figureIn(point, metric) ?? null),
  );
}

export function largestOf(...all: Values[]): number {
  return all.reduce(
    (largest, values) => values.reduce<number>((max, value) => Math.max(max, value ?? 0), largest),
    0,
  );
}

/** Time span from one point to another, both included. `end` is the first instant after all points. */
export function toStretch(
  points: readonly Point[],
  one: number,
  other: number,
  end: string,
): { from: string; to: string } | undefined {
  const from = points[Math.min(one, other)]?.time;
  const to = points[Math.max(one, other) + 1]?.time ?? end;
  return from === undefined ? undefined : { from, to };
}
