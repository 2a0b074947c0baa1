import { EVENT_TYPES } from '../contract/vocabulary.ts';
import { discard, discardYoung, release } from '../garbage.ts';
import { type Allocate, OWN } from './slab.ts';

export const DAY_MS = 86_400_000;
/** No day of an instant that JavaScript has is as far from 1970, before or after. */
export const DAYS_MAX = 100_000_001;

/** Codes of the class of an event (definitions.ts), as stored. */
export const CLASSES = { people: 0, bot: 1, excluded: 2 } as const;

const PAGEVIEW = EVENT_TYPES.indexOf('pageview');

/**
 * The events of one website and UTC day, in columns, grouped by visit. What is stored is a function of that day's
 * events alone: a visit that crosses midnight has a part in each day, and parts are joined when a question is asked
 * (stitch.ts). So a late event changes one day and no other.
 *
 * Visits are in the order of visitor, class, start; events in the order of their visits, then (time, key). Numbers of
 * texts, visitors, clients and origins begin with 1; 0 is "absent". The scan relies on each column's exact type.
 */
export type Day = {
  /** Days since 1970-01-01 UTC. */
  day: number;
  startMs: number;
  /** No event is at or after this instant. */
  endMs: number;
  visitCount: number;
  eventCount: number;

  /** Of each visit. */
  visitor: Uint32Array;
  class: Uint8Array;
  client: Uint32Array;
  origin: Uint32Array;
  /** Index of its first event; one more entry at the end: the count of events. */
  first: Uint32Array;
  pageviews: Uint32Array;
  entryPage: Uint32Array;
  durationMs: Spans;

  /** Of each event. Milliseconds since startMs; in joined visits they may pass the end of the day. */
  atMs: Spans;
  type: Uint8Array;
  page: Uint32Array;
  /** Further columns of events by name, as far as somebody asked for them. */
  extra: Map<string, Uint32Array>;
  /** Likewise: keys of the log, and the sessions' hashes. */
  wide: Map<WideColumn, Float64Array>;
  /** See exitPagesOf. */
  exits?: Uint32Array | undefined;
  /** Its memory will soon be used for another day (see day-cache). Undefined: it is not from there. */
  isPassing?: boolean;
};

/**
 * Milliseconds. 32 bits hold 49 days: enough for every day, and for visits that were joined from days unless a page
 * stays open for weeks. Only those take the wider column, so the scan meets one kind of column in practice.
 */
export type Spans = Uint32Array | Float64Array;

/** Columns that only some questions need, stored apart. `ordinal` leads to the properties (see day-properties). */
export const EXTRA_COLUMNS = ['hostname', 'event', 'ordinal'] as const;
export type ExtraColumn = (typeof EXTRA_COLUMNS)[number];
export const WIDE_COLUMNS = ['key', 'session'] as const;
export type WideColumn = (typeof WIDE_COLUMNS)[number];
/**
 * The further columns of a day, in stretches from the first event to the last. Each is made for whoever asks, and may be
 * given back.
 *
 * @param ends where to cut them, up to the count of events; by default as it comes
 */
export type FurtherColumns = {
  extra(name: ExtraColumn, ends?: readonly number[]): Iterable<Uint32Array>;
  wide(name: WideColumn, ends?: readonly number[]): Iterable<Float64Array>;
};

export function dayOf(instantMs: number): number {
  return Math.floor(instantMs / DAY_MS);
}

/** The columns from which the others follow. */
export type DayCore = Pick<
  Day,
  'day' | 'visitor' | 'class' | 'client' | 'origin' | 'first' | 'atMs' | 'type' | 'page'
>;

/** Events that are looked at at once: what is noted of them stays in the processor's cache. */
const STRETCH_EVENTS = 16 * 1024;
const viewsBefore = new Uint32Array(STRETCH_EVENTS + 1);

/** Columns of visits that follow from the core. */
export type VisitFigures = Pick<Day, 'pageviews' | 'entryPage' | 'durationMs'>;

/** Adds what follows from the core: counts, first page, duration of each visit. */
export function completeDay(core: DayCore, allocate: Allocate = OWN): Day {
  const visitCount = core.visitor.length;
  const day = composeDay(core, {
    pageviews: allocate.u32(visitCount),
    entryPage: allocate.u32(visitCount),
    durationMs: core.atMs instanceof Float64Array ? new Float64Array(visitCount) : allocate.u32(visitCount),
  });
  completeVisits(day, 0, visitCount);
  return day;
}

/** @param figures of its visits, known or yet to be found (see completeVisits) */
export function composeDay(core: DayCore, figures: VisitFigures): Day {
  return {
    ...core,
    startMs: core.day * DAY_MS,
    endMs: (core.day + 1) * DAY_MS,
    visitCount: core.visitor.length,
    eventCount: core.atMs.length,
    ...figures,
    extra: new Map(),
    wide: new Map(),
  };
}

