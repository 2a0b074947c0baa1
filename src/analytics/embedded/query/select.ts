import type { Arena } from '../memory/arena.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import type { BoundFilter, ColumnTest, CompiledFilter, RowTest } from './filter.ts';
import type { Matches } from './matches.ts';

const ROWS_MAX = 2 ** 16;

/** The matches in a segment, and their counts. Its arrays are reused for the next segment. */
export type SelectionVector = Matches & {
  /** Computed on the first call. */
  weights(): Weights;
  /** All events of people in the segment, and no others: cached counts apply. */
  isWhole: boolean;
};

/** For each selected visit, its matching events and pageviews, and 1 when the visit bounced. */
export type Weights = { events: Uint16Array; pageviews: Uint16Array; bounced: Uint8Array };

export type SelectOptions = {
  fromMs: number;
  toMs: number;
  /** Bit n: events of class n count. */
  classMask: number;
  /** Restricts to visits of this visitor. */
  visitor?: number | undefined;
  filter: CompiledFilter;
};

const PEOPLE_MASK = 1;

/** Finds the matching visits of one segment after the other. */
export class Selector {
  readonly #options: SelectOptions;
  readonly #vector: Omit<SelectionVector, 'segment'>;
  readonly #weights: Weights;
  readonly #hits: Uint8Array;
  readonly #classPass: Uint8Array;
  /** Segment whose weights are not computed yet. */
  #unweighed: Segment | undefined;

