import type { Figures } from '../analytics.ts';
import type { Arena } from '../memory/arena.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import { Accumulator, figuresOf } from './accumulator.ts';
import { aggregate } from './group-by.ts';
import type { People } from './people.ts';
import type { SelectionVector } from './select.ts';

export type SeriesOptions = { fromMs: number; peopleMax: number; isOneClass: boolean };

/**
 * Counts the buckets of a series. The means of a bucket are those of the visits that begin in it, so `bounces` and
 * `durationMs` are added to where a visit begins, and `#begun` counts these visits.
 */
export class Series {
  readonly #limits: Float64Array;
  readonly #count: number;
  readonly #counts: Accumulator;
  readonly #begun: Uint32Array;
  readonly #visitors: Uint32Array;
  /** The last bucket (+ 1) that somebody was counted in: the visits of one class come in the order of time. */
  readonly #lastBucket: Uint32Array;
  /** Pairs of somebody and a bucket, when visits of several classes may overlap. */
  readonly #pairs: Set<number> | undefined;
  readonly #arena: Arena;

  readonly #fromMs: number;

  /**
   * @param bounds ascending; bucket i is [bounds[i], bounds[i + 1])
   * @param options.fromMs a visit that begins before it begins in no bucket
   * @param options.peopleMax as many as there may be
   */
  constructor(bounds: readonly number[], { fromMs, peopleMax, isOneClass }: SeriesOptions, arena: Arena) {
    this.#fromMs = fromMs;
    this.#limits = Float64Array.from(bounds);
    this.#count = Math.max(0, bounds.length - 1);
    this.#counts = new Accumulator(this.#count, arena);
    this.#begun = arena.u32(this.#count);
    this.#visitors = arena.u32(this.#count);
    this.#lastBucket = arena.u32(isOneClass ? peopleMax + 1 : 0);
    this.#pairs = isOneClass ? undefined : new Set();
    this.#arena = arena;
  }

  add(vector: SelectionVector, people: People): void {
    const { startMs, endMs } = vector.segment.facts;
    const bucket = this.#find(startMs);
    const isOne =
      startMs >= this.#fromMs && this.#isBucket(bucket) && endMs <= (this.#limits[bucket + 1] as number);
    if (isOne) this.#addSegment(vector, people, bucket);
    else this.#addVisits(vector, people);
  }

  finish(): Figures[] {
    return Array.from({ length: this.#count }, (_, bucket) => {
      const begun = this.#begun[bucket] as number; // below the count, as all below
      return figuresOf(this.#counts, bucket, this.#visitors[bucket] as number, {
        visits: begun,
        bounces: this.#counts.bounces[bucket] as number,
        durationMs: this.#counts.durationMs[bucket] as number,
        ofDuration: begun,
      });
    });
  }

  /** All of the segment lies in one bucket. */
  #addSegment(vector: SelectionVector, people: People, bucket: number): void {
    const counted = aggregate(vector, undefined, this.#arena);
    this.#counts.merge(counted, [bucket]);
    (this.#begun[bucket] as number) += counted.visits[0] as number;
    for (let index = 0; index < vector.count; index += 1)
      this.#meet(people.ofVisits[index] as number, bucket);
  }

  #addVisits(vector: SelectionVector, people: People): void {
    const { segment, count, visits, events, pageviews, bounced, hits } = vector;
    const { dayMs } = segment;
    const startMs = segment.column('startMs');
    const durationMs = segment.column('durationMs');
    let bucket = -1;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number; // visits are within their columns
      const start = dayMs + (startMs[visit] as number);
      const duration = durationMs[visit] as number;
      bucket = this.#find(start, bucket);
      const person = people.ofVisits[index] as number;
      const isWithin = this.#isBucket(bucket);
      if (isWithin && start >= this.#fromMs) {
        (this.#begun[bucket] as number) += 1;
        (this.#counts.bounces[bucket] as number) += bounced[index] as number;
        (this.#counts.durationMs[bucket] as number) += duration;
      }
      if (isWithin && hits === undefined && start + duration < (this.#limits[bucket + 1] as number)) {
        (this.#counts.visits[bucket] as number) += 1;
        (this.#counts.events[bucket] as number) += events[index] as number;
        (this.#counts.pageviews[bucket] as number) += pageviews[index] as number;
        this.#meet(person, bucket);
      } else this.#addEvents(vector, visit, person, bucket);
    }
  }

  /** A visit that lies in several buckets, or matches in part. */
  #addEvents({ segment, hits }: SelectionVector, visit: number, person: number, first: number): void {
    const from = segment.column('first')[visit] as number; // within the columns, as below
    const to = segment.column('first')[visit + 1] as number;
    const atMs = segment.column('atMs');
    const eventType = segment.column('eventType');
    let bucket = first;
    let counted = -1;
    for (let event = from; event < to; event += 1) {
      if (hits !== undefined && hits[event] === 0) continue;
      const instantMs = segment.dayMs + (atMs[event] as number);
      while (bucket < this.#count && instantMs >= (this.#limits[bucket + 1] as number)) bucket += 1;
      if (!this.#isBucket(bucket)) continue;
      (this.#counts.events[bucket] as number) += 1;
      if (eventType[event] === PAGEVIEW) (this.#counts.pageviews[bucket] as number) += 1;
      if (counted === bucket) continue;
      counted = bucket;
      (this.#counts.visits[bucket] as number) += 1;
      this.#meet(person, bucket);
    }
  }

  #meet(person: number, bucket: number): void {
    if (this.#pairs) {
      const pair = person * BUCKETS + bucket;
      if (this.#pairs.has(pair)) return;
      this.#pairs.add(pair);
    } else {
      if (this.#lastBucket[person] === bucket + 1) return;
      this.#lastBucket[person] = bucket + 1;
    }
    (this.#visitors[bucket] as number) += 1;
  }

  #isBucket(bucket: number): boolean {
    return bucket >= 0 && bucket < this.#count;
  }

  /** −1 before the first bound; the count of buckets after the last. @param guess looked at first */
  #find(instantMs: number, guess = -1): number {
    const limits = this.#limits;
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
}

const BUCKETS = 2 ** 16;
