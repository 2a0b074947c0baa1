import { discardYoung, release } from '../garbage.ts';
import type { Arrivals } from './arrivals.ts';
import { completeDay, type Day } from './day.ts';
import type { EventRoom } from './event-room.ts';
import { MergedVisits } from './merged-visits.ts';

/** A day without further columns, and of each event the row where those are (see growing-day). */
export type MergedDay = { day: Day; rows: Uint32Array };

/**
 * Adds events to a day. The result is the same as if all had been there from the start, in whatever order they come:
 * an event can join visits or extend one, never split one, and the client and origin of a visit are those of its
 * first event, which is either the first of a visit that was there or a new one. So the day's own columns suffice and
 * the log is not read again. Of events of one instant those that were there are the earlier ones.
 *
 * A busy day is the largest thing in memory, and two of it would set the most that the service ever takes: what follows
 * from other columns goes first, and events move within the room that is left at the end of theirs.
 *
 * @param before   of which nothing is left afterwards; without a day an empty one, without rows each event is in its own
 * @param firstRow that of the first arrival
 * @param room     of the day's own, where its columns of events are
 */
export function mergeDay(
  before: { day: Day | undefined; rows: Uint32Array | undefined },
  dayNumber: number,
  arrivals: Arrivals,
  { firstRow, room }: { firstRow: number; room: EventRoom },
): MergedDay {
  const base = before.day ?? emptyDay(dayNumber);
  let freedBytes = 0;
  function free(columns: Iterable<ArrayBufferView>): void {
    for (const column of columns) freedBytes += release(column);
  }

  free([base.pageviews, base.entryPage, base.durationMs, ...base.extra.values(), ...base.wide.values()]);
  if (base.exits) free([base.exits]);
  const order = arrivals.sorted();
  const visits = new MergedVisits(base.visitCount + order.length, order.length);
  mergeVisits(visits, base, arrivals, order);
  const events = base.eventCount + order.length;
  const merge = (full: EventColumn, added: EventColumn) =>
    insert(full, base.eventCount, added, { order, places: visits.places });

  free([base.visitor, base.class, base.client, base.origin, base.first]);
  const { visitor, class: ownClass, client, origin, first } = visits.finish(events);
  // A day's own times fit into 32 bits: the wider column is for joined days.
  const atMs = room.u32('atMs', events, base.atMs as Uint32Array);
  merge(atMs, arrivals.atMs);
  const type = room.u8('type', events, base.type);
  merge(type, arrivals.type);
  const page = room.u32('page', events, base.page);
  merge(page, arrivals.page);
  const rows = room.u32('rows', events, before.rows);
  if (!before.rows) countUp(rows.subarray(0, base.eventCount), 0);
  merge(rows, countUp(new Uint32Array(order.length), firstRow));
  const core = { day: dayNumber, visitor, class: ownClass, client, origin, first, atMs, type, page };
  const merged = { day: completeDay(core), rows };
  discardYoung(freedBytes);
  return merged;
}

function countUp(numbers: Uint32Array, start: number): Uint32Array {
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = start + index;
  return numbers;
}

type EventColumn = Uint8Array | Uint32Array;

/** Rows that are moved one by one rather than as a stretch. */
const SHORT_ROWS = 16;

/**
 * Puts the arrivals between the events of a column, the last ones first, so that nothing is overwritten before it moved.
 *
 * @param column  as long as it will be; its events are at its beginning
 * @param stored  how many they are
 * @param order   the rows of the arrivals in theirs. @param places how many stored events are before each
 */
function insert(
  column: EventColumn,
  stored: number,
  added: EventColumn,
  { order, places }: { order: Uint32Array; places: Uint32Array },
): void {
  let end = stored;
  for (let next = order.length - 1; next >= 0; next -= 1) {
    // Places and rows are within their columns.
    const place = places[next] as number;
    const shift = next + 1;
    if (end - place > SHORT_ROWS) column.copyWithin(place + shift, place, end);
    else for (let row = end - 1; row >= place; row -= 1) column[row + shift] = column[row] as number;
    column[place + next] = added[order[next] as number] as number;
    end = place;
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
