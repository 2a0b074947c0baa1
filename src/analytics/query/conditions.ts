import type { Filter } from '../analytics.ts';
import type { Arena } from '../memory/arena.ts';
import type { Segment } from '../segment/segment.ts';
import {
  type ColumnTest,
  type CompiledFilter,
  compileFilter,
  type LocalCodes,
  type OpenColumns,
  type RowTest,
} from './filter.ts';
import type { Source } from './source.ts';

/** Conditions that are tested together: each is a bit of a word. */
export const WORD_CONDITIONS = 32;

type RowCondition = { bit: number; tests: readonly RowTest[] };

/**
 * Up to 32 conditions on events, tested together. What they ask of one column becomes one table by local code, whose
 * words say which conditions a value meets: an event is looked at once for each column, not for each condition.
 */
export class Conditions {
  readonly #filters: readonly CompiledFilter[];
  readonly #arena: Arena;

  /** @param columns shared with other conditions of the question */
  constructor(conditions: readonly Filter[], source: Source, columns: OpenColumns) {
    this.#filters = conditions.map((condition) => compileFilter(condition, source, columns));
    this.#arena = source.arena;
  }

  /** By event: bit n is set when it meets condition n. Undefined when no event of the segment meets one. */
  meet(segment: Segment): Uint32Array | undefined {
    const visits = new Tables(this.#arena);
    const events = new Tables(this.#arena);
    const rows: RowCondition[] = [];
    const locals: LocalCodes = new Map();
    let possible = 0;
    this.#filters.forEach((filter, bit) => {
      const { visitColumns, visitRows, eventColumns, eventRows } = filter.bind(segment, locals);
      const columns = [...visitColumns, ...eventColumns];
      if (!columns.every(({ pass }) => pass.includes(1))) return;
      possible |= 1 << bit;
      for (const test of visitColumns) visits.add(test, bit);
      for (const test of eventColumns) events.add(test, bit);
      const tests = [...visitRows, ...eventRows];
      if (tests.length > 0) rows.push({ bit: 1 << bit, tests });
    });
    if (possible === 0) return undefined;
    const met = this.#arena.u32(segment.eventCount).fill(possible);
    events.restrict(met);
    if (!visits.isEmpty || rows.length > 0) this.#restrictVisits(segment, met, visits, rows);
    return met;
  }

  #restrictVisits(segment: Segment, met: Uint32Array, visits: Tables, rows: readonly RowCondition[]): void {
    const ofVisits = this.#arena.u32(segment.visitCount).fill(-1);
    visits.restrict(ofVisits);
    const first = segment.column('first');
    for (let visit = 0; visit < segment.visitCount; visit += 1) {
      const own = ofVisits[visit] as number; // visits and events are within their columns
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1) {
        let word = (met[event] as number) & own;
        if (word !== 0)
          for (const { bit, tests } of rows)
            if ((word & bit) !== 0 && !tests.every((test) => test(visit, event))) word &= ~bit;
        met[event] = word;
      }
    }
  }
}

/** For each column that is tested, the conditions that a local code meets. */
class Tables {
  readonly #tables = new Map<Uint16Array, Uint32Array>();
  readonly #arena: Arena;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  get isEmpty(): boolean {
    return this.#tables.size === 0;
  }

  /** A condition that does not look at a column passes with all of its codes. */
  add({ column, pass }: ColumnTest, bit: number): void {
    const table = this.#tables.get(column) ?? this.#arena.u32(pass.length).fill(-1);
    this.#tables.set(column, table);
    for (let local = 0; local < pass.length; local += 1)
      if (pass[local] === 0) table[local] = (table[local] as number) & ~(1 << bit); // within the table
  }

  restrict(words: Uint32Array): void {
    for (const [column, table] of this.#tables)
      for (let row = 0; row < words.length; row += 1)
        words[row] = (words[row] as number) & (table[column[row] as number] as number); // within the columns
  }
}

/** Cuts conditions into words. */
export function toWords<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / WORD_CONDITIONS) }, (_, word) =>
    items.slice(word * WORD_CONDITIONS, (word + 1) * WORD_CONDITIONS),
  );
}
