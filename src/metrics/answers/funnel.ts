import type { Analytics } from '../../analytics/analytics.ts';
import type { Funnel } from '../../contract/metrics-funnel.ts';
import type { AskedFunnel } from '../question/funnel.ts';
import { NO_FIGURES, toPoints, toRange } from './wire.ts';

export async function answerFunnel(
  analytics: Analytics,
  { asked, by, order, window, request }: AskedFunnel,
  limit: number,
): Promise<Funnel> {
  const { reached, next, points, groups } = await analytics.funnel(request);
  const [entered = 0] = reached;
  const rateOf = (count: number, of: number) => (of === 0 ? 0 : count / of);
  const times =
    'series' in asked
      ? toPoints(
          asked,
          asked.series,
          (points ?? []).map(() => NO_FIGURES),
        )
      : [];
  return {
    range: toRange(asked.range),
    by,
    order,
    window: window ?? null,
    steps: reached.map((count, step) => ({
      reached: count,
      rate: rateOf(count, entered),
      stepRate: step === 0 ? rateOf(entered, entered) : rateOf(count, reached[step - 1] ?? 0),
      droppedOff: step === reached.length - 1 ? 0 : count - (reached[step + 1] ?? 0),
      next: next[step] ?? [],
    })),
    ...(points && {
      points: times.map(({ time, local, incomplete }, index) => ({
        time,
        local,
        incomplete,
        reached: points[index] ?? [],
      })),
    }),
    ...(groups && {
      groups: groups
        .slice(0, limit)
        .map((group) => ({ ...group, rate: rateOf(group.reached.at(-1) ?? 0, group.reached[0] ?? 0) })),
      groupTotal: groups.length,
    }),
  };
}
