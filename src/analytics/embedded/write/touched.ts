import { VISIT_GAP_MS } from '../../../vocabulary/analytics.ts';
import { lowerBound } from '../collections/lower-bound.ts';
import type { Segment } from '../segment/segment.ts';
import type { NewEvent } from './new-event.ts';

/** A change of a website's segments. */
export type Change = {
  /** New events in the order of their keys, none of them in a segment. */
  add?: readonly NewEvent[];
  /** Whether an event is removed, by its key. */
  isRemoved?: (key: number) => boolean;
  /** Segments that may contain removed events. */
  removedFrom?: readonly Segment[];
  /** Facts by event key, for events that begin a visit now and did not before. */
  facts?: ReadonlyMap<number, readonly number[]>;
};

/** A visitor and class, the time range of a change, and the new events. */
export type Seed = { visitor: number; class: number; fromMs: number; toMs: number; added: NewEvent[] };

/** Returns seeds ordered by visitor, class and time. */
export function seedsOf({ add = [], isRemoved, removedFrom = [] }: Change): Seed[] {
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
          visitor: segment.column('visitor')[visit] as number,
          class: segment.column('class')[visit] as number,
          ...spanOf(segment, visit),
          added: [],
        });
  return seeds.sort((a, b) => a.visitor - b.visitor || a.class - b.class || a.fromMs - b.fromMs);
}

/** Whether two seeds have the same visitor and class, and are at most the gap apart. */
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
    if (!isRemoved(key[event] as number)) continue;
    while ((first[visit + 1] as number) <= event) visit += 1;
    if (found.at(-1) !== visit) found.push(visit);
  }
  return found;
}

function spanOf(segment: Segment, visit: number): { fromMs: number; toMs: number } {
  const fromMs = segment.dayMs + (segment.column('startMs')[visit] as number);
  return { fromMs, toMs: fromMs + (segment.column('durationMs')[visit] as number) };
}

export type StoredVisit = { segment: Segment; visit: number; fromMs: number; toMs: number };

/**
 * Extends seeds by the stored visits of their visitor and class that are within the gap of them or of each other: a visit
 * that was cut because of its length continues in the next one. Seeds that meet are merged.
 */
export function* findTouched(
  seeds: readonly Seed[],
  segments: readonly Segment[],
): Generator<{ seed: Seed; found: StoredVisit[] }> {
  const least = seeds.reduce((ms, { fromMs }) => Math.min(ms, fromMs), Number.POSITIVE_INFINITY);
  const most = seeds.reduce((ms, { toMs }) => Math.max(ms, toMs), Number.NEGATIVE_INFINITY);
  const near = segments.filter(
    ({ header }) => header.startMs <= most + VISIT_GAP_MS && header.endMs > least - VISIT_GAP_MS,
  );
  for (let index = 0; index < seeds.length; ) {
    const seed = { ...(seeds[index] as Seed) };
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
    const { firstVisitor, lastVisitor, startMs, endMs } = segment.header;
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