type VisitColumns = VisitFigures & Pick<Day, 'first' | 'atMs' | 'type' | 'page'>;

/** Finds the figures of some visits. */
export function completeVisits(day: VisitColumns, fromVisit: number, toVisit: number): void {
  for (let from = fromVisit; from < toVisit; ) {
    let to = from + 1;
    const room = (day.first[from] as number) + STRETCH_EVENTS; // visits are within the columns
    while (to < toVisit && (day.first[to + 1] as number) <= room) to += 1;
    completeStretch(day, from, to);
    from = to;
  }
}

/** How many events a visit has is as good as random, so views are counted event by event, and a visit's are a difference. */
function completeStretch(
  { first, atMs, type, page, pageviews, entryPage, durationMs }: VisitColumns,
  from: number,
  to: number,
): void {
  // Visits and events are within their columns; `before` has one more than there are events.
  const start = first[from] as number;
  const stop = first[to] as number;
  const before = stop - start < viewsBefore.length ? viewsBefore : new Uint32Array(stop - start + 1);
  let views = 0;
  for (let event = start; event < stop; event += 1) {
    before[event - start] = views;
    views += (((type[event] as number) ^ PAGEVIEW) - 1) >>> 31; // 1 where it is one
  }
  before[stop - start] = views;
  for (let visit = from; visit < to; visit += 1) {
    const begin = first[visit] as number;
    const end = first[visit + 1] as number;
    pageviews[visit] = (before[end - start] as number) - (before[begin - start] as number);
    let event = begin;
    while (event < end && type[event] !== PAGEVIEW) event += 1; // mostly the first one is a view
    entryPage[visit] = event < end ? (page[event] as number) : 0;
    durationMs[visit] = (atMs[end - 1] as number) - (atMs[begin] as number);
  }
}

/** The last page of each visit, which few questions ask for: found when one does. */
export function exitPagesOf(day: Day): Uint32Array {
  if (day.exits) return day.exits;
  const { visitCount, first, type, page } = day;
  const exits = new Uint32Array(visitCount);
  for (let visit = 0; visit < visitCount; visit += 1) {
    const from = first[visit] as number; // within the columns, as above
    let event = (first[visit + 1] as number) - 1;
    while (event >= from && type[event] !== PAGEVIEW) event -= 1;
    if (event >= from) exits[visit] = page[event] as number;
  }
  if (day.isPassing) discard(exits.byteLength);
  day.exits = exits;
  return exits;
}

/** Columns of a visit that filters and breakdowns look at. */
export const VISIT_AXES = ['client', 'origin', 'entryPage', 'exitPage'] as const;
export type VisitAxis = (typeof VISIT_AXES)[number];

export function axisOf(day: Day, axis: VisitAxis): Uint32Array {
  return axis === 'exitPage' ? exitPagesOf(day) : day[axis];
}

/** Those of a day that has all of them; to be asked for once. */
export function furtherColumnsOf({ day, eventCount, extra, wide }: Day): FurtherColumns {
  function cut<Column extends Uint32Array | Float64Array>(
    column: Column | undefined,
    ends: readonly number[] = [eventCount],
  ): Column[] {
    if (!column) throw new Error(`Day ${day} is without one of its columns.`);
    if (ends.length === 1) return [column];
    return ends.map((end, index) => column.subarray(ends[index - 1] ?? 0, end) as Column); // one of the same kind
  }
  return {
    extra: (name, ends) => cut(extra.get(name), ends),
    wide: (name, ends) => cut(wide.get(name), ends),
  };
}

/** A column that comes in one stretch. */
export function whole<Column>([column]: Iterable<Column>): Column {
  if (column === undefined) throw new Error('A column of a day has no stretch.');
  return column;
}

/** What a day takes in memory without further columns. */
export function dayBytes(visitCount: number, eventCount: number): number {
  return 1_000 + visitCount * 29 + eventCount * 9;
}

/** Gives its memory back at once: a day that left the cache would wait for the collector beside the one in its place. */
export function freeDay(day: Day): void {
  const { visitor, class: classes, client, origin, first, pageviews, entryPage, durationMs } = day;
  const ofVisits = [visitor, classes, client, origin, first, pageviews, entryPage, durationMs];
  const columns = [...ofVisits, day.atMs, day.type, day.page, ...day.extra.values(), ...day.wide.values()];
  for (const column of columns) release(column);
  if (day.exits) release(day.exits);
  discardYoung(sizeBytes(day));
}

export function sizeBytes(day: Day): number {
  let bytes = dayBytes(day.visitCount, day.eventCount) + (day.exits?.byteLength ?? 0);
  for (const column of day.extra.values()) bytes += column.byteLength;
  for (const column of day.wide.values()) bytes += column.byteLength;
  return bytes;
}
