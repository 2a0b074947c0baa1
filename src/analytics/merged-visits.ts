import { trim } from '../garbage.ts';
import type { Arrivals } from './arrivals.ts';
import type { Day } from './day.ts';
import { VISIT_GAP_MS } from './vocabulary.ts';

/** Collects the visits, and where the arrivals go between the stored events. */
export class MergedVisits {
  /** Of each arrival, in their order: how many stored events are before it. */
  readonly places: Uint32Array;
  readonly #visitor: Uint32Array;
  readonly #class: Uint8Array;
  readonly #client: Uint32Array;
  readonly #origin: Uint32Array;
  readonly #first: Uint32Array;
  #visits = 0;
  #events = 0;
  #arrivals = 0;
  #lastAtMs = Number.NEGATIVE_INFINITY;

  constructor(visits: number, arrivals: number) {
    this.places = new Uint32Array(arrivals);
    this.#visitor = new Uint32Array(visits);
    this.#class = new Uint8Array(visits);
    this.#client = new Uint32Array(visits);
    this.#origin = new Uint32Array(visits);
    this.#first = new Uint32Array(visits + 1);
  }

  beginOwner(): void {
    this.#lastAtMs = Number.NEGATIVE_INFINITY;
  }

  copyVisits(day: Day, from: number, to: number): void {
    const fromEvent = day.first[from] ?? 0;
    const toEvent = day.first[to] ?? 0;
    const visits = this.#visits;
    const shift = this.#events - fromEvent;
    this.#visitor.set(day.visitor.subarray(from, to), visits);
    this.#class.set(day.class.subarray(from, to), visits);
    this.#client.set(day.client.subarray(from, to), visits);
    this.#origin.set(day.origin.subarray(from, to), visits);
    for (let visit = from; visit < to; visit += 1)
      this.#first[visits + visit - from] = (day.first[visit] ?? 0) + shift;
    this.#visits += to - from;
    this.#events += toEvent - fromEvent;
  }

  addStored(day: Day, visit: number, event: number): void {
    const atMs = day.atMs[event] ?? 0;
    if (this.#isNewVisit(atMs))
      this.#begin(
        day.visitor[visit] ?? 0,
        day.class[visit] ?? 0,
        day.client[visit] ?? 0,
        day.origin[visit] ?? 0,
      );
    this.#events += 1;
  }

  /** @param place how many stored events are before it */
  addArrival({ atMs, visitor, class: classes, client, origin }: Arrivals, row: number, place: number): void {
    if (this.#isNewVisit(atMs[row] ?? 0))
      this.#begin(visitor[row] ?? 0, classes[row] ?? 0, client[row] ?? 0, origin[row] ?? 0);
    this.places[this.#arrivals] = place;
    this.#arrivals += 1;
    this.#events += 1;
  }

  /** When this event is the owner's first, or comes after a pause. */
  #isNewVisit(atMs: number): boolean {
    const isNew = atMs - this.#lastAtMs > VISIT_GAP_MS;
    this.#lastAtMs = atMs;
    return isNew;
  }

  #begin(visitor: number, ownClass: number, client: number, origin: number): void {
    const visit = this.#visits;
    this.#visitor[visit] = visitor;
    this.#class[visit] = ownClass;
    this.#client[visit] = client;
    this.#origin[visit] = origin;
    this.#first[visit] = this.#events;
    this.#visits += 1;
  }

  /** Arrivals were counted as a visit each; without what was not needed no column carries dead bytes. */
  finish(events: number) {
    const visits = this.#visits;
    this.#first[visits] = events;
    return {
      visitor: trim(this.#visitor, visits),
      class: trim(this.#class, visits),
      client: trim(this.#client, visits),
      origin: trim(this.#origin, visits),
      first: trim(this.#first, visits + 1),
    };
  }
}
