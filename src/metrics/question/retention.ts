import type { RetentionRequest } from '../../analytics/analytics.ts';
import { RETENTION_INTERVALS, RETENTION_POINTS_MAX } from '../../vocabulary/contract.ts';
import { toSeries } from '../time/range.ts';
import type { Question } from './open-question.ts';
import type { Asked, AskedTimeseries } from './selection.ts';

export type AskedRetention = {
  asked: Asked & Pick<AskedTimeseries, 'series'>;
  interval: (typeof RETENTION_INTERVALS)[number];
  request: RetentionRequest;
};

/** Faults are left with the parameters. */
export function readRetention({ parameters, asked }: Question): AskedRetention {
  const interval = parameters.choice('interval', RETENTION_INTERVALS) ?? 'week';
  const found = toSeries(asked.range, interval);
  const series = typeof found === 'string' ? { interval, bounds: [] } : found;
  if (typeof found === 'string' || series.bounds.length > RETENTION_POINTS_MAX + 1)
    parameters.fault(
      'interval',
      `There are more than ${RETENTION_POINTS_MAX} points: choose a longer interval`,
    );
  const { traffic = 'people', ...selection } = asked.selection;
  // Visits of people and of bots have no common order.
  if (traffic === 'all') parameters.fault('traffic', 'Must be people or bots');
  const request = {
    ...selection,
    traffic: traffic === 'bots' ? ('bots' as const) : ('people' as const),
    // Somebody who was there before the range is not new in it, also where it begins in the middle of a bucket.
    bounds: series.bounds.map((boundMs) => Math.max(boundMs, selection.fromMs)),
  };
  return { asked: { ...asked, series }, interval, request };
}
