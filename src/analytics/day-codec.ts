import { encodeColumns, lengthOf, openColumns, unpack } from './column-codec.ts';
import type { Column } from './column-loops.ts';
import { completeDay, type Day, dayBytes } from './day.ts';
import { type Allocate, OWN } from './slab.ts';

/** Visits of a day, from the first of them up to, without, the other. */
export type VisitRange = { from: number; to: number };

/** Some visits of a day as a blob: the columns that cannot be computed from others. A smaller day is one of all of them. */
export function encodeVisits(day: Day, { from, to }: VisitRange): Uint8Array {
  const { first } = day;
  const counts = new Uint32Array(to - from);
  for (let visit = from; visit < to; visit += 1)
    counts[visit - from] = (first[visit + 1] as number) - (first[visit] as number); // it has one more than there are visits
  const fromEvent = first[from] as number;
  const toEvent = first[to] as number;
  const columns: Column[] = [
    day.visitor.subarray(from, to),
    day.class.subarray(from, to),
    day.client.subarray(from, to),
    day.origin.subarray(from, to),
    counts,
    day.atMs.subarray(fromEvent, toEvent),
    day.type.subarray(fromEvent, toEvent),
    day.page.subarray(fromEvent, toEvent),
  ];
  return encodeColumns(columns);
}

export function encodeDay(day: Day): Uint8Array {
  return encodeVisits(day, { from: 0, to: day.visitCount });
}

type Size = { visits: number; events: number };

/** How many visits and events a blob has. */
export function sizeOf(blob: Uint8Array): Size {
  const bytes = openColumns(blob);
  return { visits: lengthOf(bytes, 0), events: lengthOf(bytes, 5) };
}

/** What a packed day will take in memory. */
export function decodedBytes(blob: Uint8Array): number {
  const { visits, events } = sizeOf(blob);
  return dayBytes(visits, events);
}

export function decodeDay(day: number, blob: Uint8Array, allocate: Allocate = OWN): Day {
  return joinVisits(day, sizeOf(blob), [blob], allocate);
}

/**
 * A day from the blobs of its visits, in their order.
 *
 * @param size of all of them
 */
export function joinVisits(
  day: number,
  { visits, events }: Size,
  blobs: Iterable<Uint8Array>,
  allocate: Allocate = OWN,
): Day {
  const core = {
    day,
    visitor: allocate.u32(visits),
    class: allocate.u8(visits),
    client: allocate.u32(visits),
    origin: allocate.u32(visits),
    first: allocate.u32(visits + 1),
    atMs: allocate.u32(events),
    type: allocate.u8(events),
    page: allocate.u32(events),
  };
  let visit = 0;
  let event = 0;
  for (const blob of blobs) {
    const bytes = openColumns(blob);
    const some = sizeOf(bytes);
    const ofVisits = (column: Uint32Array | Uint8Array) => column.subarray(visit, visit + some.visits);
    const ofEvents = (column: Uint32Array | Uint8Array) => column.subarray(event, event + some.events);
    unpack(bytes, 0, ofVisits(core.visitor));
    unpack(bytes, 1, ofVisits(core.class));
    unpack(bytes, 2, ofVisits(core.client));
    unpack(bytes, 3, ofVisits(core.origin));
    unpack(bytes, 4, core.first.subarray(visit + 1, visit + 1 + some.visits)); // how many events each visit has
    unpack(bytes, 5, ofEvents(core.atMs));
    unpack(bytes, 6, ofEvents(core.type));
    unpack(bytes, 7, ofEvents(core.page));
    visit += some.visits;
    event += some.events;
  }
  if (visit !== visits || event !== events) throw new Error(`Day ${day} is without a part of its events.`);
  const { first } = core;
  first[0] = 0;
  for (let index = 1; index < first.length; index += 1)
    first[index] = (first[index] as number) + (first[index - 1] as number); // within the column
  return completeDay(core, allocate);
}
