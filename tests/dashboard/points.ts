import type { Point } from '../../src/contract/metrics/figures.ts';

const DAY_MS = 86_400_000;

/** A point a day, in UTC. */
export function dailyPoints(first: string, visitors: readonly number[]): Point[] {
  return visitors.map((count, index) => {
    const time = new Date(Date.parse(first) + index * DAY_MS).toISOString();
    return {
      time,
      local: time.replace('.000Z', '+00:00'),
      incomplete: false,
      visitors: count,
      visits: count,
      pageviews: count * 2,
      events: count * 3,
      viewsPerVisit: count === 0 ? 0 : 2,
      bounceRate: count === 0 ? 0 : 0.25,
      visitDuration: count === 0 ? 0 : 83,
    };
  });
}
