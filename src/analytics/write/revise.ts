import { dayOf, SEGMENT_EVENTS_MAX } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { VISIT_GAP_MS } from '../vocabulary.ts';
import { buildSegment, eventCountOf, type Piece } from './build-segment.ts';
import type { NewEvent } from './new-event.ts';
import { type CutEvent, type CutVisit, cutVisits, factsOf, VISIT_EVENTS_MAX } from './visits.ts';

/** What changes in a website's segments. */
export type Change = {
  /** In the order of their keys. None of them is in a segment yet. */
  add?: readonly NewEvent[];
  /** Whether an event goes, by its key. */
  isRemoved?: (key: number) => boolean;
  /** Segments that may have events that go. */
  removedFrom?: readonly Segment[];
  /** By the key of an event that was not the first of its visit: what it says of the visit that it begins now. */
  facts?: ReadonlyMap<number, readonly number[]>;
};

export type Limits = { segmentEvents: number; visitEvents: number };
export const LIMITS: Limits = { segmentEvents: SEGMENT_EVENTS_MAX, visitEvents: VISIT_EVENTS_MAX };

/** `missing`: keys of events that begin a visit now and whose facts are needed; nothing was revised. */
export type Revision = { replaced: Segment[]; added: Segment[]; missing: number[] };

/** A segment that is cut is filled so far, because most of what comes goes on where the last one ends. */
const FILL = 3 / 4;
/** Smaller than this, a segment that changes is put together with the one beside it. */
const SMALL_SHARE = 1 / 4;

/**
 * The one way to change a website's segments: arrivals, late events, removal and retention. Visits that the change
 * touches are cut anew out of their events; the segments that have them, or get them, are built anew.
 *
 * @param segments of the website, ordered by day and visitor
 */
export function revise(
  websiteKey: number,
  segments: readonly Segment[],
  change: Change,
  limits: Limits = LIMITS,
): Revision {
  const touched = new Map<Segment, Set<number>>();
  const visits: CutVisit[] = [];
  const missing: number[] = [];
  for (const { seed, found } of findTouched(seedsOf(change), segments)) {
    const events = eventsOf(seed, found, change);
    for (const { segment, visit } of found) {
      const own = touched.get(segment) ?? new Set();
      touched.set(segment, own.add(visit));
    }
    for (const cut of cutVisits(events, limits.visitEvents)) {
      const [first] = cut as [CutEvent]; // no visit without an event
      const facts = factsOf(first) ?? change.facts?.get(first.key);
      if (!facts) missing.push(first.key);
      else visits.push({ visitor: seed.visitor, class: seed.class, startMs: first.atMs, events: cut, facts });
    }
  }
  if (missing.length > 0) return { replaced: [], added: [], missing };
  return { ...rebuild(websiteKey, segments, touched, visits, limits), missing };
}

/** One visitor and class, the time in which something changes, and what arrives. */
type Seed = { visitor: number; class: number; fromMs: number; toMs: number; added: NewEvent[] };

/** Ordered by visitor, class and time. */
function seedsOf({ add = [], isRemoved, removedFrom = [] }: Change): Seed[] {
  const seeds: Seed[] = add.map((event) => ({
    visitor: event.visitor,
    class: event.class,
    fromMs: event.atMs,
    toMs: event.atMs,
    added: [event],
  }));
  if (isRemoved)
    for (const segment of removedFrom)
      for (const visit of visitsWith(segment, isRemoved))
        seeds.push({
          visitor: segment.column('visitor')[visit] as number, // within the columns
          class: segment.column('class')[visit] as number,
          ...spanOf(segment, visit),
          added: [],
        });
  return seeds.sort((a, b) => a.visitor - b.visitor || a.class - b.class || a.fromMs - b.fromMs);
}

/** Of the same visitor and class, and no further apart than the gap. */
function isNear(seed: Seed, next: Seed | undefined): next is Seed {
  return (
    next !== undefined &&
    next.visitor === seed.visitor &&
    next.class === seed.class &&
    next.fromMs - seed.toMs <= VISIT_GAP_MS
  );
}

function visitsWith(segment: Segment, isRemoved: (key: number) => boolean): number[] {
  const key = segment.column('key');
  const first = segment.column('first');
  const found: number[] = [];
  let visit = 0;
  for (let event = 0; event < key.length; event += 1) {
    if (!isRemoved(key[event] as number)) continue; // events and visits are within their columns
    while ((first[visit + 1] as number) <= event) visit += 1;
    if (found.at(-1) !== visit) found.push(visit);
  }
  return found;
}

function spanOf(segment: Segment, visit: number): { fromMs: number; toMs: number } {
  const fromMs = segment.dayMs + (segment.column('startMs')[visit] as number); // within the columns
  return { fromMs, toMs: fromMs + (segment.column('durationMs')[visit] as number) };
}

type StoredVisit = { segment: Segment; visit: number; fromMs: number; toMs: number };

