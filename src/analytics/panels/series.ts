import { EVENT_TYPES } from '../../contract/vocabulary.ts';
import type { Figures } from '../analytics.ts';
import type { Day } from '../day.ts';
import type { Selection } from '../selection.ts';
import { countsAt, createCounts, toFigures } from './figures.ts';
import { takeStamps } from './scratch.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

export type SeriesPanel = { add(day: Day, selection: Selection): void; finish(): Figures[] };

/**
 * @param bounds       ascending; bucket i is [bounds[i], bounds[i + 1])
 * @param visitorCount the greatest number of a visitor
 */
export function createSeries(bounds: readonly number[], visitorCount: number): SeriesPanel {
  const bucketCount = Math.max(0, bounds.length - 1);
  const limits = Float64Array.from(bounds);
  const counts = createCounts(bucketCount);
  /** The last bucket (+ 1) that a visitor was counted in: one's visits come in the order of time. */
  const lastBucket = takeStamps(visitorCount + 1, bucketCount);

  function add(day: Day, selection: Selection): void {
    const bucket = findBucket(day.startMs);
    const isOne = bucket >= 0 && bucket < bucketCount && day.endMs <= (limits[bucket + 1] as number);
    if (isOne) addVisits(day, selection, bucket);
    else addEvents(day, selection);
  }

  /** All of the day lies in one bucket. */
  function addVisits(day: Day, { count, visits, pageviews, events }: Selection, bucket: number): void {
    const { visitor, first, durationMs, pageviews: ownViews } = day;
    let visitors = 0;
    let views = 0;
    let all = 0;
    let bounces = 0;
    let duration = 0;
    for (let index = 0; index < count; index += 1) {
      // Numbers of visits and visitors are within their columns.
      const visit = visits[index] as number;
      const person = visitor[visit] as number;
      views += pageviews[index] as number;
      all += events[index] as number;
      duration += durationMs[visit] as number;
      if (ownViews[visit] === 1 && (first[visit + 1] as number) - (first[visit] as number) === 1)
        bounces += 1;
      if (lastBucket[person] === bucket + 1) continue;
      lastBucket[person] = bucket + 1;
      visitors += 1;
    }
    (counts.visitors[bucket] as number) += visitors;
    (counts.visits[bucket] as number) += count;
    (counts.pageviews[bucket] as number) += views;
    (counts.events[bucket] as number) += all;
    (counts.bounces[bucket] as number) += bounces;
    (counts.durationMs[bucket] as number) += duration;
  }

  function addEvents(day: Day, { count, visits, hit }: Selection): void {
    const { first, atMs, type, startMs } = day;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const end = first[visit + 1] as number;
      let event = first[visit] as number;
      let bucket = findBucket(startMs + (atMs[event] as number));
      let counted = -1;
      for (; event < end; event += 1) {
        const instantMs = startMs + (atMs[event] as number);
        while (bucket < bucketCount && instantMs >= (limits[bucket + 1] as number)) bucket += 1;
        if (bucket < 0 || bucket >= bucketCount) continue;
        if (hit !== undefined && hit[event] === 0) continue;
        (counts.events[bucket] as number) += 1;
        if (type[event] === PAGEVIEW) (counts.pageviews[bucket] as number) += 1;
        if (counted === bucket) continue;
        counted = bucket;
        countVisit(day, visit, bucket);
      }
    }
  }

  function countVisit(day: Day, visit: number, bucket: number): void {
    (counts.visits[bucket] as number) += 1;
    (counts.durationMs[bucket] as number) += day.durationMs[visit] as number;
    const size = (day.first[visit + 1] as number) - (day.first[visit] as number);
    if (size === 1 && day.pageviews[visit] === 1) (counts.bounces[bucket] as number) += 1;
    const person = day.visitor[visit] as number;
    if (lastBucket[person] === bucket + 1) return;
    lastBucket[person] = bucket + 1;
    (counts.visitors[bucket] as number) += 1;
  }

  /** −1 before the first bound; the count of buckets after the last. */
  function findBucket(instantMs: number): number {
    let low = 0;
    let high = limits.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((limits[middle] as number) <= instantMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  return {
    add,
    finish: () => Array.from({ length: bucketCount }, (_, bucket) => toFigures(countsAt(counts, bucket))),
  };
}
