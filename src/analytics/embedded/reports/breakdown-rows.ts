import type { Metric } from '../../../vocabulary/analytics.ts';
import type { Breakdown, BreakdownAnswer, Figures } from '../../interface/query.ts';
import { quickselect } from '../collections/quickselect.ts';
import type { Arena } from '../memory/arena.ts';
import { type Accumulator, figuresOf, meansOf } from '../query/accumulator.ts';
import type { CodedColumn } from '../query/coded-column.ts';
import { SOME_VALUES_MAX } from '../query/distinct.ts';
import type { GroupBy } from '../query/group-by.ts';
import { presentCodes, rank, Texts } from '../query/rank.ts';

/** Extra values counted together with those of the page; usually they suffice. */
const SPARE = 6;

/** @property sort may also be a weight by code */
export type RankedBreakdown = Omit<Breakdown, 'sort'> & { sort?: Sort };
type Sort = { by: Metric | 'value' | ((code: number) => number); descending: boolean };

/** The rows of one breakdown while its visitors are being counted. */
export class BreakdownRows {
  readonly column: CodedColumn;
  readonly #request: RankedBreakdown;
  readonly #counts: Accumulator;
  readonly #entries: Accumulator | undefined;
  readonly #visitors: Uint32Array;
  readonly #present: Uint32Array;
  readonly #texts: Texts;
  readonly #arena: Arena;
  readonly #known = new Set<number>();
  readonly #visitsAPerson: number;
  #isComplete: boolean;

  /** @param entries visits by entry page, for the breakdown by page */
  constructor(
    request: RankedBreakdown,
    group: GroupBy,
    entries: Accumulator | undefined,
    peopleCount: number,
    arena: Arena,
  ) {
    this.column = group.column;
    this.#request = request;
    this.#counts = group.counts;
    this.#entries = entries;
    this.#arena = arena;
    this.#visitors = arena.u32(group.counts.size);
    this.#texts = new Texts(group.column);
    this.#present = presentCodes(group.counts.events, request, this.#texts, arena);
    const { metrics } = request;
    this.#isComplete = this.#sort.by !== 'visitors' && metrics !== undefined && !metrics.includes('visitors');
    const visits = group.counts.visits.reduce((sum, count) => sum + count, 0);
    this.#visitsAPerson = Math.max(1, visits / Math.max(1, peopleCount));
  }

  get #sort(): Sort {
    return this.#request.sort ?? { by: 'visitors', descending: true };
  }

  /** Returns the values whose visitors must be counted before the page is certain. */
  missing(isLast: boolean): readonly number[] | 'all' | 'none' {
    if (this.#isComplete) return 'none';
    const { limit, offset = 0 } = this.#request;
    const { by, descending } = this.#sort;
    const isShort = offset + limit + SPARE <= SOME_VALUES_MAX;
    if (isShort && by === 'visitors' && descending) {
      const unknown = this.#few(this.#candidates());
      if (unknown === 'none' || !isLast) return unknown;
    }
    if (this.#present.length <= SOME_VALUES_MAX) return this.#few([...this.#present]);
    if (isLast || !isShort || by === 'visitors') return 'all';
    return this.#few(this.#ranked());
  }

  learn(found: ReadonlyMap<number, number>): void {
    for (const [code, visitors] of found) {
      this.#visitors[code] = visitors;
      this.#known.add(code);
    }
  }

  learnAll(found: Uint32Array): void {
    this.#visitors.set(found.subarray(0, this.#visitors.length));
    this.#isComplete = true;
  }

  answer(withWeights: boolean): BreakdownAnswer {
    const rows = this.#ranked().map((code) => ({
      value: code === 0 ? null : this.#texts.get(code),
      ...this.#figures(code, withWeights),
    }));
    return { dimension: this.column.dimension, rows, total: this.#present.length };
  }

  #figures(code: number, withWeights = false): Figures {
    const own = meansOf(this.#counts, code);
    const means = this.#entries ? { ...own, ...entered(this.#entries, code) } : own;
    return figuresOf(this.#counts, code, this.#visitors[code] ?? 0, means, withWeights);
  }

  #few(codes: readonly number[]): readonly number[] | 'all' | 'none' {
    const unknown = codes.filter((code) => !this.#known.has(code));
    if (unknown.length === 0) return 'none';
    return unknown.length > SOME_VALUES_MAX ? 'all' : unknown;
  }

  #candidates(): number[] {
    const { limit, offset = 0 } = this.#request;
    const end = offset + limit;
    if (this.#known.size === 0) return this.#firstCandidates(end);
    const found = Float64Array.from(this.#known, (code) => this.#visitors[code] ?? 0).sort();
    return this.#withVisits(found[found.length - end] ?? 0);
  }

  /**
   * Returns the values to count first. If visits were evenly shared, these would be the values down to the fewest visits
   * that a value on the page can have. That holds for values that visitors rarely change, such as countries. For others,
   * such as pages, fewer suffice, which matters when there are many.
   */
  #firstCandidates(end: number): number[] {
    if (end === 0) return [];
    const present = this.#present;
    const weights = this.#arena.f64(present.length);
    present.forEach((code, index) => {
      weights[index] = this.#counts.visits[code] ?? 0;
    });
    const fewestOf = (count: number) =>
      present.length <= count ? 0 : quickselect(weights, present.length - count);
    const likely = this.#withVisits(fewestOf(end) / this.#visitsAPerson);
    if (present.length <= SOME_VALUES_MAX || likely.length <= end + SPARE) return likely;
    const most = this.#withVisits(fewestOf(end + SPARE) + 1);
    // Many values may tie with the last one: take some of them now, the rest next time.
    return most.length >= end ? most : this.#withVisits(fewestOf(end + SPARE));
  }

  #withVisits(fewest: number): number[] {
    const found: number[] = [];
    for (const code of this.#present) if ((this.#counts.visits[code] ?? 0) >= fewest) found.push(code);
    return found;
  }

  #ranked(): number[] {
    const { limit, offset = 0 } = this.#request;
    const { by, descending } = this.#sort;
    const weigh = by === 'value' ? undefined : this.#weigher(by);
    return rank(this.#present, this.#texts, { limit, offset, descending, weigh }, this.#arena);
  }

  #weigher(by: Exclude<Sort['by'], 'value'>): (code: number) => number {
    if (typeof by === 'function') return by;
    if (by === 'visitors') return (code) => this.#visitors[code] ?? 0;
    if (by === 'visits' || by === 'pageviews' || by === 'events') {
      const column = this.#counts[by];
      return (code) => column[code] ?? 0;
    }
    return (code) => this.#figures(code)[by];
  }
}

/** Counts the visits that entered at a page. */
function entered(entries: Accumulator, page: number): { visits: number; bounces: number } {
  return { visits: entries.visits[page] ?? 0, bounces: entries.bounces[page] ?? 0 };
}
