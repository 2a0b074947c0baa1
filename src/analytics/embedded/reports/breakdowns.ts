import type { Dimension } from '../../../vocabulary/analytics.ts';
import type { BreakdownAnswer } from '../../interface/query.ts';
import { openColumn } from '../query/coded-column.ts';
import { DistinctAll, DistinctSome, type WantedValues } from '../query/distinct.ts';
import { GroupBy } from '../query/group-by.ts';
import type { VisitorIds } from '../query/people.ts';
import type { Scan } from '../query/scan.ts';
import type { SelectionVector } from '../query/select.ts';
import type { Source } from '../query/source.ts';
import { BreakdownRows, type RankedBreakdown } from './breakdown-rows.ts';

const PASSES_MAX = 3;

type Parts = Source & { scan: Scan; people: VisitorIds };

/**
 * Answers breakdowns in two steps. The first pass counts everything except distinct visitors, which cost more than all the
 * rest. These are then counted for values that can be on the page: a value has at most as many visitors as visits, so once
 * the last value on the page has n visitors, values with fewer than n visits are ruled out.
 */
export class Breakdowns {
  readonly #parts: Parts;
  readonly #requests: readonly RankedBreakdown[];
  readonly #groups = new Map<Dimension, GroupBy>();

  /** @param also dimensions to count without rows of their own */
  constructor(requests: readonly RankedBreakdown[], parts: Parts, also: readonly Dimension[] = []) {
    this.#requests = requests;
    this.#parts = parts;
    for (const { dimension } of requests) {
      this.#open(dimension);
      if (dimension === 'page') this.#open('entryPage'); // means of a page are over visits that entered there
    }
    for (const dimension of also) this.#open(dimension);
  }

  #open(dimension: Dimension): void {
    if (this.#groups.has(dimension)) return;
    const column = openColumn(dimension, this.#parts);
    this.#groups.set(dimension, new GroupBy(column, this.#parts.arena));
  }

  add(vector: SelectionVector): void {
    for (const group of this.#groups.values()) group.add(vector);
  }

  group(dimension: Dimension): GroupBy {
    const group = this.#groups.get(dimension);
    if (!group) throw new Error(`No counter for dimension ${dimension}.`);
    return group;
  }

  finish(withWeights = false): BreakdownAnswer[] {
    const { people, arena } = this.#parts;
    const all = this.#requests.map((request) => {
      const entries = request.dimension === 'page' ? this.group('entryPage').counts : undefined;
      return new BreakdownRows(request, this.group(request.dimension), entries, people.count, arena);
    });
    for (let pass = 0; pass < PASSES_MAX; pass += 1) {
      const wanted = all.flatMap((rows) => {
        const codes = rows.missing(pass === PASSES_MAX - 1);
        return codes === 'none' ? [] : [{ rows, codes }];
      });
      if (wanted.length === 0) break;
      const some = wanted.flatMap(({ rows, codes }) => (codes === 'all' ? [] : [{ rows, codes }]));
      const every = wanted.flatMap(({ rows, codes }) => (codes === 'all' ? [rows] : []));
      const found = countVisitors(
        some.map(({ rows, codes }) => ({ group: this.group(rows.column.dimension), codes })),
        every.map(({ column }) => this.group(column.dimension)),
        this.#parts,
      );
      for (const [index, { rows }] of some.entries()) rows.learn(found.some[index] ?? new Map());
      for (const [index, rows] of every.entries()) rows.learnAll(found.all[index] ?? new Uint32Array(0));
    }
    return all.map((rows) => rows.answer(withWeights));
  }
}

/** Counts distinct visitors in one pass over the matching visits: of some values, and of all values of some dimensions. */
function countVisitors(
  wanted: readonly WantedValues[],
  groups: readonly GroupBy[],
  { scan, people, arena }: Parts,
): { some: Map<number, number>[]; all: Uint32Array[] } {
  const some = new DistinctSome(wanted, people.count, arena);
  const all = groups.map((group) => new DistinctAll(group, arena));
  scan.runAgain((matches) => {
    if (wanted.length > 0) some.add(matches, people);
    for (const one of all) one.add(matches, people);
  });
  return { some: some.finish(), all: all.map((one) => one.finish(people.count)) };
}
