import type { Arena } from '../memory/arena.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import { Accumulator, PartialAggregate } from './accumulator.ts';
import type { CodedColumn } from './coded-column.ts';
import type { SelectionVector } from './select.ts';

/** Counts the values of a dimension over the segments of a question. */
export class GroupBy {
  readonly counts: Accumulator;
  readonly #arena: Arena;
  /** Code → the last visit with an event of it, numbered across all segments. */
  readonly #lastVisit: Uint32Array;
  #visitsBefore = 1;

  constructor(
    readonly column: CodedColumn,
    arena: Arena,
  ) {
    this.counts = new Accumulator(column.count + 1, arena);
    this.#lastVisit = arena.u32(column.scope === 'event' ? column.count + 1 : 0);
    this.#arena = arena;
  }

  /** The counts of whole segments are cached with them. */
  add(vector: SelectionVector): void {
    const { segment, isWhole } = vector;
    const { column, counts } = this;
    const codes = column.codes(segment);
    if (isWhole && !column.isOfWebsite)
      counts.merge(
        segment.remember(column.dimension, () => new PartialAggregate(this.#countSegment(vector))),
        codes,
      );
    else if (column.scope === 'visit') countVisits(vector, column.local(segment, vector), codes, counts);
    else {
      countEvents(
        vector,
        column.local(segment, vector),
        { codes, lastVisit: this.#lastVisit, visitsBefore: this.#visitsBefore },
        counts,
      );
      this.#visitsBefore += segment.visitCount;
    }
  }

  /** Counts one segment by local code. */
  #countSegment(vector: SelectionVector): Accumulator {
    const { column } = this;
    const { segment } = vector;
    const size = column.codes(segment).length;
    const counted = new Accumulator(size, this.#arena);
    const local = column.local(segment);
    if (column.scope === 'visit') countVisits(vector, local, LOCAL, counted);
    else
      countEvents(
        vector,
        local,
        { codes: LOCAL, lastVisit: this.#arena.u32(size), visitsBefore: 1 },
        counted,
      );
    return counted;
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
    if (!vector.isWhole) {
      countAll(vector, this.counts);
      return;
    }
    const counted = vector.segment.remember('totals', () => {
      const counts = new Accumulator(1, this.#arena);
      countAll(vector, counts);
      return new PartialAggregate(counts);
    });
    this.counts.merge(counted, LOCAL);
  }
}

/** Local codes mapped to themselves. */
const LOCAL = new Uint32Array(2 ** 16).map((_, code) => code);

function countAll(vector: SelectionVector, into: Accumulator): void {
  const { segment, count, visits } = vector;
  const { events, pageviews, bounced } = vector.weights();
  const durations = segment.column('durationMs');
  let eventSum = 0;
  let viewSum = 0;
  let bounceSum = 0;
  let durationSum = 0;
  for (let index = 0; index < count; index += 1) {
    eventSum += events[index] as number;
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

/** @param codes maps local codes to groups */
function countVisits(
  vector: SelectionVector,
  column: Uint16Array,
  codes: Uint32Array,
  into: Accumulator,
): void {
  const { segment, count, visits } = vector;
  const { events, pageviews, bounced } = vector.weights();
  const durations = segment.column('durationMs');
  const { events: eventSums, pageviews: viewSums, visits: visitSums, bounces, durationMs } = into;
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    const group = codes[column[visit] as number] as number;
    (visitSums[group] as number) += 1;
    (eventSums[group] as number) += events[index] as number;
    (viewSums[group] as number) += pageviews[index] as number;
    (bounces[group] as number) += bounced[index] as number;
    (durationMs[group] as number) += durations[visit] as number;
  }
}

/** `lastVisit` maps a group to the last visit counted, as its index + `visitsBefore`. */
type EventGroups = { codes: Uint32Array; lastVisit: Uint32Array; visitsBefore: number };

function countEvents(
  vector: SelectionVector,
  column: Uint16Array,
  { codes, lastVisit, visitsBefore }: EventGroups,
  into: Accumulator,
): void {
  const { segment, count, visits, hits } = vector;
  const { bounced } = vector.weights();
  const first = segment.column('first');
  const eventType = segment.column('eventType');
  const durations = segment.column('durationMs');
  const { events: eventSums, pageviews: viewSums, visits: visitSums, bounces, durationMs } = into;
  for (let index = 0; index < count; index += 1) {
    const visit = visits[index] as number;
    const number = visitsBefore + visit;
    const end = first[visit + 1] as number;
    for (let event = first[visit] as number; event < end; event += 1) {
      if (hits !== undefined && hits[event] === 0) continue;
      const group = codes[column[event] as number] as number;
      (eventSums[group] as number) += 1;
      (viewSums[group] as number) += eventType[event] === PAGEVIEW ? 1 : 0;
      if (lastVisit[group] === number) continue;
      lastVisit[group] = number;
      (visitSums[group] as number) += 1;
      (bounces[group] as number) += bounced[index] as number;
      (durationMs[group] as number) += durations[visit] as number;
    }
  }
}
