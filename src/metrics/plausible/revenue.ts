import type { Revenue } from '../../analytics/interface/revenue.ts';
import type { PlausibleMoney } from '../../contract/plausible.ts';
import { findMinorDigits } from '../../vocabulary/money.ts';
import { toRevenueList } from '../answers/revenue.ts';
import type { Ask } from './ask.ts';
import { isRevenue, type RevenueMetric } from './metrics.ts';
import type { PlausibleRequest } from './request.ts';
import type { PlausibleRow } from './rows.ts';

type Money = Record<RevenueMetric, PlausibleMoney | null>;
export type RowsRevenue = { ofRows: Money[]; warnings: Record<string, { code: string; warning: string }> };

/** Finds the revenue of the rows of a page, one question each. Revenue in several currencies has no amount. */
export async function findRowsRevenue(
  ask: Ask,
  rows: readonly PlausibleRow[],
  { metrics }: PlausibleRequest,
): Promise<RowsRevenue> {
  const wanted = metrics.filter(isRevenue);
  if (wanted.length === 0) return { ofRows: [], warnings: {} };
  ask.requireLeft(rows.length);
  const found: Revenue[][] = [];
  for (const { selection } of rows) found.push((await ask.revenue(selection)).revenue);
  const isMixed = found.some((revenue) => revenue.length > 1);
  return {
    ofRows: found.map(toMoney),
    warnings: isMixed ? Object.fromEntries(wanted.map((metric) => [metric, WARNING])) : {},
  };
}

const WARNING = {
  code: 'no_single_revenue_currency',
  warning: 'Revenue metrics are null where there are several currencies',
};

function toMoney(revenue: readonly Revenue[]): Money {
  const [only, ...others] = toRevenueList(revenue);
  if (!only || others.length > 0) return { total_revenue: null, average_revenue: null };
  const { currency, total, average } = only;
  return { total_revenue: toPlausible(total, currency), average_revenue: toPlausible(average, currency) };
}

function toPlausible(amount: string, currency: string): PlausibleMoney {
  const digits = findMinorDigits(currency) ?? 0;
  const write = (options: Intl.NumberFormatOptions) =>
    // Decimal texts are exact.
    new Intl.NumberFormat('en', { style: 'currency', currency, ...options }).format(amount as `${number}`);
  return {
    currency,
    value: Number(amount),
    long: write({ minimumFractionDigits: digits, maximumFractionDigits: digits }),
    short: write({ notation: 'compact', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  };
}
