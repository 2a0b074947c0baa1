import type { Arena } from '../memory/arena.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import { Accumulator } from './accumulator.ts';
import type { CodedColumn } from './coded-column.ts';
import type { SelectionVector } from './select.ts';

const TOTAL = Uint32Array.of(0);

/**
 * Counts the matching visits and events of one segment by local code.
 *
 * @param column undefined: all of them are one group
 */
function countGroups(
  vector: SelectionVector,
  column: CodedColumn | undefined,
  into: Accumulator,
  arena: Arena,
): void {
  if (!column) countAll(vector, into);
  else if (column.scope === 'visit') countVisits(vector, column.local(vector.segment), into);
  else countEvents(vector, column.local(vector.segment), into, arena);
}

function countAll(
  { segment, count, visits, events, pageviews, bounced }: SelectionVector,
  into: Accumulator,
): void {
  const durations = segment.column('durationMs');
  let eventSum = 0;
  let viewSum = 0;
  let bounceSum = 0;
  let durationSum = 0;
  for (let index = 0; index < count; index += 1) {
    eventSum += events[index] as number; // within the vector, as all below
    viewSum += pageviews[index] as number;
    bounceSum += bounced[index] as number;
    durationSum += durations[visits[index] as number] as number;
  }
  (into.visits[0] as number) += count;
  (into.events[0] as number) += eventSum;
  (into.pageviews[0] as number) += viewSum;
  (into.bounces[0] as number) += bounceSum;
  (into.durationMs[0] as number) += durationSum;
}

function countVisits(
  { segment, count, visits, events, pageviews, bounced }: SelectionVector,
  column: Uint16Array,
  into: Accumulator,
): void {
  const durations = segment.column('durationMs');
  const { events: eventSums, pageviews: viewSums, visits: visitSums, bounces, durationMs } = into;
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    const group = column[visit] as number;
    (visitSums[group] as number) += 1;
    (eventSums[group] as number) += events[index] as number;
    (viewSums[group] as number) += pageviews[index] as number;
    (bounces[group] as number) += bounced[index] as number;
    (durationMs[group] as number) += durations[visit] as number;
  }
}

function countEvents(
  { segment, count, visits, bounced, hits }: SelectionVector,
  column: Uint16Array,
  into: Accumulator,
  arena: Arena,
): void {
  const first = segment.column('first');
  const eventType = segment.column('eventType');
  const durations = segment.column('durationMs');
  const { events: eventSums, pageviews: viewSums, visits: visitSums, bounces, durationMs } = into;
  /** By group: the last visit (+ 1) that had an event of it. */
  const lastVisit = arena.u32(into.size);
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    const end = first[visit + 1] as number;
    for (let event = first[visit] as number; event < end; event += 1) {
      if (hits !== undefined && hits[event] === 0) continue;
      const group = column[event] as number;
      (eventSums[group] as number) += 1;
      (viewSums[group] as number) += eventType[event] === PAGEVIEW ? 1 : 0;
      if (lastVisit[group] === visit + 1) continue;
      lastVisit[group] = visit + 1;
      (visitSums[group] as number) += 1;
      (bounces[group] as number) += bounced[index] as number;
      (durationMs[group] as number) += durations[visit] as number;
    }
  }
}

/**
 * The counts of one segment by local code. Those of a whole segment are kept with it (partial aggregates).
 *
 * @param column undefined: totals
 */
export function aggregate(
  vector: SelectionVector,
  column: CodedColumn | undefined,
  arena: Arena,
): Accumulator {
  const { segment, isWhole } = vector;
  const size = column ? column.codes(segment).length : 1;
  const name = column?.dimension ?? '';
  const kept = isWhole ? segment.aggregates.get(name) : undefined;
  if (kept) return kept as Accumulator; // nothing else is kept under this name
  const counted = new Accumulator(size, isWhole ? undefined : arena);
  countGroups(vector, column, counted, arena);
  if (isWhole) {
    segment.aggregates.set(name, counted);
    segment.bytes += counted.bytes;
  }
  return counted;
}

/** Counts the values of a dimension over the segments of a question. */
export class GroupBy {
  readonly counts: Accumulator;
  readonly #arena: Arena;

  constructor(
    readonly column: CodedColumn,
    arena: Arena,
  ) {
    this.counts = new Accumulator(column.count + 1, arena);
    this.#arena = arena;
  }

  add(vector: SelectionVector): void {
    this.counts.merge(aggregate(vector, this.column, this.#arena), this.column.codes(vector.segment));
  }
}

/** Counts everything that matches. */
export class Totals {
  readonly counts: Accumulator;
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.counts = new Accumulator(1, arena);
    this.#arena = arena;
  }

  add(vector: SelectionVector): void {
    this.counts.merge(aggregate(vector, undefined, this.#arena), TOTAL);
  }
}
