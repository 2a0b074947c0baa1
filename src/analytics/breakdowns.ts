import type { Breakdown, BreakdownAnswer } from './analytics.ts';
import {
  type BreakdownPanels,
  columnSize,
  createBreakdownPanels,
  findAxis,
  textsOf,
  valueColumn,
  valueCount,
} from './breakdown-panels.ts';
import { nthLeast } from './nth-least.ts';
import { createDistinctAll, type DistinctPanel } from './panels/distinct.ts';
import { createDistinctSome, SOME_VALUES_MAX } from './panels/distinct-some.ts';
import type { CountColumns } from './panels/figures.ts';
import { createPeopleBits } from './panels/people-bits.ts';
import { takeCounts, takeNumbers } from './panels/scratch.ts';
import { numbersThat, presentNumbers, rankValues, type Texts, toRows } from './rank.ts';
import type { Scan } from './scan.ts';
import type { WebsiteTerms } from './website-terms.ts';

export type Breakdowns = { panels: BreakdownPanels['all']; finish(): BreakdownAnswer[] };

/** Values beyond those of the page that are looked at first, of many: most often they will do. */
const SPARE = 6;
const PASSES_MAX = 3;

/**
 * Breakdowns in two steps. The scan counts everything but the distinct visitors, which cost more than all the rest.
 * These are then found in a second pass, for the values that can be on the page: a value has no more visitors than
 * visits, so once the last one on the page has n visitors, values of fewer than n visits are out of the question.
 */
export function createBreakdowns(
  requests: readonly Breakdown[],
  terms: WebsiteTerms,
  scan: Scan,
): Breakdowns {
  const { columns } = scan;
  const visitorCount = terms.visitors.count();
  const panels = createBreakdownPanels(
    requests.map(({ dimension }) => dimension),
    terms,
    columns,
  );

  function finish(): BreakdownAnswer[] {
    const visitsAPerson = scan.visitCount() / Math.max(1, scan.peopleCount());
    const open = requests.map((request) => {
      const texts = textsOf(request.dimension, terms, columns);
      return createOpen(request, panels.counts(request.dimension), texts, visitsAPerson);
    });
    for (let pass = 0; pass < PASSES_MAX; pass += 1) {
      const wanted = open.flatMap((breakdown): Wanted[] => {
        const values = breakdown.missing(pass === PASSES_MAX - 1);
        return values === 'none' ? [] : [{ breakdown, values }];
      });
      if (wanted.length === 0) break;
      const finders = [someOf(wanted), ...allOf(wanted)];
      scan.run((day, selection) => {
        for (const { add } of finders) add(day, selection);
      });
      for (const { learn } of finders) learn();
    }
    return open.map((breakdown) => breakdown.answer());
  }

  /** Dimensions of one axis share the work, and all of them the returning people. */
  function someOf(wanted: Wanted[]): Finder {
    const some = wanted.flatMap(({ breakdown, values }) => (values === 'all' ? [] : [{ breakdown, values }]));
    const byColumn = Map.groupBy(some, ({ breakdown: { dimension } }) => findAxis(dimension) ?? dimension);
    const bits = createPeopleBits(scan.returningCount());
    const groups = [...byColumn].map(([column, group]) => {
      const parts = group.map(({ breakdown: { dimension }, values }) => ({
        source: valueColumn(dimension, terms, columns),
        values,
      }));
      return { group, panel: createDistinctSome(parts, columnSize(column, terms, columns), bits) };
    });
    return {
      add(day, selection) {
        if (groups.length === 0) return;
        for (const returning of scan.returning(selection))
          for (const { panel } of groups) panel.add(day, returning);
      },
      learn() {
        for (const { group, panel } of groups)
          panel.finish().forEach((repeats, index) => {
            group[index]?.breakdown.learn(repeats);
          });
      },
    };
  }

  function allOf(wanted: Wanted[]): Finder[] {
    return wanted
      .filter(({ values }) => values === 'all')
      .map(({ breakdown }) => {
        const { dimension } = breakdown;
        const column = valueColumn(dimension, terms, columns);
        const panel = createDistinctAll(column, () => valueCount(dimension, terms, columns), visitorCount);
        return { add: panel.add, learn: () => breakdown.learn(panel.finish()) };
      });
  }

  return { panels: panels.all, finish };
}