/**
 * Seeds with the stored visits of their visitor and class that are no further than the gap from them, or from one another:
 * those that were cut because they are too long go on in the next one. Seeds that meet that way become one.
 */
function* findTouched(
  seeds: readonly Seed[],
  segments: readonly Segment[],
): Generator<{ seed: Seed; found: StoredVisit[] }> {
  const least = seeds.reduce((ms, { fromMs }) => Math.min(ms, fromMs), Number.POSITIVE_INFINITY);
  const most = seeds.reduce((ms, { toMs }) => Math.max(ms, toMs), Number.NEGATIVE_INFINITY);
  const near = segments.filter(
    ({ facts }) => facts.startMs <= most + VISIT_GAP_MS && facts.endMs > least - VISIT_GAP_MS,
  );
  for (let index = 0; index < seeds.length; ) {
    const seed = { ...(seeds[index] as Seed) }; // within the list
    index += 1;
    let found = findVisits(seed, near);
    for (;;) {
      const next = seeds[index];
      const fromMs = found.reduce((ms, visit) => Math.min(ms, visit.fromMs), seed.fromMs);
      const toMs = found.reduce((ms, visit) => Math.max(ms, visit.toMs), seed.toMs);
      const isLonger = fromMs < seed.fromMs || toMs > seed.toMs;
      seed.fromMs = fromMs;
      seed.toMs = toMs;
      if (isNear(seed, next)) {
        seed.toMs = Math.max(seed.toMs, next.toMs);
        seed.added = [...seed.added, ...next.added];
        index += 1;
      } else if (!isLonger) break;
      found = findVisits(seed, segments);
    }
    yield { seed, found };
  }
}

function findVisits(seed: Seed, segments: readonly Segment[]): StoredVisit[] {
  const fromMs = seed.fromMs - VISIT_GAP_MS;
  const toMs = seed.toMs + VISIT_GAP_MS;
  const found: StoredVisit[] = [];
  for (const segment of segments) {
    const { firstVisitor, lastVisitor, startMs, endMs } = segment.facts;
    if (seed.visitor < firstVisitor || seed.visitor > lastVisitor || startMs > toMs || endMs <= fromMs)
      continue;
    const visitor = segment.column('visitor');
    const classes = segment.column('class');
    for (let visit = lowerBound(visitor, seed.visitor); visitor[visit] === seed.visitor; visit += 1) {
      if (classes[visit] !== seed.class) continue;
      const span = spanOf(segment, visit);
      if (span.fromMs <= toMs && span.toMs >= fromMs) found.push({ segment, visit, ...span });
    }
  }
  return found;
}

/** The first index whose value is not below. */
function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What is left of the touched visits, and what arrives. */
function eventsOf(seed: Seed, touched: readonly StoredVisit[], { isRemoved }: Change): CutEvent[] {
  const events: CutEvent[] = [];
  for (const { segment, visit } of touched) {
    const first = segment.column('first');
    const atMs = segment.column('atMs');
    const keys = segment.column('key');
    for (let event = first[visit] as number; event < (first[visit + 1] as number); event += 1) {
      const key = keys[event] as number;
      if (isRemoved?.(key)) continue;
      events.push({ atMs: segment.dayMs + (atMs[event] as number), key, segment, visit, event });
    }
  }
  for (const event of seed.added) events.push({ atMs: event.atMs, key: event.key, new: event });
  return events;
}

function rebuild(
  websiteKey: number,
  segments: readonly Segment[],
  touched: ReadonlyMap<Segment, ReadonlySet<number>>,
  visits: readonly CutVisit[],
  limits: Limits,
): { replaced: Segment[]; added: Segment[] } {
  const replaced: Segment[] = [];
  const added: Segment[] = [];
  const visitsByDay = Map.groupBy(visits, ({ startMs }) => dayOf(startMs));
  const days = new Set([...visitsByDay.keys(), ...[...touched.keys()].map(({ facts }) => facts.day)]);
  for (const day of days) {
    const ofDay = segments.filter(({ facts }) => facts.day === day);
    const arriving = assign(ofDay, visitsByDay.get(day) ?? []);
    const changed = ofDay.map((segment) => touched.has(segment) || (arriving.get(segment)?.length ?? 0) > 0);
    if (ofDay.length === 0) changed.push(true);
    widen(ofDay, changed, limits);
    // Changed segments beside one another are built together.
    for (let from = 0; from < changed.length; from += 1) {
      if (!changed[from]) continue;
      let to = from;
      while (changed[to + 1]) to += 1;
      const group = ofDay.slice(from, to + 1);
      const pieces =
        group.length === 0
          ? inOrder(arriving.get(undefined) ?? []).map((visit) => ({ visit }))
          : group.flatMap((segment) => piecesOf(segment, touched.get(segment), arriving.get(segment) ?? []));
      replaced.push(...group);
      for (const part of partition(pieces, limits)) added.push(buildSegment(websiteKey, day, part));
      from = to;
    }
  }
  return { replaced, added };
}

