import type { Analytics } from '../../analytics/analytics.ts';
import type { Figures } from '../../analytics/interface/query.ts';
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
  const only = rows.map(({ value }) => value);
  const breakdown = { dimension, only, limit: only.length };
  const { breakdowns } = await analytics.query({ ...selection, breakdowns: [breakdown] });
  return new Map(breakdowns?.[0]?.rows.map(({ value, ...figures }) => [value, figures]));
}
