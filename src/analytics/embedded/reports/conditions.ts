import type { ConditionsAnswer, ConditionsRequest } from '../../interface/query.ts';
import type { Filter } from '../../interface/selection.ts';
import { BitCounts } from '../collections/popcount.ts';
import { Accumulator, figuresOf } from '../query/accumulator.ts';
import { Conditions, toWords, WORD_CONDITIONS } from '../query/conditions.ts';
import type { OpenColumns } from '../query/filter.ts';
import { Totals } from '../query/group-by.ts';
import { VisitorIds } from '../query/people.ts';
import { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { PAGEVIEW } from '../segment/schema.ts';

/** Counts a selection, and the events in it that meet each condition. */
export function answerConditions(request: ConditionsRequest, source: Source): ConditionsAnswer {
  const { arena, website } = source;
  const scan = new Scan(request, source);
  const people = new VisitorIds(arena, website.dictionaries.visitors.count);
  const totals = new Totals(arena);
  const columns: OpenColumns = new Map();
  const words = toWords(request.conditions).map(
    (conditions) => new CountedConditions(conditions, source, columns),
  );
  scan.run((vector) => {
    people.assign(vector);
    totals.add(vector);
    for (const word of words) word.add(vector, people);
  });
  return {
    totals: figuresOf(totals.counts, 0, people.count),
    rows: words.flatMap((word) => word.finish(people.count)),
  };
}

/** The counts of up to 32 conditions. */
class CountedConditions {
  readonly #conditions: Conditions;
  readonly #size: number;
  /** Counts of condition n in group n + 1; group 0 holds events that meet none. */
  readonly #counts: Accumulator;
  /** The conditions that each visitor met. */
  readonly #seen: Uint32Array;

  constructor(conditions: readonly Filter[], source: Source, columns: OpenColumns) {
    this.#conditions = new Conditions(conditions, source, columns);
    this.#size = conditions.length;
    this.#counts = new Accumulator(WORD_CONDITIONS + 1, source.arena);
    this.#seen = source.arena.u32(source.website.dictionaries.visitors.count + 1);
  }

  /** Most events meet at most one condition, so the first is counted without a branch. */
  add(vector: SelectionVector, people: VisitorIds): void {
    const { segment, count, visits, hits } = vector;
    const met = this.#conditions.meet(segment);
    if (!met) return;
    const { bounced } = vector.weights();
    const { events, pageviews, visits: visitCounts, bounces, durationMs } = this.#counts;
    const first = segment.column('first');
    const eventType = segment.column('eventType');
    const durations = segment.column('durationMs');
    const seen = this.#seen;
    for (let index = 0; index < count; index += 1) {
      const visit = visits[index] as number;
      const end = first[visit + 1] as number;
      let ofVisit = 0;
      for (let event = first[visit] as number; event < end; event += 1) {
        let word = met[event] as number;
        if (hits !== undefined) word &= -(hits[event] as number);
        const isView = eventType[event] === PAGEVIEW ? 1 : 0;
        ofVisit |= word;
        do {
          const condition = lowestBit(word);
          (events[condition] as number) += 1;
          (pageviews[condition] as number) += isView;
          word &= word - 1;
        } while (word !== 0);
      }
      (seen[people.ofVisits[index] as number] as number) |= ofVisit;
      for (let rest = ofVisit; rest !== 0; rest &= rest - 1) {
        const condition = lowestBit(rest);
        (visitCounts[condition] as number) += 1;
        (bounces[condition] as number) += bounced[index] as number;
        (durationMs[condition] as number) += durations[visit] as number;
      }
    }
  }

  finish(peopleCount: number) {
    const seen = new BitCounts();
    seen.add(this.#seen, peopleCount + 1);
    const visitors = seen.finish();
    return Array.from({ length: this.#size }, (_, condition) =>
      figuresOf(this.#counts, condition + 1, visitors[condition] ?? 0),
    );
  }
}

/** Returns the number of the lowest set bit, plus 1; 0 when no bit is set. */
function lowestBit(word: number): number {
  return 32 - Math.clz32(word & -word);
}
