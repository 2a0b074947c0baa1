import { HOUR_MS } from '../../../vocabulary/durations.ts';
import type { Figures } from '../../interface/query.ts';
import type { Arena } from '../memory/arena.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import { Accumulator, figuresOf } from './accumulator.ts';
import { Buckets } from './buckets.ts';
import { Instants } from './instants.ts';
import type { VisitorIds } from './people.ts';
import type { SelectionVector } from './select.ts';

export type SeriesOptions = { fromMs: number; peopleMax: number; isOneClass: boolean };

/**
 * Counts the buckets of a series. Means of a bucket are over the visits that begin in it: `bounces` and `durationMs` are
 * added where a visit begins, and `#begun` counts those visits.
 */
export class Series {
  readonly #buckets: Buckets;
  readonly #counts: Accumulator;
  readonly #begun: Uint32Array;
  readonly #visitors: Uint32Array;
  /** Last bucket (+ 1) in which each visitor was counted: the visits of one class are in order of time. */
  readonly #lastBucket: Uint16Array;
  /** Pairs of visitor and bucket, when visits of several classes may overlap. */
  readonly #pairs: Set<number> | undefined;
  readonly #fromMs: number;
  readonly #isHourly: boolean;

  /**
   * @param bounds bounds of the buckets, ascending
   * @param options.fromMs a visit that begins before it begins in no bucket
   * @param options.peopleMax maximum number of visitors
   */
  constructor(bounds: readonly number[], { fromMs, peopleMax, isOneClass }: SeriesOptions, arena: Arena) {
    this.#fromMs = fromMs;
    this.#isHourly = bounds.every((bound) => bound % HOUR_MS === 0);
    this.#buckets = new Buckets(bounds);
    const { count } = this.#buckets;
    this.#counts = new Accumulator(count, arena);
    this.#begun = arena.u32(count);
    this.#visitors = arena.u32(count);
    this.#lastBucket = arena.u16(isOneClass ? peopleMax + 1 : 0);
    this.#pairs = isOneClass ? undefined : new Set();
  }

  finish(withWeights = false): Figures[] {
    return Array.from({ length: this.#buckets.count }, (_, bucket) => {
      const begun = this.#begun[bucket] as number;
      const means = {
        visits: begun,
        bounces: this.#counts.bounces[bucket] as number,
        durationMs: this.#counts.durationMs[bucket] as number,
        ofDuration: begun,
      };
      return figuresOf(this.#counts, bucket, this.#visitors[bucket] as number, means, withWeights);
    });
  }

  add(vector: SelectionVector, people: VisitorIds): void {
    const { segment, count, visits } = vector;
    const { events, pageviews, bounced } = vector.weights();
    const { ofVisits } = people;
    const { dayMs } = segment;
    const buckets = this.#buckets;
    const startMs = segment.column('startMs');
    const durationMs = segment.column('durationMs');
    const fromMs = this.#fromMs;
    let instants: Instants | undefined;
    let bucket = -1;
    let bucketFromMs = Number.POSITIVE_INFINITY;
    let bucketToMs = Number.NEGATIVE_INFINITY;
    // Sums of consecutive visits in one bucket, usually the whole segment.
    let visitSum = 0;
    let eventSum = 0;
    let viewSum = 0;
    let begunSum = 0;
    let bounceSum = 0;
    let durationSum = 0;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const start = dayMs + (startMs[visit] as number);
      const duration = durationMs[visit] as number;
      if (start < bucketFromMs || start >= bucketToMs) {
        this.#addSums(bucket, visitSum, eventSum, viewSum);
        this.#addBegun(bucket, begunSum, bounceSum, durationSum);
        visitSum = eventSum = viewSum = begunSum = bounceSum = durationSum = 0;
        bucket = buckets.find(start);
        bucketFromMs = buckets.bounds[bucket] ?? Number.NEGATIVE_INFINITY;
        bucketToMs = buckets.bounds[bucket + 1] ?? Number.POSITIVE_INFINITY;
      }
      if (start >= fromMs) {
        begunSum += 1;
        bounceSum += bounced[index] as number;
        durationSum += duration;
      }
      if (start + duration >= bucketToMs) {
        instants ??= new Instants(segment, this.#isHourly);
        this.#addEvents(vector, { visit, person: ofVisits[index] as number, bucket }, instants);
      } else if (buckets.has(bucket)) {
        visitSum += 1;
        eventSum += events[index] as number;
        viewSum += pageviews[index] as number;
        this.#meet(ofVisits[index] as number, bucket);
      }
    }
    this.#addSums(bucket, visitSum, eventSum, viewSum);
    this.#addBegun(bucket, begunSum, bounceSum, durationSum);
  }

  #addSums(bucket: number, visits: number, events: number, pageviews: number): void {
    const counts = this.#counts;
    if (!this.#buckets.has(bucket)) return;
    (counts.visits[bucket] as number) += visits;
    (counts.events[bucket] as number) += events;
    (counts.pageviews[bucket] as number) += pageviews;
  }

  #addBegun(bucket: number, visits: number, bounces: number, durationMs: number): void {
    if (!this.#buckets.has(bucket)) return;
    (this.#begun[bucket] as number) += visits;
    (this.#counts.bounces[bucket] as number) += bounces;
    (this.#counts.durationMs[bucket] as number) += durationMs;
  }

  /** Adds a visit that spans several buckets. */
  #addEvents(
    { segment, hits }: SelectionVector,
    { visit, person, bucket: first }: CrossingVisit,
    instants: Instants,
  ): void {
    const from = segment.column('first')[visit] as number;
    const to = segment.column('first')[visit + 1] as number;
    const eventType = segment.column('eventType');
    const { atMs } = instants;
    const shift = instants.shiftOf(visit);
    const buckets = this.#buckets;
    let bucket = first;
    let counted = -1;
    for (let event = from; event < to; event += 1) {
      if (hits !== undefined && hits[event] === 0) continue;
      const instantMs = segment.dayMs + (atMs[event + shift] as number);
      while (bucket < buckets.count && instantMs >= (buckets.bounds[bucket + 1] as number)) bucket += 1;
      if (!buckets.has(bucket)) continue;
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
      const pair = person * BUCKETS_MAX + bucket;
      if (this.#pairs.has(pair)) return;
      this.#pairs.add(pair);
    } else {
      if (this.#lastBucket[person] === bucket + 1) return;
      this.#lastBucket[person] = bucket + 1;
    }
    (this.#visitors[bucket] as number) += 1;
  }
}

/** `bucket` is the one in which the visit begins. */
type CrossingVisit = { visit: number; person: number; bucket: number };

const BUCKETS_MAX = 2 ** 16;
