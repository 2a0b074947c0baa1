import type { BreakdownRow, Figures } from '../../analytics/interface/query.ts';
import { NO_FIGURES } from '../answers/wire.ts';

/**
 * Adds figures of several websites. Quotients are computed again from what they are quotients of, so the sum equals the
 * figures of all the visits together, except that a visitor of two websites counts twice.
 */
export function addFigures(all: readonly Figures[]): Figures {
  const sum = { ...NO_FIGURES };
  const weights = { bounceRate: 0, visitDuration: 0 };
  let bounces = 0;
  let durationMs = 0;
  for (const figures of all) {
    const own = figures.weights ?? { bounceRate: figures.visits, visitDuration: figures.visits };
    sum.visitors += figures.visitors;
    sum.visits += figures.visits;
    sum.pageviews += figures.pageviews;
    sum.events += figures.events;
    weights.bounceRate += own.bounceRate;
    weights.visitDuration += own.visitDuration;
    bounces += Math.round(figures.bounceRate * own.bounceRate); // whole before the division
    durationMs += Math.round(figures.visitDuration * 1_000 * own.visitDuration);
  }
  return {
    ...sum,
    viewsPerVisit: divide(sum.pageviews, sum.visits),
    bounceRate: divide(bounces, weights.bounceRate),
    visitDuration: divide(durationMs, weights.visitDuration) / 1_000,
  };
}

function divide(dividend: number, divisor: number): number {
  return divisor === 0 ? 0 : dividend / divisor;
}

/** Adds lists of the same length, entry by entry. */
export function addEach(lists: readonly (readonly Figures[])[]): Figures[] {
  const [first = []] = lists;
  return first.map((_, index) => addFigures(lists.flatMap((list) => list[index] ?? [])));
}

export function addRows(lists: readonly (readonly BreakdownRow[])[]): BreakdownRow[] {
  const byValue = Map.groupBy(lists.flat(), ({ value }) => value);
  return [...byValue].map(([value, rows]) => ({ value, ...addFigures(rows) }));
}

/** Adds rows with the same value. */
export function addByValue<Row extends { value: string | null }>(
  lists: readonly (readonly Row[])[],
  add: (one: Row, other: Row) => Row,
): Row[] {
  const rows = Map.groupBy(lists.flat(), ({ value }) => value).values();
  return [...rows].map((alike) => alike.reduce(add));
}

/** Compares texts ascending by UTF-16 units, as engines do; the absent value comes first. */
export function compareValues({ value: one }: Valued, { value: other }: Valued): number {
  const [left, right] = [one ?? '', other ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
}

type Valued = { value: string | null };
