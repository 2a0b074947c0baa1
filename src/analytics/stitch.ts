import { completeDay, type Day, type Spans, type WideColumn } from './day.ts';
import { jointsOf, linksBetween, serialOf } from './joints.ts';
import { type ScanColumns, SOURCE_DAY, SOURCE_DAY_ZERO } from './scan-columns.ts';
import { VISIT_GAP_MS } from './vocabulary.ts';

/**
 * Joins the parts of visits that cross midnight. Each visit comes exactly once: an ordinary one in its day, a joined one
 * in a day of its own that has all of its events, on the same columns, so that whoever reads days need not know. The
 * days come in such an order that the visits of one visitor are in the order of time.
 */
export type StitchedDay = {
  day: Day;
  /** Visits that have come, or will come, in a joined day, ascending. */
  skip: Uint32Array | undefined;
  isJoined: boolean;
};

export type StitchOptions = {
  classMask: number;
  /** Visits are cut without regard to class. */
  anyClass: boolean;
  columns: ScanColumns;
  /** Columns of events that the joined days must have, besides those of every day. */
  names: readonly string[];
  wideNames: readonly WideColumn[];
};

type Part = { day: Day; visit: number; isCopy?: true };
type Bag = Part[];

/** @param days ascending, with the neighbours of the range that visits may reach into */
export function* stitch(days: Iterable<Day>, options: StitchOptions): Generator<StitchedDay> {
  let before: Day | undefined;
  let open = new Map<number, Bag>();
  for (const day of days) {
    const { ofBefore, ofDay } = connect(before, open, day, options);
    if (before) yield* finish(before, ofBefore, ofDay, options);
    before = day;
    open = ofDay;
  }
  if (before) yield* finish(before, open, new Map(), options);
}

/**
 * @param open  the bags that parts of the day before are in, by visit
 * @returns the bags by visit, for both days
 */
function connect(
  before: Day | undefined,
  open: Map<number, Bag>,
  day: Day,
  options: StitchOptions,
): { ofBefore: Map<number, Bag>; ofDay: Map<number, Bag> } {
  const { classMask, anyClass } = options;
  const ofDay = anyClass ? mixedBags(day) : new Map<number, Bag>();
  if (!before) return { ofBefore: open, ofDay };
  for (const { tail, head } of linksBetween(before, day, classMask, anyClass)) {
    const earlier: Bag = open.get(tail) ?? [{ day: before, visit: tail }];
    const later = ofDay.get(head) ?? [{ day, visit: head }];
    if (earlier === later) continue;
    for (const part of later) {
      earlier.push(part);
      ofDay.set(part.visit, earlier);
    }
    // Parts of older days need no entry any more.
    for (const part of earlier) if (part.day === before) open.set(part.visit, earlier);
    for (const part of earlier) if (part.day === day) ofDay.set(part.visit, earlier);
  }
  for (const bag of new Set(ofDay.values()))
    bag.forEach((part, index) => {
      if (part.day !== before && part.day !== day && !part.isCopy) bag[index] = excerpt(part, options);
    });
  return { ofBefore: open, ofDay };
}

/** A day with one visit only, copied from a day whose columns may be gone before the visit ends. */
function excerpt({ day, visit }: Part, { columns, names }: StitchOptions): Part {
  const from = day.first[visit] ?? 0;
  const to = day.first[visit + 1] ?? 0;
  const copy = completeDay({
    day: day.day,
    visitor: day.visitor.slice(visit, visit + 1),
    class: day.class.slice(visit, visit + 1),
    client: day.client.slice(visit, visit + 1),
    origin: day.origin.slice(visit, visit + 1),
    first: Uint32Array.of(0, to - from),
    atMs: day.atMs.slice(from, to),
    type: day.type.slice(from, to),
    page: day.page.slice(from, to),
  });
  for (const name of names)
    if (name !== SOURCE_DAY) columns.set(copy, name, columns.get(day, name).slice(from, to));
  for (const [name, column] of day.wide) copy.wide.set(name, column.slice(from, to));
  return { day: copy, visit: 0, isCopy: true };
}

/** All parts of a visitor of several classes, in one bag: only cutting anew tells where its visits are. */
function mixedBags(day: Day): Map<number, Bag> {
  const bags = new Map<number, Bag>();
  let bag: Bag = [];
  for (const visit of jointsOf(day).mixed) {
    const [part] = bag;
    if (!part || day.visitor[part.visit] !== day.visitor[visit]) bag = [];
    bag.push({ day, visit });
    bags.set(visit, bag);
  }
  return bags;
}

/** The joined visits that end on this day, then its ordinary ones. Bags that go on into the next day wait. */
function* finish(
  day: Day,
  bags: Map<number, Bag>,
  next: Map<number, Bag>,
  options: StitchOptions,
): Generator<StitchedDay> {
  if (bags.size === 0) return yield { day, skip: undefined, isJoined: false };
  const goingOn = new Set(next.values());
  const ending = new Set<Bag>();
  for (const bag of bags.values()) if (!goingOn.has(bag)) ending.add(bag);
  if (ending.size > 0) yield { day: joinedDay(day, [...ending], options), skip: undefined, isJoined: true };
  yield { day, skip: Uint32Array.from(bags.keys()).sort(), isJoined: false };
}

