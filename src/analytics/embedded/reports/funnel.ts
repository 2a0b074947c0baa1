import { FUNNEL_NEXT_MAX } from '../../../vocabulary/analytics.ts';
import type { FunnelAnswer, FunnelRequest } from '../../analytics.ts';
import { Buckets } from '../query/buckets.ts';
import { type CodedColumn, openColumn } from '../query/coded-column.ts';
import { Conditions } from '../query/conditions.ts';
import { presentCodes, rank, Texts } from '../query/rank.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { CLICK, PAGEVIEW } from '../segment/schema.ts';
import type { Segment } from '../segment/segment.ts';
import { Attempts } from './attempts.ts';
import { Entered } from './entered.ts';

/** Counts how far visits or visitors got through the steps. Visits of one class are in order of time. */
export function answerFunnel(request: FunnelRequest, source: Source): FunnelAnswer {
  const walk = new Walk(request, source);
  new Scan(request, source).run((vector) => walk.add(vector));
  const answer = walk.finish();
  walk.free();
  return answer;
}

/** Follows each visit or visitor through the steps. */
class Walk {
  readonly #request: FunnelRequest;
  readonly #source: Source;
  readonly #steps: Conditions;
  readonly #size: number;
  readonly #buckets: Buckets;
  readonly #page: CodedColumn;
  readonly #pageTexts: Texts;
  readonly #group: CodedColumn | undefined;
  readonly #entered = new Entered();
  readonly #attempts: Attempts;
  /**
   * Visitor code → the unit that entered (a visit or a visitor), plus 1. With units of visits, each visit resets it to 0.
   */
  readonly #unitOf: Uint32Array;

  constructor(request: FunnelRequest, source: Source) {
    const { steps, dimension, windowMs = Number.POSITIVE_INFINITY } = request;
    this.#request = request;
    this.#source = source;
    this.#steps = new Conditions(steps, source, new Map());
    this.#size = steps.length;
    this.#attempts = new Attempts(steps.length, windowMs);
    this.#buckets = new Buckets(request.bounds ?? []);
    this.#page = openColumn('page', source);
    this.#pageTexts = new Texts(this.#page);
    this.#group = dimension === undefined ? undefined : openColumn(dimension, source);
    this.#unitOf = source.arena.u32(source.website.dictionaries.visitors.count + 1);
  }

  add({ segment, count, visits, hits }: SelectionVector): void {
    const { isStrict = false, by } = this.#request;
    const met = this.#steps.meet(segment);
    if (!met && !isStrict) return;
    const words = met ?? this.#source.arena.u32(segment.eventCount);
    const view = viewOf(segment, this.#page, this.#group);
    const { first, atMs, eventType } = view;
    const visitor = segment.column('visitor');
    const unitOf = this.#unitOf;
    const entered = this.#entered;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const code = visitor[visit] as number;
      if (by === 'visit') unitOf[code] = 0;
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1) {
        const word = words[event] as number;
        const endsOthers = isStrict && eventType[event] !== CLICK;
        if ((word === 0 && !endsOthers) || (hits !== undefined && hits[event] === 0)) continue;
        const isNew = unitOf[code] === 0;
        if (isNew && (word & 1) === 0) continue;
        const at = segment.dayMs + (atMs[event] as number);
        if (isNew) unitOf[code] = this.#enter(view, visit, event, at) + 1;
        const unit = (unitOf[code] as number) - 1;
        const before = entered.depth[unit] as number;
        const depth = this.#attempts.step(unit, word, at, endsOthers, before);
        if (depth === before && !isNew) continue;
        entered.depth[unit] = depth;
        entered.nextPage[unit] = nextPageOf(view, event, end);
      }
    }
  }

  #enter({ groups }: View, visit: number, event: number, at: number): number {
    const bucket = this.#buckets.find(at);
    const group = groups
      ? (groups.codes[groups.local[groups.isOfVisits ? visit : event] as number] as number)
      : 0;
    const unit = this.#entered.add(bucket, group);
    this.#attempts.enter(this.#entered.count);
    return unit;
  }

  finish(): FunnelAnswer {
    const { bounds } = this.#request;
    const { count, depth, bucket, group } = this.#entered;
    const depths = this.#zeros();
    const points = bounds?.slice(1).map(() => this.#zeros());
    const groups = this.#group && new Map<number, number[]>();
    for (let unit = 0; unit < count; unit += 1) {
      const last = depth[unit] as number;
      addOne(depths, last);
      if (points) addOne(points[bucket[unit] as number], last);
      if (groups) addOne(this.#countsOf(groups, group[unit] as number), last);
    }
    return {
      reached: toReached(depths),
      next: depths.slice(1).map((_, step) => this.#nextPages(step)),
      ...(points && { points: points.map(toReached) }),
      ...(groups && this.#group && { groups: this.#rankGroups(groups, this.#group) }),
    };
  }

  /** Frees its memory. */
  free(): void {
    this.#entered.free();
    this.#attempts.free();
  }

  #zeros(): number[] {
    return new Array<number>(this.#size).fill(0);
  }

  #countsOf(groups: Map<number, number[]>, group: number): number[] {
    const known = groups.get(group) ?? this.#zeros();
    groups.set(group, known);
    return known;
  }

  /** Returns the next pages of the units that got no further than this step. */
  #nextPages(step: number): FunnelAnswer['next'][number] {
    const { arena } = this.#source;
    const { count, depth, nextPage } = this.#entered;
    const texts = this.#pageTexts;
    return arena.during(() => {
      const counts = arena.u32(this.#page.count + 1);
      for (let unit = 0; unit < count; unit += 1)
        if (depth[unit] === step) (counts[nextPage[unit] as number] as number) += 1;
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

/** @param counts undefined outside the points */
function addOne(counts: number[] | undefined, step: number): void {
  if (counts) counts[step] = (counts[step] as number) + 1;
}

/** @param depths number of units by the last step they reached */
function toReached(depths: readonly number[]): number[] {
  let sum = 0;
  return depths
    .toReversed()
    .map((count) => (sum += count))
    .reverse();
}

/** The columns of a segment that a funnel reads. */
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

/** Returns the page of the visit's next pageview; 0 when there is none. */
function nextPageOf({ eventType, pages }: View, event: number, end: number): number {
  for (let next = event + 1; next < end; next += 1)
    if (eventType[next] === PAGEVIEW) return pages.codes[pages.local[next] as number] as number;
  return 0;
}
