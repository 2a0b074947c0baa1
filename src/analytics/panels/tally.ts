import { type CountColumns, createCounts } from './figures.ts';
import { takeNumbers } from './scratch.ts';

/** Two counters share one number, so that loops over visits and events write half as often: this much is one of the second. */
export const HIGH = 2 ** 26;

/** What a visit adds to Tally.visitsAndBounces: one that did not bounce, and one that did. */
export const ONE_VISIT = Float64Array.of(1, 1 + HIGH);

export function lowOf(pair: number): number {
  return pair % HIGH;
}
export function highOf(pair: number): number {
  return Math.floor(pair / HIGH);
}

/**
 * Counts of numbered values while they are being counted, a place for each number from 0 to size − 1. What is counted
 * between two calls of `reserve` is at most HIGH − 1: as many events as no day has that fits into memory.
 */
export class Tally {
  /** Events, and HIGH for each pageview. */
  eventsAndViews: Float64Array;
  /** Visits, and HIGH for each bounce. */
  visitsAndBounces: Float64Array;
  durationMs: Float64Array;
  #room = HIGH - 1;
  #columns: CountColumns | undefined;

  constructor(size: number) {
    this.eventsAndViews = takeNumbers(size);
    this.visitsAndBounces = takeNumbers(size);
    this.durationMs = takeNumbers(size);
  }

  get size(): number {
    return this.durationMs.length;
  }

  /** To be called before so many events are counted. */
  reserve(events: number): void {
    this.#room -= events;
    if (this.#room >= 0) return;
    this.columns();
    this.#room = HIGH - 1 - events;
  }

  grow(size: number): void {
    const before = this.columns();
    this.eventsAndViews = takeNumbers(size);
    this.visitsAndBounces = takeNumbers(size);
    this.durationMs = takeNumbers(size);
    this.#columns = createCounts(size);
    for (const key of Object.keys(before) as (keyof CountColumns)[]) this.#columns[key].set(before[key]);
  }

  /** Moves what was counted to where each counter is a number of its own. The same columns each time, until it grows. */
  columns(): CountColumns {
    this.#columns ??= createCounts(this.size);
    const { eventsAndViews, visitsAndBounces, durationMs } = this;
    const counts = this.#columns;
    for (let number = 0; number < eventsAndViews.length; number += 1) {
      const events = eventsAndViews[number] as number; // below the size, as all others
      if (events === 0) continue;
      const visits = visitsAndBounces[number] as number;
      (counts.events[number] as number) += lowOf(events);
      (counts.pageviews[number] as number) += highOf(events);
      (counts.visits[number] as number) += lowOf(visits);
      (counts.bounces[number] as number) += highOf(visits);
      (counts.durationMs[number] as number) += durationMs[number] as number;
      eventsAndViews[number] = 0;
      visitsAndBounces[number] = 0;
      durationMs[number] = 0;
    }
    return counts;
  }
}
