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
  if (rows.length === 0) return new Map();
  const { breakdowns } = await analytics.query({ ...selection, breakdowns: [ofValues(dimension, rows)] });
  return toValueMap(breakdowns?.[0]);
}

/** Breaks down by the values of some rows. */
export function ofValues(dimension: Dimension, rows: readonly { value: string | null }[]): Breakdown {
  return { dimension, only: rows.map(({ value }) => value), limit: rows.length };
}

export function toValueMap(answer: BreakdownAnswer | undefined): ReadonlyMap<string | null, Figures> {
  return new Map(answer?.rows.map(({ value, ...figures }) => [value, figures]));
}
