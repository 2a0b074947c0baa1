import { VISIT_GAP_MS, VISIT_MS_MAX } from '../../../vocabulary/analytics.ts';
import { FACT_DIMENSIONS } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import type { NewEvent } from './new-event.ts';

/** An event of a visit being cut: a new one, or one of a segment. */
export type CutEvent = { atMs: number; key: number } & (
  | { new: NewEvent; segment?: undefined }
  | { new?: undefined; segment: Segment; visit: number; event: number }
);

/** A visit to be stored. */
export type CutVisit = {
  visitor: number;
  class: number;
  startMs: number;
  /** At least one event, in order of time and key. */
  events: readonly CutEvent[];
  /** Codes of the first event's facts, in the order of FACT_DIMENSIONS. */
  facts: readonly number[];
};

/**
 * Cuts events of one visitor and class into visits.
 *
 * @param events in any order
 * @param eventsMax most events of a visit
 */
export function cutVisits(events: readonly CutEvent[], eventsMax: number): CutEvent[][] {
  const sorted = events.toSorted((a, b) => a.atMs - b.atMs || a.key - b.key);
  const visits: CutEvent[][] = [];
  let visit: CutEvent[] = [];
  let startMs = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const event of sorted) {
    const isNext =
      event.atMs - lastMs > VISIT_GAP_MS || visit.length >= eventsMax || event.atMs - startMs > VISIT_MS_MAX;
    if (isNext) {
      visit = [];
      visits.push(visit);
      startMs = event.atMs;
    }
    visit.push(event);
    lastMs = event.atMs;
  }
  return visits;
}

/**
 * Returns the facts of a visit's first event. @returns undefined when only the log has them: the event was not first before
 */
export function factsOf(first: CutEvent): readonly number[] | undefined {
  if (first.new) return first.new.facts;
  const { segment, visit, event } = first;
  if (segment.column('first')[visit] !== event) return undefined;
  return FACT_DIMENSIONS.map((name) => {
    const local = segment.codeColumn(name)[visit] as number;
    return segment.codes(name)[local] as number;
  });
}
