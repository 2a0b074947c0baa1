import type { Analytics } from '../../analytics/analytics.ts';
import type { Retention } from '../../contract/metrics-retention.ts';
import type { AskedRetention } from '../question/retention.ts';
import { NO_FIGURES, toPoints, toRange } from './wire.ts';

export async function answerRetention(
  analytics: Analytics,
  { asked, interval, request }: AskedRetention,
): Promise<Retention> {
  const { cohorts } = await analytics.retention(request);
  const points = toPoints(
    asked,
    asked.series,
    cohorts.map(() => NO_FIGURES),
  );
  return {
    range: toRange(asked.range),
    interval,
    cohorts: points.map(({ time, local, incomplete }, index) => {
      const returned = cohorts[index] ?? [];
      const [visitors = 0] = returned;
      const rates = returned.map((count) => (visitors === 0 ? 0 : count / visitors));
      return { time, local, visitors, returned, rates, incomplete };
    }),
  };
}
