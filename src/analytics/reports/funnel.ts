import type { FunnelAnswer, FunnelRequest } from '../analytics.ts';
import { type CodedColumn, openColumn } from '../query/coded-column.ts';
import { Conditions } from '../query/conditions.ts';
import { People } from '../query/people.ts';
import { compareText } from '../query/rank.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { CLICK, PAGEVIEW } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { Entered } from './entered.ts';

const NEXT_PAGES_MAX = 5;
const NONE = Number.NEGATIVE_INFINITY;

/** How many visits or visitors got how far through some steps. Those of one class come in the order of time. */
export function answerFunnel(request: FunnelRequest, source: Source): FunnelAnswer {
  const people = new People(source.arena, source.website.dictionaries.visitors.count);
  const walk = new Walk(request, source);
  new Scan(request, source).run((vector) => {
    people.meet(vector);
    walk.add(vector, people);
  });
  return walk.finish();
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
  readonly #group: CodedColumn | undefined;
  readonly #entered = new Entered();
  /** By person: the number of the one who entered, plus 1. Of visits, it is 0 again with each. */
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
    this.#group = dimension === undefined ? undefined : openColumn(dimension, source);
    this.#numbers = source.arena.u32(source.website.dictionaries.visitors.count + 1);
  }

  add({ segment, count, visits, hits }: SelectionVector, people: People): void {
    const met = this.#steps.meet(segment);
    const { isStrict = false, by } = this.#request;
    if (!met && !isStrict) return;
    const first = segment.column('first');
    const atMs = segment.column('atMs');
    const eventType = segment.column('eventType');
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number; // visits and events are within their columns
      const person = people.ofVisits[index] as number;
      if (by === 'visit') this.#numbers[person] = 0;
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1) {
        if (hits !== undefined && hits[event] === 0) continue;
        const word = met?.[event] ?? 0;
        const ends = isStrict && eventType[event] !== CLICK;
        let number = this.#numbers[person] as number;
        if (number === 0) {
          if ((word & 1) === 0) continue;
          number = this.#enter(segment, visit, event) + 1;
          this.#numbers[person] = number;
          this.#entered.nextPage[number - 1] = nextPageOf(segment, event, end);
        } else if (word === 0 && !ends) continue;
        const at = segment.dayMs + (atMs[event] as number);
        if (this.#step(number - 1, word, at, ends))
          this.#entered.nextPage[number - 1] = nextPageOf(segment, event, end);
      }
    }
  }

  #enter(segment: Segment, visit: number, event: number): number {
    const { bounds } = this.#request;
    const at = segment.dayMs + (segment.column('atMs')[event] as number);
    const bucket = bounds ? bounds.findLastIndex((bound) => bound <= at) : -1;
    const column = this.#group;
    const place = column?.scope === 'visit' ? visit : event;
    const group = column ? (column.codes(segment)[column.local(segment)[place] as number] as number) : 0;
    const number = this.#entered.add(bucket, group);
    const needed = this.#entered.count * this.#size;
    if (needed > this.#began.length) {
      const grown = new Float64Array(2 * needed);
      grown.set(this.#began);
      this.#began = grown;
    }
    this.#began.fill(NONE, number * this.#size, (number + 1) * this.#size);
    return number;
  }

  /** @param ends attempts that this event does not carry on are over @returns whether it is further than before */
  #step(number: number, word: number, at: number, ends: boolean): boolean {
    const began = this.#began;
    const { depth } = this.#entered;
    const base = number * this.#size;
    let isFurther = false;
    // From the last step to the first: an event is one step of an attempt, not two.
    for (let step = this.#size - 1; step >= 0; step -= 1) {
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
    const reached = this.#zeros();
    const points = bounds?.slice(1).map(() => this.#zeros());
    const groups = new Map<number, number[]>();
    const nextPages = Array.from({ length: this.#size - 1 }, () => new Map<number, number>());
    for (let number = 0; number < count; number += 1) {
      const last = depth[number] as number; // within the arrays, as below
      addUpTo(reached, last);
      const point = points?.[bucket[number] as number];
      if (point) addUpTo(point, last);
      if (this.#group)
        addUpTo(
          entryOf(groups, group[number] as number, () => this.#zeros()),
          last,
        );
      const pages = nextPages[last];
      const page = this.#entered.nextPage[number] as number;
      pages?.set(page, (pages.get(page) ?? 0) + 1);
    }
    const column = this.#group;
    return {
      reached,
      next: nextPages.map((pages) => this.#topPages(pages)),
      ...(points && { points }),
      ...(column && { groups: toGroups(groups, column) }),
    };
  }

  #zeros(): number[] {
    return new Array<number>(this.#size).fill(0);
  }

  #topPages(pages: ReadonlyMap<number, number>): FunnelAnswer['next'][number] {
    const dictionary = this.#source.website.dictionaries.get('page');
    return [...pages]
      .map(([code, count]) => ({ value: code === 0 ? null : dictionary.text(code), count }))
      .sort((a, b) => b.count - a.count || compareText(a.value ?? '', b.value ?? ''))
      .slice(0, NEXT_PAGES_MAX);
  }
}

function toGroups(
  groups: ReadonlyMap<number, number[]>,
  column: CodedColumn,
): FunnelAnswer['groups'] & object {
  return [...groups]
    .map(([code, reached]) => ({ value: code === 0 ? null : column.text(code), reached }))
    .sort((a, b) => (b.reached[0] ?? 0) - (a.reached[0] ?? 0) || compareText(a.value ?? '', b.value ?? ''));
}

function addUpTo(counts: number[], last: number): void {
  for (let step = 0; step <= last; step += 1) (counts[step] as number) += 1;
}

function entryOf<Value>(map: Map<number, Value>, key: number, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The page of the next pageview of the visit; 0 when there is none. */
function nextPageOf(segment: Segment, event: number, end: number): number {
  const eventType = segment.column('eventType');
  for (let next = event + 1; next < end; next += 1)
    if (eventType[next] === PAGEVIEW)
      return segment.codes('page')[segment.codeColumn('page')[next] as number] as number;
  return 0;
}
