import { discardYoung, release } from '../garbage.ts';
import type { Arrivals } from './arrivals.ts';
import { completeDay, type Day } from './day.ts';
import { MergedVisits } from './merged-visits.ts';

/** A day without further columns, and of each event the row where those are (see growing-day). */
export type MergedDay = { day: Day; rows: Uint32Array };

/**
 * Adds events to a day. The result is the same as if all had been there from the start, in whatever order they come:
 * an event can join visits or extend one, never split one, and the client and origin of a visit are those of its
 * first event, which is either the first of a visit that was there or a new one. So the day's own columns suffice and
 * the log is not read again. Of events of one instant those that were there are the earlier ones.
 *
 * Columns are merged one after the other, and each is given back when its successor is there: a busy day is the
 * largest thing in memory, and two of it would set the most that the service ever takes.
 *
 * @param before   of which nothing is left afterwards; without a day an empty one, without rows each event is in its own
 * @param firstRow that of the first arrival
 */
export function mergeDay(
  before: { day: Day | undefined; rows: Uint32Array | undefined },
  dayNumber: number,
  arrivals: Arrivals,
  firstRow: number,
): MergedDay {
  const base = before.day ?? emptyDay(dayNumber);
  const order = arrivals.sorted();
  const visits = new MergedVisits(base.visitCount + order.length, order.length);
  mergeVisits(visits, base, arrivals, order);
  const events = base.eventCount + order.length;
  let freedBytes = 0;
  function merge<Column extends EventColumn>(stored: Column, added: Column, out: Column): Column {
    mergeColumn(stored, added, { order, places: visits.places, out });
    freedBytes += release(stored);
    return out;
  }

  for (const column of [...visitColumns(base), ...base.extra.values(), ...base.wide.values()])
    freedBytes += release(column);
  if (base.exits) freedBytes += release(base.exits);
  const { visitor, class: ownClass, client, origin, first } = visits.finish(events);
  // A day's own times fit into 32 bits: the wider column is for joined days.
  const atMs = merge(base.atMs as Uint32Array, arrivals.atMs, new Uint32Array(events));
  const type = merge(base.type, arrivals.type, new Uint8Array(events));
  const page = merge(base.page, arrivals.page, new Uint32Array(events));
  const own = before.rows ?? countUp(0, base.eventCount);
  const rows = merge(own, countUp(firstRow, order.length), new Uint32Array(events));
  const core = { day: dayNumber, visitor, class: ownClass, client, origin, first, atMs, type, page };
  const merged = { day: completeDay(core), rows };
  discardYoung(freedBytes);
  return merged;
}

function countUp(from: number, length: number): Uint32Array {
  const numbers = new Uint32Array(length);
  for (let index = 0; index < length; index += 1) numbers[index] = from + index;
  return numbers;
}

type EventColumn = Uint8Array | Uint32Array;

function visitColumns({
  visitor,
  class: classes,
  client,
  origin,
  first,
  pageviews,
  entryPage,
  durationMs,
}: Day) {
  return [visitor, classes, client, origin, first, pageviews, entryPage, durationMs];
}

/** Rows that are copied one by one rather than as a stretch. */
const SHORT_ROWS = 16;

/** @param order the rows of the arrivals in theirs. @param places how many stored events are before each */
function mergeColumn(
  stored: EventColumn,
  added: EventColumn,
  { order, places, out }: { order: Uint32Array; places: Uint32Array; out: EventColumn },
): void {
  let read = 0;
  let write = 0;
  for (let next = 0; next <= order.length; next += 1) {
    // Places and rows are within their columns.
    const until = next < order.length ? (places[next] as number) : stored.length;
    if (until - read > SHORT_ROWS) {
      out.set(stored.subarray(read, until), write);
      write += until - read;
      read = until;
    }
    for (; read < until; read += 1, write += 1) out[write] = stored[read] as number;
    if (next < order.length) out[write] = added[order[next] as number] as number;
    write += 1;
  }
}

function mergeVisits(out: MergedVisits, base: Day, arrivals: Arrivals, rows: Uint32Array): void {
  let visit = 0;
  let next = 0;
  while (visit < base.visitCount || next < rows.length) {
    const row = rows[next];
    const order = row === undefined ? -1 : compareOwner(base, visit, arrivals, row);
    if (order < 0) {
      const until = row === undefined ? base.visitCount : firstVisitFrom(base, visit, arrivals, row);
      out.copyVisits(base, visit, until);
      visit = until;
      continue;
    }
    // All visits and arrivals of one owner (visitor and class).
    const fromVisit = visit;
    const fromNext = next;
    // Not undefined: the order would be negative.
    const visitor = arrivals.visitor[row as number];
    const ownClass = arrivals.class[row as number];
    while (
      next < rows.length &&
      arrivals.visitor[rows[next] as number] === visitor &&
      arrivals.class[rows[next] as number] === ownClass
    )
      next += 1;
    if (order === 0)
      while (visit < base.visitCount && base.visitor[visit] === visitor && base.class[visit] === ownClass)
        visit += 1;
    mergeOwner(out, base, [fromVisit, visit], arrivals, rows.subarray(fromNext, next));
  }
}

/** Whose events come first: negative when the visit's owner does. */
function compareOwner(day: Day, visit: number, arrivals: Arrivals, row: number): number {
  if (visit >= day.visitCount) return 1;
  // Within the columns.
  return (
    (day.visitor[visit] as number) - (arrivals.visitor[row] as number) ||
    (day.class[visit] as number) - (arrivals.class[row] as number)
  );
}

/** The first visit at or after `from` whose owner is not before the arrival's. */
function firstVisitFrom(day: Day, from: number, arrivals: Arrivals, row: number): number {
  let low = from;
  let high = day.visitCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareOwner(day, middle, arrivals, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Two lists of one owner's events, each in the order of (time, key), become one, cut anew where it pauses. */
function mergeOwner(
  out: MergedVisits,
  base: Day,
  [fromVisit, toVisit]: [number, number],
  arrivals: Arrivals,
  rows: Uint32Array,
): void {
  let visit = fromVisit;
  let event = base.first[fromVisit] ?? 0;
  const lastEvent = base.first[toVisit] ?? 0;
  let next = 0;
  out.beginOwner();
  while (event < lastEvent || next < rows.length) {
    const row = rows[next];
    const isStored =
      event < lastEvent && (row === undefined || (base.atMs[event] ?? 0) <= (arrivals.atMs[row] ?? 0));
    if (isStored) {
      while (event >= (base.first[visit + 1] ?? 0)) visit += 1;
      out.addStored(base, visit, event);
      event += 1;
    } else if (row !== undefined) {
      out.addArrival(arrivals, row, event);
      next += 1;
    }
  }
}

function emptyDay(day: number): Day {
  const none = new Uint32Array(0);
  return completeDay({
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
}
