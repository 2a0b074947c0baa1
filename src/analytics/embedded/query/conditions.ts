import type { Filter } from '../../interface/selection.ts';
import type { Arena } from '../memory/arena.ts';
import type { Segment } from '../segment/segment.ts';
import type { CodedColumn } from './coded-column.ts';
import { type CompiledFilter, compileFilter, type OpenColumns, type RowTest } from './filter.ts';
import type { Source } from './source.ts';

/** Number of conditions tested together: each is a bit of a word. */
export const WORD_CONDITIONS = 32;

/** The conditions that each code of a column meets, by code and, within a segment, by local code. */
type Words = { column: CodedColumn; words: Uint32Array };
type RowCondition = { bit: number; tests: readonly RowTest[] };

/**
 * Up to 32 conditions on events, tested together. The tests of one column become one table by code, whose words hold the
 * conditions that a value meets: an event is looked at once per column, not once per condition.
 */
export class Conditions {
  readonly #filters: readonly CompiledFilter[];
  readonly #columns: readonly Words[];
  readonly #arena: Arena;

  /** @param columns shared with other conditions of the question */
  constructor(conditions: readonly Filter[], source: Source, columns: OpenColumns) {
    this.#arena = source.arena;
    this.#filters = conditions.map((condition) => compileFilter(condition, source, columns));
    this.#columns = tabulate(this.#filters, source.arena);
  }

  /**
   * Returns by event a word whose bit n is set when the event meets condition n. Undefined when no event of the segment
   * meets any.
   */
  meet(segment: Segment): Uint32Array | undefined {
    let possible = this.#filters.length === WORD_CONDITIONS ? -1 : (1 << this.#filters.length) - 1;
    const local = this.#columns.map(({ column, words }) => {
      const codes = column.codes(segment);
      const table = this.#arena.u32(codes.length);
      let any = 0;
      for (let index = 0; index < codes.length; index += 1) {
        const word = words[codes[index] as number] as number;
        table[index] = word;
        any |= word;
      }
      possible &= any;
      return { column, words: table };
    });
    if (possible === 0) return undefined;
    const met = this.#arena.u32(segment.eventCount).fill(possible);
    for (const table of local) if (table.column.scope === 'event') restrict(met, table, segment);
    this.#restrictVisits(segment, met, local);
    return met;
  }

  #restrictVisits(segment: Segment, met: Uint32Array, tables: readonly Words[]): void {
    const rows = this.#filters.flatMap((filter, condition): RowCondition[] => {
      const { visitRows, eventRows } = filter.bindRows(segment);
      const tests = [...visitRows, ...eventRows];
      return tests.length > 0 ? [{ bit: 1 << condition, tests }] : [];
    });
    const ofVisits = tables.filter(({ column }) => column.scope === 'visit');
    if (ofVisits.length === 0 && rows.length === 0) return;
    const own = this.#arena.u32(segment.visitCount).fill(-1);
    for (const table of ofVisits) restrict(own, table, segment);
    const first = segment.column('first');
    for (let visit = 0; visit < segment.visitCount; visit += 1) {
      const ofVisit = own[visit] as number;
      const end = first[visit + 1] as number;
      for (let event = first[visit] as number; event < end; event += 1) {
        let word = (met[event] as number) & ofVisit;
        if (word !== 0)
          for (const { bit, tests } of rows)
            if ((word & bit) !== 0 && !tests.every((test) => test(visit, event))) word &= ~bit;
        met[event] = word;
      }
    }
  }
}

/**
 * Builds, for each tested column, the conditions that a code meets. A code meets all conditions that do not test its
 * column.
 */
function tabulate(filters: readonly CompiledFilter[], arena: Arena): Words[] {
  const tables = new Map<CodedColumn, Uint32Array>();
  filters.forEach(({ leaves }, condition) => {
    for (const { column, pass } of leaves) {
      const words = tables.get(column) ?? arena.u32(pass.length).fill(-1);
      tables.set(column, words);
      for (let code = 0; code < pass.length; code += 1)
        if (pass[code] === 0) words[code] = (words[code] as number) & ~(1 << condition);
    }
  });
  return [...tables].map(([column, words]) => ({ column, words }));
}

function restrict(rows: Uint32Array, { column, words }: Words, segment: Segment): void {
  const local = column.local(segment);
  for (let row = 0; row < rows.length; row += 1)
    rows[row] = (rows[row] as number) & (words[local[row] as number] as number);
}

/** Splits conditions into words. */
export function toWords<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / WORD_CONDITIONS) }, (_, word) =>
    items.slice(word * WORD_CONDITIONS, (word + 1) * WORD_CONDITIONS),
  );
}
