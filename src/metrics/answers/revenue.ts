import type { Analytics } from '../../analytics/analytics.ts';
import type { Revenue } from '../../analytics/interface/revenue.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import type { Point, RevenueList } from '../../contract/metrics/figures.ts';
import type { Dimension } from '../../vocabulary/analytics.ts';
import { toAmount } from '../../vocabulary/money.ts';
import type { Series } from '../question/selection.ts';

export function toRevenueList(revenue: readonly Revenue[]): RevenueList {
  return revenue.map(({ currency, minor, events }) => ({
    currency,
    total: toAmount(minor, currency),
    average: toAmount(divide(minor, BigInt(events)), currency),
    events,
  }));
}

/** Divides, rounding to the nearest whole number and halves away from 0. */
function divide(sum: bigint, count: bigint): bigint {
  if (count === 0n) return 0n;
  const half = sum < 0n ? -count : count;
  return (2n * sum + half) / (2n * count);
}

export async function findRevenue(analytics: Analytics, selection: Selection): Promise<RevenueList> {
  return toRevenueList((await analytics.revenue(selection)).revenue);
}

export async function addRevenueToPoints(
  analytics: Analytics,
  selection: Selection,
  { bounds }: Series,
  points: readonly Point[],
): Promise<Point[]> {
  const { points: found = [] } = await analytics.revenue({ ...selection, bounds });
  return points.map((point, index) => ({ ...point, revenue: toRevenueList(found[index] ?? []) }));
}

export async function addRevenueToRows<Row extends { value: string | null }>(
  analytics: Analytics,
  selection: Selection,
  dimension: Dimension,
  rows: readonly Row[],
): Promise<(Row & { revenue: RevenueList })[]> {
  const { values = [] } = await analytics.revenue({ ...selection, dimension });
  const found = new Map(values.map(({ value, revenue }) => [value, revenue]));
  return rows.map((row) => ({ ...row, revenue: toRevenueList(found.get(row.value) ?? []) }));
}