  constructor(options: SelectOptions, arena: Arena) {
    this.#options = options;
    this.#hits = arena.u8(ROWS_MAX);
    this.#classPass = Uint8Array.from([0, 1, 2], (code) => (options.classMask >> code) & 1);
    this.#vector = {
      count: 0,
      visits: arena.u16(ROWS_MAX),
      weights: () => this.#weigh(),
      hits: undefined,
      isWhole: false,
    };
    this.#weights = {
      events: arena.u16(ROWS_MAX),
      pageviews: arena.u16(ROWS_MAX),
      bounced: arena.u8(ROWS_MAX),
    };
  }

  select(segment: Segment): SelectionVector {
    const { filter, fromMs, toMs, visitor, classMask } = this.#options;
    const bound = filter.bind(segment);
    const vector = this.#vector;
    this.#selectClasses(segment, bound.visitColumns[0]);
    for (const test of bound.visitColumns.slice(1)) this.#keepPassing(test);
    if (visitor !== undefined) this.#keepVisitor(segment, visitor);
    if (bound.visitRows.length > 0) this.#keepRows(bound.visitRows);
    const isWithin = segment.header.startMs >= fromMs && segment.header.endMs <= toMs;
    const looksAtEvents = filter.testsEvents || !isWithin;
    vector.hits = looksAtEvents ? this.#hits : undefined;
    if (looksAtEvents) this.#countHits(segment, bound);
    this.#unweighed = looksAtEvents ? undefined : segment;
    vector.isWhole = !looksAtEvents && filter.isEmpty && visitor === undefined && classMask === PEOPLE_MASK;
    return Object.assign(vector, { segment });
  }

  /** Selects by class without branches, as all loops over visits do: which visits pass is unpredictable. */
  #selectClasses(segment: Segment, test: ColumnTest | undefined): void {
    const { visits } = this.#vector;
    const classPass = this.#classPass;
    const classes = segment.column('class');
    const { visitCount } = segment;
    let count = 0;
    if (test) {
      const { column, pass } = test;
      for (let visit = 0; visit < visitCount; visit += 1) {
        visits[count] = visit;
        count += (classPass[classes[visit] as number] as number) & (pass[column[visit] as number] as number);
      }
    } else
      for (let visit = 0; visit < visitCount; visit += 1) {
        visits[count] = visit;
        count += classPass[classes[visit] as number] as number;
      }
    this.#vector.count = count;
  }

  #keepPassing({ column, pass }: ColumnTest): void {
    const { visits, count } = this.#vector;
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      visits[kept] = visit;
      kept += pass[column[visit] as number] as number; // 0 or 1
    }
    this.#vector.count = kept;
  }

  #keepVisitor(segment: Segment, wanted: number): void {
    const visitor = segment.column('visitor');
    this.#keepWhere((visit) => visitor[visit] === wanted);
  }

  #keepRows(tests: readonly RowTest[]): void {
    this.#keepWhere((visit) => tests.every((test) => test(visit, 0)));
  }

  #keepWhere(isKept: (visit: number) => boolean): void {
    const { visits, count } = this.#vector;
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      if (!isKept(visit)) continue;
      visits[kept] = visit;
      kept += 1;
    }
    this.#vector.count = kept;
  }

  /** Counts the events of the selected visits: all of them match unless hits were computed. */
  #weigh(): Weights {
    const segment = this.#unweighed;
    if (!segment) return this.#weights;
    this.#unweighed = undefined;
    const { count, visits } = this.#vector;
    const { events, pageviews, bounced } = this.#weights;
    const first = segment.column('first');
    const views = segment.column('pageviews');
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const size = (first[visit + 1] as number) - (first[visit] as number);
      events[index] = size;
      pageviews[index] = views[visit] as number;
      bounced[index] = isBounce(size, views[visit] as number);
    }
    return this.#weights;
  }

  /** Tests each event, and drops visits without a match. */
  #countHits(segment: Segment, bound: BoundFilter): void {
    const { fromMs, toMs } = this.#options;
    const vector = this.#vector;
    const { visits, count } = vector;
    const { events, pageviews, bounced } = this.#weights;
    const hits = this.#hits;
    const first = segment.column('first');
    const views = segment.column('pageviews');
    const startMs = segment.column('startMs');
    const durationMs = segment.column('durationMs');
    const from = fromMs - segment.dayMs;
    const to = toMs - segment.dayMs;
    const testsEvents = bound.eventColumns.length + bound.eventRows.length > 0;
    if (!testsEvents) hits.fill(1, 0, segment.eventCount);
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const begin = first[visit] as number;
      const end = first[visit + 1] as number;
      const start = startMs[visit] as number;
      const isWithin = start >= from && start + (durationMs[visit] as number) < to;
      visits[kept] = visit;
      bounced[kept] = isBounce(end - begin, views[visit] as number);
      if (isWithin && !testsEvents) {
        events[kept] = end - begin;
        pageviews[kept] = views[visit] as number;
        kept += 1;
        continue;
      }
      if (!isWithin) this.#markTimes(segment, begin, end);
      else hits.fill(1, begin, end);
      if (testsEvents) markTests(hits, bound, visit, begin, end);
      this.#countVisit(segment, kept, begin, end);
      kept += events[kept] === 0 ? 0 : 1;
    }
    vector.count = kept;
  }

  #markTimes(segment: Segment, begin: number, end: number): void {
    const from = this.#options.fromMs - segment.dayMs;
    const to = this.#options.toMs - segment.dayMs;
    const atMs = segment.column('atMs');
    for (let event = begin; event < end; event += 1) {
      const at = atMs[event] as number;
      this.#hits[event] = at >= from && at < to ? 1 : 0;
    }
  }

  #countVisit(segment: Segment, place: number, begin: number, end: number): void {
    const eventType = segment.column('eventType');
    let count = 0;
    let views = 0;
    for (let event = begin; event < end; event += 1) {
      const hit = this.#hits[event] as number;
      count += hit;
      if (eventType[event] === PAGEVIEW) views += hit;
    }
    this.#weights.events[place] = count;
    this.#weights.pageviews[place] = views;
  }
}

/** Clears the mark of events that do not pass. */
function markTests(hits: Uint8Array, bound: BoundFilter, visit: number, begin: number, end: number): void {
  for (const { column, pass } of bound.eventColumns)
    for (let event = begin; event < end; event += 1)
      hits[event] = (hits[event] as number) & (pass[column[event] as number] as number);
  for (const test of bound.eventRows)
    for (let event = begin; event < end; event += 1)
      if (hits[event] === 1 && !test(visit, event)) hits[event] = 0;
}

/** Returns 1 for a visit of a single pageview, whatever part of it is selected. Without a branch. */
function isBounce(events: number, pageviews: number): number {
  return (((events - 1) | (pageviews ^ 1)) - 1) >>> 31;
}
