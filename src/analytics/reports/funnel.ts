import { giveBack, longer } from '../../garbage.ts';
import type { FunnelAnswer, FunnelRequest } from '../analytics.ts';
import { Buckets } from '../query/buckets.ts';
import { type CodedColumn, openColumn } from '../query/coded-column.ts';
import { Conditions } from '../query/conditions.ts';
import { presentCodes, rank, Texts } from '../query/rank.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { CLICK, PAGEVIEW } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { FUNNEL_NEXT_MAX } from '../vocabulary.ts';
import { Entered } from './entered.ts';

const NONE = Number.NEGATIVE_INFINITY;

/** How many visits or visitors got how far through some steps. Those of one class come in the order of time. */
export function answerFunnel(request: FunnelRequest, source: Source): FunnelAnswer {
  const walk = new Walk(request, source);
  new Scan(request, source).run((vector) => walk.add(vector));
  const answer = walk.finish();
  walk.free();
  return answer;
}

/**
 * Follows everybody through the steps. Of all attempts that have got to a step, the one that began last has most time
 * left: it is the only one to keep, so a unit has one instant for each step but the last.
 */
class Walk {
  readonly #request: FunnelRequest;
  readonly #source: Source;
  readonly #steps: Conditions;
  readonly #size: number;
  readonly #windowMs: number;
  readonly #buckets: Buckets;
  readonly #page: CodedColumn;
  readonly #pageTexts: Texts;
  readonly #group: CodedColumn | undefined;
  readonly #entered = new Entered();
  /** By code of a visitor: the number of the one who entered, plus 1. Of visits, it is 0 again with each. */
  readonly #numbers: Uint32Array;
  /** For each who entered and each step: when the attempt began that has got there. */
  #began = new Float64Array(0);

  constructor(request: FunnelRequest, source: Source) {
    const { steps, dimension, windowMs = Number.POSITIVE_INFINITY } = request;
    this.#request = request;
    this.#source = source;
    this.#steps = new Conditions(steps, source, new Map());
    this.#size = steps.length;
    this.#windowMs = windowMs;
    this.#buckets = new Buckets(request.bounds ?? []);
    this.#page = openColumn('page', source);
    this.#pageTexts = new Texts(this.#page);
    this.#group = dimension === undefined ? undefined : openColumn(dimension, source);
    this.#numbers = source.arena.u32(source.website.dictionaries.visitors.count + 1);
  }

  add({ segment, count, visits, hits }: SelectionVector): void {
    const { isStrict = false, by } = this.#request;
    const met = this.#steps.meet(segment);
    if (!met && !isStrict) return;
    const words = met ?? this.#source.arena.u32(segment.eventCount);
    const view = viewOf(segment, this.#page, this.#group);
    const { first, atMs, eventType } = view;
    const visitor = segment.column('visitor');
    const numbers = this.#numbers;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number; // visits and events are within their columns
      const code = visitor[visit] as number;
      if (by === 'visit') numbers[code] = 0;
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1) {
        const word = words[event] as number;
        const ends = isStrict && eventType[event] !== CLICK;
        if ((word === 0 && !ends) || (hits !== undefined && hits[event] === 0)) continue;
        const isNew = numbers[code] === 0;
        if (isNew && (word & 1) === 0) continue;
        const at = segment.dayMs + (atMs[event] as number);
        if (isNew) numbers[code] = this.#enter(view, visit, event, at) + 1;
        const number = (numbers[code] as number) - 1;
        if (this.#step(number, word, at, ends) || isNew)
          this.#entered.nextPage[number] = nextPageOf(view, event, end);
      }
    }
  }

