import { VISIT_EVENTS_MAX } from '../../../vocabulary/analytics.ts';
import { dayOf, SEGMENT_EVENTS_MAX } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { buildSegment } from './build-segment.ts';
import { FILL, inOrder, partition, piecesOf } from './pieces.ts';
import { type Change, findTouched, type Seed, type StoredVisit, seedsOf } from './touched.ts';
import { type CutEvent, type CutVisit, cutVisits, factsOf } from './visits.ts';

export type Limits = { segmentEvents: number; visitEvents: number };
export const LIMITS: Limits = { segmentEvents: SEGMENT_EVENTS_MAX, visitEvents: VISIT_EVENTS_MAX };

/** `missing`: keys of events that begin a visit now and whose facts are needed. When there are any, nothing was revised. */
export type Revision = { replaced: Segment[]; added: Segment[]; missing: number[] };

/** Share of a full segment below which a changed segment is merged with its neighbour. */
const SMALL_SHARE = 1 / 4;

/**
 * Revises a website's segments. All changes come this way: arrivals, late events, removal and retention. Visits that the
 * change touches are cut again from their events; segments that had them, or get them, are rebuilt.
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
      const [first] = cut as [CutEvent]; // a visit has at least one event
      const facts = factsOf(first) ?? change.facts?.get(first.key);
      if (!facts) missing.push(first.key);
      else visits.push({ visitor: seed.visitor, class: seed.class, startMs: first.atMs, events: cut, facts });
    }
  }
  if (missing.length > 0) return { replaced: [], added: [], missing };
  return { ...rebuild(websiteKey, segments, touched, visits, limits), missing };
}

/** Returns the remaining events of the touched visits, and the new ones. */
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
  const days = new Set([...visitsByDay.keys(), ...[...touched.keys()].map(({ header }) => header.day)]);
  for (const day of days) {
    const ofDay = segments.filter(({ header }) => header.day === day);
    const arriving = assign(ofDay, visitsByDay.get(day) ?? []);
    const changed = ofDay.map((segment) => touched.has(segment) || (arriving.get(segment)?.length ?? 0) > 0);
    if (ofDay.length === 0) changed.push(true);
    widen(ofDay, changed, limits);
    // Adjacent changed segments are built together.
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
      for (const part of partition(pieces, limits.segmentEvents))
        added.push(buildSegment(websiteKey, day, part));
      from = to;
    }
  }
  return { replaced, added };
}

/**
 * Assigns a visit to the last segment of the day that does not begin after it, or to undefined on a day without segments.
 */
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
  const { firstVisitor } = segment.header;
  if (firstVisitor !== visit.visitor) return firstVisitor > visit.visitor;
  const first = { class: segment.column('class')[0] ?? 0, startMs: segment.column('startMs')[0] ?? 0 };
  if (first.class !== visit.class) return first.class > visit.class;
  return first.startMs + segment.dayMs > visit.startMs;
}

/** Compacts: a small changed segment absorbs the next one when both fit into one. */
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
