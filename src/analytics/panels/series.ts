import { EVENT_TYPES } from '../../contract/vocabulary.ts';
import type { Figures } from '../analytics.ts';
import type { Day } from '../day.ts';
import type { Selection } from '../selection.ts';
import { countSelected, countsAt, createCounts, toFigures } from './figures.ts';
import { takeStamps } from './scratch.ts';

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

export type SeriesPanel = { add(day: Day, selection: Selection): void; finish(): Figures[] };

/**
 * @param bounds      ascending; bucket i is [bounds[i], bounds[i + 1])
 * @param peopleMax   the greatest number that somebody may get
 * @param peopleCount the greatest one up to now
 */
export function createSeries(
  bounds: readonly number[],
  peopleMax: number,
  peopleCount: () => number,
): SeriesPanel {
  const bucketCount = Math.max(0, bounds.length - 1);
  const limits = Float64Array.from(bounds);
  const counts = createCounts(bucketCount);
  /** The last bucket (+ 1) that somebody was counted in: one's visits come in the order of time. */
  const lastBucket = takeStamps(peopleMax + 1, bucketCount);
  let filled = 0;

  function add(day: Day, selection: Selection): void {
    const people = peopleCount() + 1;
    if (people > filled) lastBucket.fill(0, filled, people);
    filled = people;
    const bucket = findBucket(day.startMs);
    const isOne = bucket >= 0 && bucket < bucketCount && day.endMs <= (limits[bucket + 1] as number);
    if (isOne) addDay(day, selection, bucket);
    else addEvents(day, selection);
  }

  /** All of the day lies in one bucket. */
  function addDay(day: Day, selection: Selection, bucket: number): void {
    const { count, people } = selection;
    const { visits, pageviews, events, bounces, durationMs } = countSelected(day, selection);
    (counts.visits[bucket] as number) += visits;
    (counts.pageviews[bucket] as number) += pageviews;
    (counts.events[bucket] as number) += events;
    (counts.bounces[bucket] as number) += bounces;
    (counts.durationMs[bucket] as number) += durationMs;
    let visitors = 0;
    for (let index = 0; index < count; index += 1) {
      const person = people[index] as number; // within the columns
      const difference = (lastBucket[person] as number) ^ (bucket + 1);
      visitors += (difference | -difference) >>> 31; // 1 unless they are equal, without a branch
      lastBucket[person] = bucket + 1;
    }
    (counts.visitors[bucket] as number) += visitors;
  }

  function countVisitor(person: number, bucket: number): void {
    if (lastBucket[person] === bucket + 1) return;
    lastBucket[person] = bucket + 1;
    (counts.visitors[bucket] as number) += 1;
  }

  function addEvents(day: Day, { count, visits, people, hit }: Selection): void {
    const { first, atMs, type, startMs } = day;
    let bucket = -1;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const person = people[index] as number;
      const end = first[visit + 1] as number;
      let event = first[visit] as number;
      bucket = findBucket(startMs + (atMs[event] as number), bucket);
      if (hit === undefined && addWhole(day, visit, person, bucket)) continue;
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
        countVisit(day, visit, person, bucket);
      }
    }
  }

  /** As one, unless it goes on into the next bucket. */
  function addWhole(day: Day, visit: number, person: number, bucket: number): boolean {
    const { first, atMs, startMs, pageviews } = day;
    const end = first[visit + 1] as number;
    if (bucket < 0 || bucket >= bucketCount) return false;
    if (startMs + (atMs[end - 1] as number) >= (limits[bucket + 1] as number)) return false;
    (counts.events[bucket] as number) += end - (first[visit] as number);
    (counts.pageviews[bucket] as number) += pageviews[visit] as number;
    countVisit(day, visit, person, bucket);
    return true;
  }

  function countVisit(day: Day, visit: number, person: number, bucket: number): void {
    (counts.visits[bucket] as number) += 1;
    (counts.durationMs[bucket] as number) += day.durationMs[visit] as number;
    const size = (day.first[visit + 1] as number) - (day.first[visit] as number);
    if (size === 1 && day.pageviews[visit] === 1) (counts.bounces[bucket] as number) += 1;
    countVisitor(person, bucket);
  }

  /**
   * −1 before the first bound; the count of buckets after the last.
   *
   * @param guess looked at first
   */
  function findBucket(instantMs: number, guess = -1): number {
    if (guess >= 0 && instantMs >= (limits[guess] as number) && instantMs < (limits[guess + 1] ?? 0))
      return guess;
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