/** To the last segment of the day that does not begin after the visit; undefined stands for a day without segments. */
function assign(
  ofDay: readonly Segment[],
  visits: readonly CutVisit[],
): Map<Segment | undefined, CutVisit[]> {
  const arriving = new Map<Segment | undefined, CutVisit[]>();
  for (const visit of visits) {
    let target = ofDay[0];
    for (const segment of ofDay) if (!beginsAfter(segment, visit)) target = segment;
    const own = arriving.get(target);
    if (own) own.push(visit);
    else arriving.set(target, [visit]);
  }
  return arriving;
}

function beginsAfter(segment: Segment, visit: CutVisit): boolean {
  const { firstVisitor } = segment.facts;
  if (firstVisitor !== visit.visitor) return firstVisitor > visit.visitor;
  const first = { class: segment.column('class')[0] ?? 0, startMs: segment.column('startMs')[0] ?? 0 };
  if (first.class !== visit.class) return first.class > visit.class;
  return first.startMs + segment.dayMs > visit.startMs;
}

/** Compaction: a changed segment that is small takes the next one along, when both fit into one. */
function widen(ofDay: readonly Segment[], changed: boolean[], { segmentEvents }: Limits): void {
  ofDay.forEach((segment, index) => {
    const next = ofDay[index + 1];
    if (!next || changed[index] === changed[index + 1]) return;
    const isSmall = Math.min(segment.eventCount, next.eventCount) < segmentEvents * SMALL_SHARE;
    if (!isSmall || segment.eventCount + next.eventCount > segmentEvents * FILL) return;
    changed[index] = true;
    changed[index + 1] = true;
  });
}

function inOrder(visits: readonly CutVisit[]): CutVisit[] {
  return visits.toSorted((a, b) => a.visitor - b.visitor || a.class - b.class || a.startMs - b.startMs);
}

/** The visits of a segment that stay, in runs, with those that come in between. */
function piecesOf(
  segment: Segment,
  touched: ReadonlySet<number> | undefined,
  arriving: readonly CutVisit[],
): Piece[] {
  const pieces: Piece[] = [];
  const visitor = segment.column('visitor');
  const classes = segment.column('class');
  const startMs = segment.column('startMs');
  const { visitCount } = segment;
  const gone = [...(touched ?? [])].sort((a, b) => a - b);
  let from = 0;
  let nextGone = 0;
  /** Runs up to a visit, without those that go. */
  const runTo = (to: number) => {
    while (nextGone < gone.length && (gone[nextGone] as number) < to) {
      const hole = gone[nextGone] as number; // within the list
      if (hole > from) pieces.push({ run: segment, from, to: hole });
      from = hole + 1;
      nextGone += 1;
    }
    if (to > from) pieces.push({ run: segment, from, to });
    from = Math.max(from, to);
  };
  let place = 0;
  for (const visit of inOrder(arriving)) {
    place = lowerBoundFrom(visitor, visit.visitor, place);
    const start = visit.startMs - segment.dayMs;
    while (
      place < visitCount &&
      visitor[place] === visit.visitor &&
      ((classes[place] as number) < visit.class ||
        (classes[place] === visit.class && (startMs[place] as number) < start))
    )
      place += 1;
    runTo(place);
    pieces.push({ visit });
  }
  runTo(visitCount);
  return pieces;
}

function lowerBoundFrom(sorted: Uint32Array, value: number, from: number): number {
  return from + lowerBound(sorted.subarray(from), value);
}

/** Pieces of one segment each: of at most so many events, cut between visitors where that is possible. */
function partition(pieces: readonly Piece[], { segmentEvents }: Limits): Piece[][] {
  const total = pieces.reduce((sum, piece) => sum + eventCountOf(piece), 0);
  if (total === 0) return [];
  if (total <= segmentEvents) return [[...pieces]];
  const target = Math.max(1, Math.min(segmentEvents, Math.ceil(segmentEvents * FILL)));
  const parts: Piece[][] = [];
  let part: Piece[] = [];
  let size = 0;
  const close = () => {
    if (part.length > 0) parts.push(part);
    part = [];
    size = 0;
  };
  for (const piece of pieces.flatMap((whole) => cutRun(whole, target))) {
    const events = eventCountOf(piece);
    if (size > 0 && size + events > target) close();
    part.push(piece);
    size += events;
  }
  close();
  return parts;
}

/** Long runs become several, each of less than a tenth of what a segment holds. */
function cutRun(piece: Piece, target: number): Piece[] {
  if ('visit' in piece) return [piece];
  const { run, from, to } = piece;
  const first = run.column('first');
  const step = Math.max(1, Math.floor(target / 10));
  const pieces: Piece[] = [];
  let start = from;
  for (let visit = from + 1; visit <= to; visit += 1) {
    const events = (first[visit] as number) - (first[start] as number); // within the columns
    if (visit < to && events + (first[visit + 1] as number) - (first[visit] as number) <= step) continue;
    pieces.push({ run, from: start, to: visit });
    start = visit;
  }
  return pieces;
}