type Wanted = { breakdown: ReturnType<typeof createOpen>; values: readonly number[] | 'all' };
type Finder = { add: DistinctPanel<unknown>['add']; learn(): void };

/** One breakdown, while the visitors of its values are being found. */
function createOpen(request: Breakdown, counted: CountColumns, texts: Texts, visitsAPerson: number) {
  const { dimension, sort = { by: 'visitors', descending: true }, limit, offset = 0, metrics } = request;
  // Dimensions may share a panel's columns, but not their visitors.
  const counts: CountColumns = { ...counted, visitors: takeCounts(counted.visits.length) };
  const present = presentNumbers(counts, request, texts);
  const known = new Set<number>();
  const isNeeded = sort.by === 'visitors' || metrics === undefined || metrics.includes('visitors');
  let isComplete = !isNeeded;

  /** The values whose visitors must be found before the page is certain. */
  function missing(isLast: boolean): readonly number[] | 'all' | 'none' {
    if (isComplete) return 'none';
    const isShort = offset + limit + SPARE <= SOME_VALUES_MAX;
    if (isShort && sort.by === 'visitors' && sort.descending) {
      const unknown = few(candidates());
      if (unknown === 'none' || !isLast) return unknown;
    }
    if (present.length <= SOME_VALUES_MAX) return few([...present]);
    if (isLast || !isShort || sort.by === 'visitors') return 'all';
    return few(rankValues(present, counts, texts, request));
  }

  function few(values: readonly number[]): readonly number[] | 'all' | 'none' {
    const unknown = values.filter((value) => !known.has(value));
    if (unknown.length === 0) return 'none';
    return unknown.length > SOME_VALUES_MAX ? 'all' : unknown;
  }

  function candidates(): number[] {
    const { visits, visitors } = counts;
    const end = offset + limit;
    if (known.size === 0) return firstCandidates(end);
    const found = Float64Array.from(known, (value) => visitors[value] ?? 0).sort();
    const last = found[found.length - end] ?? 0;
    return numbersThat((value) => (visits[value] ?? 0) >= last, present);
  }

  /**
   * Were visits shared out evenly, those from the fewest that a value on the page can have visitors. It is so for what a
   * visitor hardly changes, as countries; of others, as pages, fewer will do, and of many values that matters.
   */
  function firstCandidates(end: number): number[] {
    if (end === 0) return [];
    const { visits } = counts;
    const weights = takeNumbers(present.length);
    present.forEach((value, index) => {
      weights[index] = visits[value] ?? 0;
    });
    const fewestOf = (count: number) =>
      present.length <= count ? 0 : nthLeast(weights, present.length - count);
    const likely = withVisits(fewestOf(end) / visitsAPerson);
    if (present.length <= SOME_VALUES_MAX || likely.length <= end + SPARE) return likely;
    const most = withVisits(fewestOf(end + SPARE) + 1);
    // Many may have as many visits as the last: some of them will do, the rest are looked at next time.
    return most.length >= end ? most : withVisits(fewestOf(end + SPARE));
  }

  function withVisits(fewest: number): number[] {
    return numbersThat((value) => (counts.visits[value] ?? 0) >= fewest, present);
  }

  return {
    dimension,
    missing,
    /** @param found the visitors of each value, or of some their visits beyond one for each visitor */
    learn(found: ReadonlyMap<number, number> | Uint32Array): void {
      if (found instanceof Uint32Array) {
        counts.visitors.set(found.subarray(0, counts.visitors.length));
        isComplete = true;
        return;
      }
      for (const [value, repeats] of found) {
        counts.visitors[value] = (counts.visits[value] ?? 0) - repeats;
        known.add(value);
      }
    },
    answer(): BreakdownAnswer {
      const rows = toRows(rankValues(present, counts, texts, request), counts, texts);
      return { dimension, rows, total: present.length };
    },
  };
}
