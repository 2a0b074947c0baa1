import { completeDay, type Day, EXTRA_COLUMNS, WIDE_COLUMNS } from './day.ts';
import type { PendingEvent } from './read-event.ts';
import { VISIT_GAP_MS } from './vocabulary.ts';

/**
 * Adds events to a day. The result is the same as if all had been there from the start, in whatever order they come:
 * an event can join visits or extend one, never split one, and the client and origin of a visit are those of its
 * first event, which is either the first of a visit that was there or a new one. So the day's own columns suffice and
 * the log is not read again.
 *
 * @param day      with all of its extra and wide columns; undefined for an empty day
 * @param arrivals of that day, in any order; sorted in place
 */
export function mergeDay(day: Day | undefined, dayNumber: number, arrivals: PendingEvent[]): Day {
  arrivals.sort(
    (a, b) => a.visitor - b.visitor || a.class - b.class || a.createdAtMs - b.createdAtMs || a.key - b.key,
  );
  const base = day ?? emptyDay(dayNumber);
  const out = new DayWriter(dayNumber, base.visitCount + arrivals.length, base.eventCount + arrivals.length);
  let visit = 0;
  let next = 0;
  while (visit < base.visitCount || next < arrivals.length) {
    const arrival = arrivals[next];
    const order = arrival ? compareOwner(base, visit, arrival) : -1;
    if (order < 0) {
      const until = arrival ? firstVisitFrom(base, visit, arrival) : base.visitCount;
      out.copyVisits(base, visit, until);
      visit = until;
      continue;
    }
    // All visits and arrivals of one owner (visitor and class).
    const fromVisit = visit;
    const fromArrival = next;
    // Not undefined: the order would be negative.
    const { visitor, class: ownClass } = arrival as PendingEvent;
    while (arrivals[next]?.visitor === visitor && arrivals[next]?.class === ownClass) next += 1;
    if (order === 0)
      while (base.visitor[visit] === visitor && base.class[visit] === ownClass && visit < base.visitCount)
        visit += 1;
    mergeOwner(out, base, fromVisit, visit, arrivals, fromArrival, next);
  }
  return out.finish();
}

/** Whose events come first: negative when the visit's owner does. */
function compareOwner(day: Day, visit: number, arrival: PendingEvent): number {
  if (visit >= day.visitCount) return 1;
  // Within the columns.
  return (day.visitor[visit] as number) - arrival.visitor || (day.class[visit] as number) - arrival.class;
}

