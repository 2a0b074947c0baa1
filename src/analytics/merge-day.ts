import { discardYoung, release } from '../garbage.ts';
import type { Arrivals } from './arrivals.ts';
import { completeDay, type Day, EXTRA_COLUMNS, WIDE_COLUMNS } from './day.ts';
import { MergedVisits } from './merged-visits.ts';

/**
 * Adds events to a day. The result is the same as if all had been there from the start, in whatever order they come:
 * an event can join visits or extend one, never split one, and the client and origin of a visit are those of its
 * first event, which is either the first of a visit that was there or a new one. So the day's own columns suffice and
 * the log is not read again.
 *
 * Columns are merged one after the other, and each is given back when its successor is there: a busy day is the
 * largest thing in memory, and two of it would set the most that the service ever takes.
 *
 * @param day with all of its extra and wide columns, of which nothing is left afterwards; undefined for an empty day
 */
export function mergeDay(day: Day | undefined, dayNumber: number, arrivals: Arrivals): Day {
  const base = day ?? emptyDay(dayNumber);
  const rows = arrivals.sorted();
  const visits = new MergedVisits(base.visitCount + rows.length, rows.length);
  mergeVisits(visits, base, arrivals, rows);
  const events = base.eventCount + rows.length;
  let freedBytes = 0;
  function merge<Column extends EventColumn>(stored: Column | undefined, added: Column, out: Column): Column {
    if (!stored) throw new Error(`Day ${dayNumber} is without one of its columns.`);
    mergeColumn(stored, added, { rows, places: visits.places, out });
    freedBytes += release(stored);
    return out;
  }

  for (const column of visitColumns(base)) freedBytes += release(column);
  const { visitor, class: ownClass, client, origin, first } = visits.finish(events);
  const merged = completeDay({
    day: dayNumber,
    visitor,
    class: ownClass,
    client,
    origin,
    first,
    // A day's own times fit into 32 bits: the wider column is for joined days.
    atMs: merge(base.atMs as Uint32Array, arrivals.atMs, new Uint32Array(events)),
    type: merge(base.type, arrivals.type, new Uint8Array(events)),
    page: merge(base.page, arrivals.page, new Uint32Array(events)),
  });
  for (const name of EXTRA_COLUMNS)
    merged.extra.set(name, merge(base.extra.get(name), arrivals[name], new Uint32Array(events)));
  for (const name of WIDE_COLUMNS)
    merged.wide.set(name, merge(base.wide.get(name), arrivals[name], new Float64Array(events)));
  discardYoung(freedBytes);
  return merged;
}

type EventColumn = Uint8Array | Uint32Array | Float64Array;

function visitColumns(day: Day) {
  const { visitor, client, origin, first, pageviews, entryPage, durationMs } = day;
  return [visitor, day.class, client, origin, first, pageviews, entryPage, durationMs];
}

/** Rows that are copied one by one rather than as a stretch. */
const SHORT_ROWS = 16;

/** @param rows the arrivals in their order. @param places how many stored events are before each */
function mergeColumn(
  stored: EventColumn,
  added: EventColumn,
  { rows, places, out }: { rows: Uint32Array; places: Uint32Array; out: EventColumn },
): void {
  let read = 0;
  let write = 0;
  for (let next = 0; next <= rows.length; next += 1) {
    // Places and rows are within their columns.
    const until = next < rows.length ? (places[next] as number) : stored.length;
    if (until - read > SHORT_ROWS) {
      out.set(stored.subarray(read, until), write);
      write += until - read;
      read = until;
    }
    for (; read < until; read += 1, write += 1) out[write] = stored[read] as number;
    if (next < rows.length) out[write] = added[rows[next] as number] as number;
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
  const keys = base.wide.get('key');
  let visit = fromVisit;
  let event = base.first[fromVisit] ?? 0;
  const lastEvent = base.first[toVisit] ?? 0;
  let next = 0;
  out.beginOwner();
  while (event < lastEvent || next < rows.length) {
    const row = rows[next];
    const isStored =
      event < lastEvent &&
      (row === undefined ||
        ((base.atMs[event] ?? 0) - (arrivals.atMs[row] ?? 0) ||
          (keys?.[event] ?? 0) - (arrivals.key[row] ?? 0)) < 0);
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