/** What was joined last for a day, as long as the days that it was joined from are the same in memory (see serialOf). */
const joined = new WeakMap<Day, { sources: number[]; bagCount: number; mask: number; day: Day }>();

function joinedDay(last: Day, bags: Bag[], options: StitchOptions): Day {
  const { classMask: mask, names, wideNames } = options;
  // Further columns belong to one question, so such days are not kept.
  if (names.length + wideNames.length > 0) return joinBags(bags, options);
  const parts = new Set<Day>();
  for (const bag of bags) for (const part of bag) parts.add(part.day);
  const sources = [...parts].map(serialOf);
  const known = joined.get(last);
  if (
    known?.mask === mask &&
    known.bagCount === bags.length &&
    known.sources.length === sources.length &&
    known.sources.every((source, index) => source === sources[index])
  )
    return known.day;
  const day = joinBags(bags, options);
  joined.set(last, { sources, bagCount: bags.length, mask, day });
  return day;
}

const UINT32_MAX = 0xffff_ffff;

type Row = { part: Part; atMs: number; event: number };

/** A day whose events are those of the bags, cut into visits anew. */
function joinBags(bags: Bag[], { columns, names, wideNames }: StitchOptions): Day {
  const firstDay = bags.reduce((least, bag) => Math.min(least, bag[0]?.day.day ?? least), Number.MAX_VALUE);
  const visits: Row[][] = [];
  for (const bag of bags) visits.push(...cut(rowsOf(bag, firstDay)));
  const rows = visits.flat();
  const starts = visits.map(([first]) => first as Row); // no visit without an event
  const first = new Uint32Array(visits.length + 1);
  visits.forEach((visit, index) => {
    first[index + 1] = (first[index] ?? 0) + visit.length;
  });
  const day = completeDay({
    day: firstDay,
    visitor: Uint32Array.from(starts, ({ part }) => part.day.visitor[part.visit] ?? 0),
    class: Uint8Array.from(starts, ({ part }) => part.day.class[part.visit] ?? 0),
    client: Uint32Array.from(starts, ({ part }) => part.day.client[part.visit] ?? 0),
    origin: Uint32Array.from(starts, ({ part }) => part.day.origin[part.visit] ?? 0),
    first,
    atMs: toSpans(rows),
    type: Uint8Array.from(rows, ({ part, event }) => part.day.type[event] ?? 0),
    page: Uint32Array.from(rows, ({ part, event }) => part.day.page[event] ?? 0),
  });
  day.endMs = rows.reduce((latest, { atMs }) => Math.max(latest, day.startMs + atMs + 1), day.startMs);
  for (const name of names) {
    if (name === SOURCE_DAY) {
      columns.set(
        day,
        name,
        Uint32Array.from(rows, ({ part }) => part.day.day + SOURCE_DAY_ZERO),
      );
      continue;
    }
    const ofDay = new Map<Day, Uint32Array>();
    columns.set(
      day,
      name,
      Uint32Array.from(rows, ({ part, event }) => {
        const column = ofDay.get(part.day) ?? columns.get(part.day, name);
        ofDay.set(part.day, column);
        return column[event] ?? 0;
      }),
    );
  }
  for (const name of wideNames)
    day.wide.set(
      name,
      Float64Array.from(rows, ({ part, event }) => part.day.wide.get(name)?.[event] ?? 0),
    );
  return day;
}

function toSpans(rows: Row[]): Spans {
  const spans = rows.map(({ atMs }) => atMs);
  return spans.some((span) => span > UINT32_MAX) ? Float64Array.from(spans) : Uint32Array.from(spans);
}

function rowsOf(bag: Bag, firstDay: number): Row[] {
  const rows: Row[] = [];
  for (const part of bag) {
    const { first, atMs, day } = part.day;
    const offsetMs = (day - firstDay) * 86_400_000;
    for (let event = first[part.visit] ?? 0; event < (first[part.visit + 1] ?? 0); event += 1)
      rows.push({ part, atMs: offsetMs + (atMs[event] ?? 0), event });
  }
  return rows.sort((a, b) => a.atMs - b.atMs || keyOf(a) - keyOf(b));
}

/** The order of arrival decides between events of one instant in different classes; else they are in order already. */
function keyOf({ part, event }: Row): number {
  return part.day.wide.get('key')?.[event] ?? event;
}

function cut(rows: Row[]): Row[][] {
  const visits: Row[][] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    if (row.atMs - lastMs > VISIT_GAP_MS) visits.push([]);
    visits.at(-1)?.push(row);
    lastMs = row.atMs;
  }
  return visits;
}
