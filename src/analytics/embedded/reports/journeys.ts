import { JOURNEY_STEPS } from '../../../vocabulary/analytics.ts';
import type { JourneysAnswer, JourneysRequest } from '../../analytics.ts';
import { PathTable } from '../collections/path-table.ts';
import type { Arena } from '../memory/arena.ts';
import { type CodedColumn, openColumn } from '../query/coded-column.ts';
import { Conditions } from '../query/conditions.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { PAGEVIEW } from '../segment/schema.ts';
import { growBranches } from './branches.ts';

/** Finds how visits continued from an event, or reached it: counts the distinct paths, then builds their tree. */
export function answerJourneys(request: JourneysRequest, source: Source): JourneysAnswer {
  const walk = new JourneyWalk(request, source);
  new Scan(request, source).run((vector) => walk.add(vector));
  const { paths, page, event } = walk;
  const branches = growBranches(paths, page.count + event.count + 2, source.arena);
  const answer = {
    visits: walk.visits,
    branches: branches.toAnswer((code) =>
      code <= page.count + 1
        ? { stop: 'page', value: code === 1 ? null : page.text(code - 1) }
        : { stop: 'event', value: event.text(code - page.count - 1) },
    ),
  };
  paths.free();
  return answer;
}

/** Code of the end of a path. Pages follow it, including the absent one, then event names. */
const END = 0;

class JourneyWalk {
  visits = 0;
  readonly paths = new PathTable(JOURNEY_STEPS);
  readonly page: CodedColumn;
  readonly event: CodedColumn;
  readonly #anchor: Conditions | undefined;
  readonly #step: 1 | -1;
  readonly #path = new Uint32Array(JOURNEY_STEPS);
  readonly #arena: Arena;

  constructor({ anchor, direction }: JourneysRequest, source: Source) {
    this.#arena = source.arena;
    this.page = openColumn('page', source);
    this.event = openColumn('event', source);
    this.#anchor = anchor && new Conditions([anchor], source, new Map());
    this.#step = direction === 'from' ? 1 : -1;
  }

  add(vector: SelectionVector): void {
    const { segment, count, visits, hits } = vector;
    const met = this.#anchor?.meet(segment);
    if (this.#anchor && !met) return;
    const first = segment.column('first');
    const stopOf = this.#stops(vector);
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const begin = first[visit] as number;
      const end = first[visit + 1] as number;
      let from = this.#step === 1 ? begin - 1 : end;
      if (met) {
        from = begin;
        while (from < end && (met[from] === 0 || hits?.[from] === 0)) from += 1;
        if (from === end) continue;
      }
      this.visits += 1;
      this.#follow(stopOf, from, this.#step === 1 ? end : begin - 1);
      this.paths.add(this.#path);
    }
  }

  /** Adds the next stops, skipping repeats of the previous one. */
  #follow(stopOf: Uint32Array, from: number, end: number): void {
    const step = this.#step;
    let last = stopOf[from] ?? END; // the index may be outside the visit and the segment
    if (this.#anchor === undefined) last = END;
    let length = 0;
    this.#path.fill(END);
    for (let event = from + step; event !== end && length < JOURNEY_STEPS; event += step) {
      const stop = stopOf[event] as number;
      if (stop === END || stop === last) continue;
      this.#path[length] = stop;
      length += 1;
      last = stop;
    }
  }

  /** Returns the page or name of each event; END when it does not match or is not a stop. */
  #stops({ segment, hits }: SelectionVector): Uint32Array {
    const eventType = segment.column('eventType');
    const pages = this.page.local(segment);
    const pageCodes = this.page.codes(segment);
    const names = this.event.local(segment);
    const nameCodes = this.event.codes(segment);
    const stops = this.#arena.u32(segment.eventCount);
    for (let event = 0; event < segment.eventCount; event += 1) {
      if (hits?.[event] === 0) continue;
      const name = nameCodes[names[event] as number] as number;
      if (eventType[event] === PAGEVIEW) stops[event] = 1 + (pageCodes[pages[event] as number] as number);
      else if (name !== 0) stops[event] = 1 + this.page.count + name;
    }
    return stops;
  }
}
