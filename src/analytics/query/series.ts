import { HOUR_MS } from '../../durations.ts';
import type { Figures } from '../analytics.ts';
import type { Arena } from '../memory/arena.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import { Accumulator, figuresOf } from './accumulator.ts';
import { Instants } from './instants.ts';
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
  readonly #lastBucket: Uint16Array;
  /** Pairs of somebody and a bucket, when visits of several classes may overlap. */
  readonly #pairs: Set<number> | undefined;
  readonly #fromMs: number;
  readonly #isHourly: boolean;

  /**
   * @param bounds ascending; bucket i is [bounds[i], bounds[i + 1])
   * @param options.fromMs a visit that begins before it begins in no bucket
   * @param options.peopleMax as many as there may be
   */
  constructor(bounds: readonly number[], { fromMs, peopleMax, isOneClass }: SeriesOptions, arena: Arena) {
    this.#fromMs = fromMs;
    this.#isHourly = bounds.every((bound) => bound % HOUR_MS === 0);
    this.#limits = Float64Array.from(bounds);
    this.#count = Math.max(0, bounds.length - 1);
    this.#counts = new Accumulator(this.#count, arena);
    this.#begun = arena.u32(this.#count);
    this.#visitors = arena.u32(this.#count);
    this.#lastBucket = arena.u16(isOneClass ? peopleMax + 1 : 0);
    this.#pairs = isOneClass ? undefined : new Set();
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

  add(vector: SelectionVector, people: People): void {
    const { segment, count, visits, events, pageviews, bounced } = vector;
    const { ofVisits } = people;
    const { dayMs } = segment;
    const startMs = segment.column('startMs');
    const durationMs = segment.column('durationMs');
    const counts = this.#counts;
    const begun = this.#begun;
    const fromMs = this.#fromMs;
    let instants: Instants | undefined;
    let bucket = -1;
    let bucketFromMs = Number.POSITIVE_INFINITY;
    let bucketToMs = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number; // visits are within their columns, and buckets below the count
      const start = dayMs + (startMs[visit] as number);
      const duration = durationMs[visit] as number;
      if (start < bucketFromMs || start >= bucketToMs) {
        bucket = this.#find(start);
        bucketFromMs = this.#limits[bucket] ?? Number.NEGATIVE_INFINITY;
        bucketToMs = this.#limits[bucket + 1] ?? Number.POSITIVE_INFINITY;
      }
      const isInside = this.#isBucket(bucket);
      if (isInside && start >= fromMs) {
        (begun[bucket] as number) += 1;
        (counts.bounces[bucket] as number) += bounced[index] as number;
        (counts.durationMs[bucket] as number) += duration;
      }
      if (start + duration >= bucketToMs) {
        instants ??= new Instants(segment, this.#isHourly);
        this.#addEvents(vector, { visit, person: ofVisits[index] as number, bucket }, instants);
      } else if (isInside) {
        (counts.visits[bucket] as number) += 1;
        (counts.events[bucket] as number) += events[index] as number;
        (counts.pageviews[bucket] as number) += pageviews[index] as number;
        this.#meet(ofVisits[index] as number, bucket);
      }
    }
  }

  /** A visit that lies in several buckets. */
  #addEvents(
    { segment, hits }: SelectionVector,
    { visit, person, bucket: first }: CrossingVisit,
    instants: Instants,
  ): void {
    const from = segment.column('first')[visit] as number; // within the columns, as below
    const to = segment.column('first')[visit + 1] as number;
    const eventType = segment.column('eventType');
    const { atMs } = instants;
    const shift = instants.shiftOf(visit);
    let bucket = first;
    let counted = -1;
    for (let event = from; event < to; event += 1) {
      if (hits !== undefined && hits[event] === 0) continue;
      const instantMs = segment.dayMs + (atMs[event + shift] as number);
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

  /** −1 before the first bound; the count of buckets after the last. */
  #find(instantMs: number): number {
    let low = 0;
    let high = this.#limits.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#limits[middle] as number) <= instantMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** `bucket`: the one in which it begins. */
type CrossingVisit = { visit: number; person: number; bucket: number };

const BUCKETS = 2 ** 16;
