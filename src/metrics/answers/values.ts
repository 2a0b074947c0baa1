import type { Analytics } from '../../analytics/analytics.ts';
import type { Breakdown, BreakdownAnswer, Figures } from '../../analytics/interface/query.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import type { Dimension } from '../../vocabulary/analytics.ts';

/** Finds the figures of some values of a dimension in another selection. Values without figures are missing. */
export async function findValues(
  analytics: Analytics,
  selection: Selection,
  dimension: Dimension,
  rows: readonly { value: string | null }[],
): Promise<ReadonlyMap<string | null, Figures>> {
  const [found = new Map()] = await findLists(analytics, selection, [{ dimension, rows }]);
  return found;
}

/** Finds the figures of some values of several dimensions, with one question. */
export async function findLists(
  analytics: Analytics,
  selection: Selection,
  lists: readonly { dimension: Dimension; rows: readonly { value: string | null }[] }[],
): Promise<ReadonlyMap<string | null, Figures>[]> {
  const wanted = lists.filter(({ rows }) => rows.length > 0);
  if (wanted.length === 0) return lists.map(() => new Map());
  const breakdowns = wanted.map(({ dimension, rows }) => ofValues(dimension, rows));
  const answer = await analytics.query({ ...selection, breakdowns });
  return lists.map((list) => toValueMap(answer.breakdowns?.[wanted.indexOf(list)]));
}

/** Breaks down by the values of some rows. */
export function ofValues(dimension: Dimension, rows: readonly { value: string | null }[]): Breakdown {
  return { dimension, only: rows.map(({ value }) => value), limit: rows.length };
}

export function toValueMap(answer: BreakdownAnswer | undefined): ReadonlyMap<string | null, Figures> {
  return new Map(answer?.rows.map(({ value, ...figures }) => [value, figures]));
}
