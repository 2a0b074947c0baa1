import type { RetentionAnswer, RetentionRequest } from '../../../src/analytics/analytics.ts';
import type { NaiveLog } from './log.ts';
import { classOf } from './raw-event.ts';
import { type Match, select } from './selection.ts';

export function listCohorts(log: NaiveLog, request: RetentionRequest): RetentionAnswer {
  const { bounds, websiteKey, traffic = 'people' } = request;
  const everything = log.factsOf(websiteKey).filter(({ event }) => classOf(event) === traffic);
  const firstMs = new Map<string, number>();
  for (const { event } of everything)
    firstMs.set(event.visitorId, Math.min(firstMs.get(event.visitorId) ?? Infinity, event.createdAtMs));
  const matches = select(log, request);
  const count = Math.max(0, bounds.length - 1);
  const isIn = (atMs: number, bucket: number) =>
    atMs >= (bounds[bucket] ?? 0) && atMs < (bounds[bucket + 1] ?? 0);
  const visitorsIn = (bucket: number) =>
    new Set(
      matches
        .filter(({ event }: Match) => isIn(event.createdAtMs, bucket))
        .map(({ event }) => event.visitorId),
    );
  const cohorts = Array.from({ length: count }, (_, bucket) => {
    const fresh = [...visitorsIn(bucket)].filter((id) => isIn(firstMs.get(id) ?? NaN, bucket));
    return Array.from({ length: count - bucket }, (_, later) => {
      const there = visitorsIn(bucket + later);
      return fresh.filter((id) => there.has(id)).length;
    });
  });
  return { cohorts };
}
