import { giveBack } from '../garbage.ts';
import { AddedColumns, Arrivals } from './arrivals.ts';
import {
  DAY_MS,
  type Day,
  type ExtraColumn,
  type FurtherColumns,
  freeDay,
  sizeBytes,
  type WideColumn,
} from './day.ts';
import { mergeDay } from './merge-day.ts';
import type { PendingEvent } from './read-event.ts';

/**
 * A day that events are added to, in the order of their keys. Only the columns of every day are merged, with one that
 * says where the others are: those are put together when somebody asks. A busy day is the largest thing in memory, and
 * each question about it merges what came since the last one.
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

/** Events that wait to be merged. Each merge copies the day, so a busy day should not have too many of them. */
const ARRIVALS_MAX = 16_000;

/** Rows that are copied one by one rather than as a stretch. */
const SHORT_ROWS = 16;

/** The further columns of so many events that are stored. */
export type StoredColumns = {
  extra(name: ExtraColumn, eventCount: number): Uint32Array;
  wide(name: WideColumn, eventCount: number): Float64Array;
};

/** @param first what is stored, without further columns */
export function createGrowingDay(
  dayNumber: number,
  first: Day | undefined,
  stored: StoredColumns,
): GrowingDay {
  let day = first;
  let storedCount = first?.eventCount ?? 0;
  let arrivals = new Arrivals();
  let added = new AddedColumns();
  /**
   * Of each event: the row of its further columns, in what is stored or, from the stored count on, among those that were
   * added. Undefined: each is stored in its own.
   */
  let rows: Uint32Array | undefined;
  let isBroken = false;

  function current(): Day {
    if (day && arrivals.count === 0) return day;
    if (isBroken) throw new Error(`Day ${dayNumber} could not be merged.`);
    isBroken = true; // the columns before are gone as soon as it begins
    const firstRow = storedCount + added.count - arrivals.count;
    const merged = mergeDay({ day, rows }, dayNumber, arrivals, firstRow);
    ({ day, rows } = merged);
    isBroken = false;
    arrivals.clear();
    return merged.day;
  }

  /** What is stored, in the order of the events as they are now, and what was added between. */
  function gather<Column extends Uint32Array | Float64Array>(
    out: Column,
    [before, later]: [Column, Column],
    from: Uint32Array,
  ): Column {
    for (let event = 0; event < out.length; ) {
      const row = from[event] as number; // all are within their columns
      const isStored = row < storedCount;
      const until = isStored ? Math.min(out.length, event + storedCount - row) : event + 1;
      let end = event + 1;
      while (end < until && from[end] === row + end - event) end += 1; // stored ones mostly stand together
      if (end - event > SHORT_ROWS) out.set(before.subarray(row, row + end - event), event);
      else
        for (let next = event; next < end; next += 1)
          out[next] = (isStored ? before[row + next - event] : later[row - storedCount]) as number;
      event = end;
    }
    giveBack(before);
    return out;
  }

  return {
    eventCount: () => (day?.eventCount ?? 0) + arrivals.count,
    add(event, ordinal) {
      if (arrivals.count >= ARRIVALS_MAX) current();
      arrivals.add(event, dayNumber * DAY_MS);
      added.add(event, ordinal);
    },
    current,
    extra(name) {
      const { eventCount } = current();
      const before = stored.extra(name, storedCount);
      return rows ? gather(new Uint32Array(eventCount), [before, added[name]], rows) : before;
    },
    wide(name) {
      const { eventCount } = current();
      const before = stored.wide(name, storedCount);
      return rows ? gather(new Float64Array(eventCount), [before, added[name]], rows) : before;
    },
    saved() {
      storedCount = current().eventCount;
      if (rows) giveBack(rows);
      rows = undefined;
      added.free();
      added = new AddedColumns();
      arrivals = new Arrivals(); // what it grew to is for a busy day
    },
    bytes: () => (day ? sizeBytes(day) : 0) + (rows?.byteLength ?? 0) + arrivals.bytes() + added.bytes(),
    free() {
      if (day) freeDay(day);
      if (rows) giveBack(rows);
      added.free();
    },
  };
}