  #enter({ groups }: View, visit: number, event: number, at: number): number {
    const bucket = this.#buckets.find(at);
    const group = groups
      ? (groups.codes[groups.local[groups.isOfVisits ? visit : event] as number] as number)
      : 0;
    const number = this.#entered.add(bucket, group);
    const needed = this.#entered.count * this.#size;
    if (needed > this.#began.length) this.#began = longer(this.#began, 2 * needed);
    for (let place = number * this.#size; place < needed; place += 1) this.#began[place] = NONE; // `fill` takes ten times as long
    return number;
  }

  /** @param ends attempts that this event does not carry on are over @returns whether it is further than before */
  #step(number: number, word: number, at: number, ends: boolean): boolean {
    const began = this.#began;
    const { depth } = this.#entered;
    const base = number * this.#size;
    let isFurther = false;
    // From the last step to the first: an event is one step of an attempt, not two.
    for (let rest = ends ? (1 << this.#size) - 1 : word; rest !== 0; ) {
      const step = 31 - Math.clz32(rest);
      rest ^= 1 << step;
      const before = step === 0 ? at : (began[base + step - 1] as number); // within the array, as below
      const isReached = ((word >>> step) & 1) === 1 && at - before <= this.#windowMs;
      const kept = ends ? NONE : (began[base + step] as number);
      began[base + step] = isReached ? Math.max(kept, before) : kept;
      if (!isReached || before === NONE || step <= (depth[number] as number)) continue;
      depth[number] = step;
      isFurther = true;
    }
    return isFurther;
  }

  finish(): FunnelAnswer {
    const { bounds } = this.#request;
    const { count, depth, bucket, group } = this.#entered;
    const depths = this.#zeros();
    const points = bounds?.slice(1).map(() => this.#zeros());
    const groups = this.#group && new Map<number, number[]>();
    for (let number = 0; number < count; number += 1) {
      const last = depth[number] as number; // within the arrays, as below
      for (const counts of [
        depths,
        points?.[bucket[number] as number],
        groups && this.#countsOf(groups, group[number] as number),
      ])
        if (counts) counts[last] = (counts[last] as number) + 1;
    }
    return {
      reached: toReached(depths),
      next: depths.slice(1).map((_, step) => this.#nextPages(step)),
      ...(points && { points: points.map(toReached) }),
      ...(groups && this.#group && { groups: this.#rankGroups(groups, this.#group) }),
    };
  }

  /** Gives the memory back. */
  free(): void {
    this.#entered.free();
    giveBack(this.#began);
  }

  #zeros(): number[] {
    return new Array<number>(this.#size).fill(0);
  }

  #countsOf(groups: Map<number, number[]>, group: number): number[] {
    const known = groups.get(group) ?? this.#zeros();
    groups.set(group, known);
    return known;
  }

  /** Where those went who got no further than this step. */
  #nextPages(step: number): FunnelAnswer['next'][number] {
    const { arena } = this.#source;
    const { count, depth, nextPage } = this.#entered;
    const texts = this.#pageTexts;
    return arena.during(() => {
      const counts = arena.u32(this.#page.count + 1);
      for (let number = 0; number < count; number += 1)
        if (depth[number] === step) (counts[nextPage[number] as number] as number) += 1;
      const present = presentCodes(counts, { withAbsent: true }, texts, arena);
      const weigh = (code: number) => counts[code] as number;
      return rank(present, texts, { limit: FUNNEL_NEXT_MAX, offset: 0, descending: true, weigh }, arena).map(
        (code) => ({ value: code === 0 ? null : texts.get(code), count: weigh(code) }),
      );
    });
  }

  #rankGroups(groups: ReadonlyMap<number, number[]>, column: CodedColumn): FunnelAnswer['groups'] & object {
    const reached = new Map([...groups].map(([code, depths]) => [code, toReached(depths)]));
    const weigh = (code: number) => reached.get(code)?.[0] ?? 0;
    const texts = new Texts(column);
    const ranking = { limit: reached.size, offset: 0, descending: true, weigh };
    return rank(Uint32Array.from(reached.keys()), texts, ranking, this.#source.arena).map((code) => ({
      value: code === 0 ? null : texts.get(code),
      reached: reached.get(code) ?? [],
    }));
  }
}

/** @param depths how many got to each step and no further */
function toReached(depths: readonly number[]): number[] {
  let sum = 0;
  return depths
    .toReversed()
    .map((count) => (sum += count))
    .reverse();
}

/** What a funnel reads of a segment. */
type View = ReturnType<typeof viewOf>;

function viewOf(segment: Segment, page: CodedColumn, group: CodedColumn | undefined) {
  return {
    first: segment.column('first'),
    atMs: segment.column('atMs'),
    eventType: segment.column('eventType'),
    pages: { local: page.local(segment), codes: page.codes(segment) },
    groups: group && {
      isOfVisits: group.scope === 'visit',
      local: group.local(segment),
      codes: group.codes(segment),
    },
  };
}

/** The page of the next pageview of the visit; 0 when there is none. */
function nextPageOf({ eventType, pages }: View, event: number, end: number): number {
  for (let next = event + 1; next < end; next += 1)
    if (eventType[next] === PAGEVIEW) return pages.codes[pages.local[next] as number] as number;
  return 0;
}
