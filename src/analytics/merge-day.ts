import { discardYoung, giveBack } from '../garbage.ts';
import type { Arrivals } from './arrivals.ts';
import { ChangedVisits } from './changed-visits.ts';
import { completeDay, completeVisits, composeDay, type Day } from './day.ts';
import { type DayRoom, moveRows, type RoomyColumn } from './day-room.ts';

/** Without further columns. */
export type MergedDay = {
  day: Day;
  /** The rows of the arrivals in the order of the day, and how many events that were there are before each. */
  order: Uint32Array;
  places: Uint32Array;
};

/** What is needed of each arrival until it is in its place, about. */
const GARBAGE_BYTES = 50;

/**
 * Adds events to a day. The result is the same as if all had been there from the start, in whatever order they come:
 * an event can join visits or extend one, never split one, and the client and origin of a visit are those of its
 * first event, which is either the first of a visit that was there or a new one. So the day's own columns suffice and
 * the log is not read again. Of events of one instant those that were there are the earlier ones.
 *
 * A busy day is the largest thing in memory, and two of it would set the most that the service ever takes: so what is
 * there moves within the room that is left at the end of each column.
 *
 * @param before of which nothing is left afterwards; without a day an empty one
 * @param room   of the day's own, where its columns are
 */
export function mergeDay(
  before: Day | undefined,
  dayNumber: number,
  arrivals: Arrivals,
  room: DayRoom,
): MergedDay {
  const base = before ?? emptyDay(dayNumber);
  for (const column of [...base.extra.values(), ...base.wide.values()]) giveBack(column);
  if (base.exits) giveBack(base.exits);
  const order = arrivals.sorted();
  const changed = new ChangedVisits(base, arrivals, order);
  const { places } = changed;
  const eventCount = base.eventCount + order.length;
  const ofEvents = <Column extends RoomyColumn>(column: Column, added: Uint8Array | Uint32Array) =>
    insert(column, base.eventCount, added, { order, places });
  const atMs = ofEvents(room.u32('atMs', eventCount, ownTimes(base.atMs)), arrivals.atMs);
  const type = ofEvents(room.u8('type', eventCount, base.type), arrivals.type);
  const page = ofEvents(room.u32('page', eventCount, base.page), arrivals.page);

  const visitCount = changed.visitCount();
  const visitsMost = Math.max(visitCount, base.visitCount);
  const column = (name: 'visitor' | 'client' | 'origin') =>
    changed.replace(room.u32(name, visitsMost, base[name]), changed[name]).subarray(0, visitCount);
  const moved = (name: string, figures: Uint32Array) =>
    changed.move(room.u32(name, visitsMost, figures)).subarray(0, visitCount);
  const first = changed.replaceFirst(room.u32('first', visitsMost + 1, base.first), eventCount);
  const core = {
    day: dayNumber,
    visitor: column('visitor'),
    class: changed.replace(room.u8('class', visitsMost, base.class), changed.class).subarray(0, visitCount),
    client: column('client'),
    origin: column('origin'),
    first: first.subarray(0, visitCount + 1),
    atMs,
    type,
    page,
  };
  const day = composeDay(core, {
    pageviews: moved('pageviews', base.pageviews),
    entryPage: moved('entryPage', base.entryPage),
    durationMs: moved('durationMs', ownTimes(base.durationMs)),
  });
  changed.eachMade((from, to) => completeVisits(day, from, to));
  discardYoung(order.length * GARBAGE_BYTES);
  return { day, order, places };
}

/** Those of a day that is not joined from others always fit into 32 bits. */
function ownTimes(column: Day['atMs']): Uint32Array {
  if (column instanceof Uint32Array) return column;
  throw new Error('Events can be added to a day of its own only.');
}

/**
 * Puts the arrivals between the events of a column, the last ones first, so that nothing is overwritten before it moved.
 *
 * @param column  as long as it will be; its events are at its beginning
 * @param stored  how many they are
 * @param order   the rows of the arrivals in theirs. @param places how many stored events are before each
 */
function insert<Column extends RoomyColumn>(
  column: Column,
  stored: number,
  added: Uint8Array | Uint32Array,
  { order, places }: { order: Uint32Array; places: Uint32Array },
): Column {
  let end = stored;
  for (let next = order.length - 1; next >= 0; next -= 1) {
    // Places and rows are within their columns.
    const place = places[next] as number;
    moveRows(column, place, end, next + 1);
    column[place + next] = added[order[next] as number] as number;
    end = place;
  }
  return column;
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