/** The first visit at or after `from` whose owner is not before the arrival's. */
function firstVisitFrom(day: Day, from: number, arrival: PendingEvent): number {
  let low = from;
  let high = day.visitCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareOwner(day, middle, arrival) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Two lists of one owner's events, each in the order of (time, key), become one, cut anew where it pauses. */
function mergeOwner(
  out: DayWriter,
  base: Day,
  fromVisit: number,
  toVisit: number,
  arrivals: PendingEvent[],
  fromArrival: number,
  toArrival: number,
): void {
  const keys = base.wide.get('key');
  let visit = fromVisit;
  let event = base.first[fromVisit] ?? 0;
  const lastEvent = base.first[toVisit] ?? 0;
  let next = fromArrival;
  out.beginOwner();
  while (event < lastEvent || next < toArrival) {
    const arrival = next < toArrival ? arrivals[next] : undefined;
    const isStored =
      event < lastEvent &&
      (!arrival || compare(base.startMs + (base.atMs[event] ?? 0), keys?.[event] ?? 0, arrival) < 0);
    if (isStored) {
      while (event >= (base.first[visit + 1] ?? 0)) visit += 1;
      out.addStored(base, visit, event);
      event += 1;
    } else if (arrival) {
      out.addArrival(arrival);
      next += 1;
    }
  }
}

function compare(atMs: number, key: number, arrival: PendingEvent): number {
  return atMs - arrival.createdAtMs || key - arrival.key;
}

function emptyDay(day: number): Day {
  const none = new Uint32Array(0);
  const empty = completeDay({
    day,
    visitor: none,
    class: new Uint8Array(0),
    client: none,
    origin: none,
    first: new Uint32Array(1),
    atMs: none,
    type: new Uint8Array(0),
    page: none,
  });
  for (const name of EXTRA_COLUMNS) empty.extra.set(name, none);
  for (const name of WIDE_COLUMNS) empty.wide.set(name, new Float64Array(0));
  return empty;
}

/** Collects the columns of a day, visit after visit. */
class DayWriter {
  readonly #day: number;
  readonly #startMs: number;
  readonly #visitor: Uint32Array;
  readonly #class: Uint8Array;
  readonly #client: Uint32Array;
  readonly #origin: Uint32Array;
  readonly #first: Uint32Array;
  readonly #atMs: Uint32Array;
  readonly #type: Uint8Array;
  readonly #page: Uint32Array;
  readonly #hostname: Uint32Array;
  readonly #event: Uint32Array;
  readonly #ordinal: Uint32Array;
  readonly #key: Float64Array;
  readonly #session: Float64Array;
  #visits = 0;
  #events = 0;
  #lastAtMs = Number.NEGATIVE_INFINITY;

  constructor(day: number, visits: number, events: number) {
    this.#day = day;
    this.#startMs = day * 86_400_000;
    this.#visitor = new Uint32Array(visits);
    this.#class = new Uint8Array(visits);
    this.#client = new Uint32Array(visits);
    this.#origin = new Uint32Array(visits);
    this.#first = new Uint32Array(visits + 1);
    this.#atMs = new Uint32Array(events);
    this.#type = new Uint8Array(events);
    this.#page = new Uint32Array(events);
    this.#hostname = new Uint32Array(events);
    this.#event = new Uint32Array(events);
    this.#ordinal = new Uint32Array(events);
    this.#key = new Float64Array(events);
    this.#session = new Float64Array(events);
  }

  beginOwner(): void {
    this.#lastAtMs = Number.NEGATIVE_INFINITY;
  }

  copyVisits(day: Day, from: number, to: number): void {
    const fromEvent = day.first[from] ?? 0;
    const toEvent = day.first[to] ?? 0;
    const visits = this.#visits;
    const events = this.#events;
    this.#visitor.set(day.visitor.subarray(from, to), visits);
    this.#class.set(day.class.subarray(from, to), visits);
    this.#client.set(day.client.subarray(from, to), visits);
    this.#origin.set(day.origin.subarray(from, to), visits);
    for (let visit = from; visit < to; visit += 1)
      this.#first[visits + visit - from] = (day.first[visit] ?? 0) - fromEvent + events;
    this.#atMs.set(day.atMs.subarray(fromEvent, toEvent), events);
    this.#type.set(day.type.subarray(fromEvent, toEvent), events);
    this.#page.set(day.page.subarray(fromEvent, toEvent), events);
    for (const [name, column] of [
      ['hostname', this.#hostname],
      ['event', this.#event],
      ['ordinal', this.#ordinal],
    ] as const) {
      const stored = day.extra.get(name);
      if (stored) column.set(stored.subarray(fromEvent, toEvent), events);
    }
    for (const [name, column] of [
      ['key', this.#key],
      ['session', this.#session],
    ] as const) {
      const stored = day.wide.get(name);
      if (stored) column.set(stored.subarray(fromEvent, toEvent), events);
    }
    this.#visits += to - from;
    this.#events += toEvent - fromEvent;
  }

  addStored(day: Day, visit: number, event: number): void {
    this.#begin(
      day.visitor[visit] ?? 0,
      day.class[visit] ?? 0,
      day.client[visit] ?? 0,
      day.origin[visit] ?? 0,
      day.atMs[event] ?? 0,
    );
    const index = this.#events;
    this.#atMs[index] = day.atMs[event] ?? 0;
    this.#type[index] = day.type[event] ?? 0;
    this.#page[index] = day.page[event] ?? 0;
    this.#hostname[index] = day.extra.get('hostname')?.[event] ?? 0;
    this.#event[index] = day.extra.get('event')?.[event] ?? 0;
    this.#ordinal[index] = day.extra.get('ordinal')?.[event] ?? 0;
    this.#key[index] = day.wide.get('key')?.[event] ?? 0;
    this.#session[index] = day.wide.get('session')?.[event] ?? 0;
    this.#events += 1;
  }

  addArrival(arrival: PendingEvent): void {
    const atMs = arrival.createdAtMs - this.#startMs;
    this.#begin(arrival.visitor, arrival.class, arrival.client, arrival.origin, atMs);
    const index = this.#events;
    this.#atMs[index] = atMs;
    this.#type[index] = arrival.type;
    this.#page[index] = arrival.page;
    this.#hostname[index] = arrival.hostname;
    this.#event[index] = arrival.event;
    this.#ordinal[index] = arrival.ordinal;
    this.#key[index] = arrival.key;
    this.#session[index] = arrival.session;
    this.#events += 1;
  }

  /** Opens a visit when this event is the owner's first, or comes after a pause. */
  #begin(visitor: number, ownClass: number, client: number, origin: number, atMs: number): void {
    const isSameVisit = atMs - this.#lastAtMs <= VISIT_GAP_MS;
    this.#lastAtMs = atMs;
    if (isSameVisit) return;
    const visit = this.#visits;
    this.#visitor[visit] = visitor;
    this.#class[visit] = ownClass;
    this.#client[visit] = client;
    this.#origin[visit] = origin;
    this.#first[visit] = this.#events;
    this.#visits += 1;
  }

  finish(): Day {
    const visits = this.#visits;
    this.#first[visits] = this.#events;
    // Arrivals were counted as a visit each; cut what was not needed, so that no column carries dead bytes.
    const day = completeDay({
      day: this.#day,
      visitor: this.#visitor.slice(0, visits),
      class: this.#class.slice(0, visits),
      client: this.#client.slice(0, visits),
      origin: this.#origin.slice(0, visits),
      first: this.#first.slice(0, visits + 1),
      atMs: this.#atMs,
      type: this.#type,
      page: this.#page,
    });
    day.extra.set('hostname', this.#hostname);
    day.extra.set('event', this.#event);
    day.extra.set('ordinal', this.#ordinal);
    day.wide.set('key', this.#key);
    day.wide.set('session', this.#session);
    return day;
  }
}
