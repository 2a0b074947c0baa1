import { AddedPlaces } from './added-places.ts';
import { AddedColumns, Arrivals } from './arrivals.ts';
import { ColumnReader } from './column-reader.ts';
import { DAY_MS, type Day, type FurtherColumns, freeDay, sizeBytes } from './day.ts';
import { DayRoom } from './day-room.ts';
import { mergeDay } from './merge-day.ts';
import type { PendingEvent } from './read-event.ts';

/**
 * A day that events are added to, in the order of their keys. Only the columns of every day are merged, with a list of
 * where the events stand that were added: their other columns stay as they came, and are put together with those on disk
 * when somebody asks. A busy day is the largest thing in memory, and each question about it merges what came since the
 * last one.
 */
export type GrowingDay = FurtherColumns & {
  eventCount(): number;
  add(event: PendingEvent, ordinal: number): void;
  /** With everything that was added, without further columns. Good until the next event is added. */
  current(): Day;
  /** What is stored has all that was added from now on. */
  saved(): void;
  bytes(): number;
  /** Gives its memory back at once; it is not to be used any more. */
  free(): void;
};

/** Events that wait to be merged, and of a larger day this part of it: each merge goes through the day. */
const ARRIVALS_MAX = 16_000;
const ARRIVALS_SHARE = 1 / 16;

/** @param first what is stored, without further columns */
export function createGrowingDay(
  dayNumber: number,
  first: Day | undefined,
  stored: FurtherColumns,
): GrowingDay {
  let day = first;
  let storedCount = first?.eventCount ?? 0;
  let arrivals = new Arrivals();
  let added = new AddedColumns();
  /** Of `added`. */
  const places = new AddedPlaces();
  const room = new DayRoom();
  let isBroken = false;

  function current(): Day {
    if (day && arrivals.count === 0) return day;
    if (isBroken) throw new Error(`Day ${dayNumber} could not be merged.`);
    isBroken = true; // the columns before are gone as soon as it begins
    const merged = mergeDay(day, dayNumber, arrivals, room);
    places.insert(merged, added.count - arrivals.count);
    day = merged.day;
    isBroken = false;
    arrivals.clear();
    return merged.day;
  }

  /** What is stored, in the order of the events as they are now, and what was added between. */
  function* gather<Column extends Uint32Array | Float64Array>(
    [before, later]: [stored: Iterable<Column>, added: Column],
    ends: readonly number[],
    create: (length: number) => Column,
  ): Generator<Column> {
    const reader = new ColumnReader(before);
    let from = 0;
    let next = 0;
    for (const end of ends) {
      const out = create(end - from);
      for (let event = from; event < end; ) {
        // Stretches of what is stored, with what was added between them, one by one. All are within their columns.
        const place = next < places.count ? (places.event[next] as number) : end;
        const stored = Math.min(place, end) - event;
        if (!reader.copyTo(out, event - from, stored)) throw isAnother(dayNumber);
        event += stored;
        if (event === end) break;
        out[event - from] = later[places.row[next] as number] as number;
        next += 1;
        event += 1;
      }
      from = end;
      if (end === ends.at(-1) && !reader.isAtEnd()) throw isAnother(dayNumber);
      yield out;
    }
  }

  return {
    eventCount: () => (day?.eventCount ?? 0) + arrivals.count,
    add(event, ordinal) {
      if (arrivals.count >= Math.max(ARRIVALS_MAX, (day?.eventCount ?? 0) * ARRIVALS_SHARE)) current();
      arrivals.add(event, dayNumber * DAY_MS);
      added.add(event, ordinal);
    },
    current,
    extra: (name, ends = [current().eventCount]) =>
      gather(
        [storedCount > 0 ? stored.extra(name) : [], added[name]],
        ends,
        (length) => new Uint32Array(length),
      ),
    wide: (name, ends = [current().eventCount]) =>
      gather(
        [storedCount > 0 ? stored.wide(name) : [], added[name]],
        ends,
        (length) => new Float64Array(length),
      ),
    saved() {
      storedCount = current().eventCount;
      places.clear();
      added.free();
      added = new AddedColumns();
      arrivals = new Arrivals(); // what it grew to is for a busy day
    },
    bytes: () => (day ? sizeBytes(day) : 0) + places.bytes() + arrivals.bytes() + added.bytes(),
    free() {
      if (day) freeDay(day);
      room.free();
      added.free();
      places.clear();
    },
  };
}

function isAnother(day: number): Error {
  return new Error(`Day ${day} is another one than the one that was opened.`);
}
