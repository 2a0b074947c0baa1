import type { Dashboard } from '../../contract/metrics/dashboard.ts';
import type { RevenueList } from '../../contract/metrics/figures.ts';
import type { GoalStats } from '../../contract/metrics/goals.ts';
import type { Breakdown, Series, Totals, Values } from '../../contract/metrics/stats.ts';
import { GOAL_METRICS, type GoalMetric, METRICS, type Metric } from '../../vocabulary/analytics.ts';
import { Amount, type Table } from './format.ts';

/**
 * Tables of the answers, for CSV and NDJSON. An earlier range adds rows, marked in the column `of`; the change covers the
 * part of the range that was compared.
 */

const RANGE_COLUMNS = ['of', 'from', 'to', 'timezone'];

export function totalsTable(name: string, { range, comparison, ...figures }: Totals): Table {
  const rows: (Record<string, unknown> & { revenue?: RevenueList })[] = [
    { of: 'range', ...range, ...figures },
  ];
  if (comparison) {
    const { range: earlierRange, until = range.to, change, ...earlier } = comparison;
    rows.push(
      { of: 'comparison', ...earlierRange, ...earlier },
      { of: 'change', ...range, to: until, ...change },
    );
  }
  const money = spreadRevenue(rows);
  return {
    name,
    columns: [...RANGE_COLUMNS, ...METRICS, ...goalColumns(figures), ...money.columns],
    rows: money.rows,
  };
}

export function seriesTable(name: string, { points, comparison }: Series): Table {
  const rows = points.map((point) => ({ of: 'range', ...point }));
  const earlier = comparison?.points.map((point) => ({ of: 'comparison', ...point })) ?? [];
  const money = spreadRevenue([...rows, ...earlier]);
  return {
    name,
    columns: [
      ...['of', 'time', 'local', 'incomplete'],
      ...METRICS,
      ...goalColumns(points[0]),
      ...money.columns,
    ],
    rows: money.rows,
  };
}

/** @param answer.revenue revenue of all rows, when these are only a page of them */
export function breakdownTable(
  name: string,
  { rows, comparison, revenue = [] }: Breakdown & { revenue?: RevenueList },
): Table {
  const compared = [...METRICS, ...goalColumns(rows[0]?.comparison)];
  const money = spreadRevenue(rows, revenue);
  return {
    name,
    columns: [
      'value',
      ...METRICS,
      'share',
      ...rowGoalColumns(rows[0]),
      ...money.columns,
      ...(comparison ? toPreviousColumns(compared) : []),
    ],
    rows: money.rows.map(({ comparison: earlier, ...row }) => ({
      ...row,
      ...(comparison && earlier && toPreviousCells(comparison.range, earlier, compared)),
    })),
  };
}

/** Returns the columns of the earlier range and its figures. */
export function toPreviousColumns(metrics: readonly (Metric | GoalMetric)[]): string[] {
  return ['from', 'to', ...metrics].map((name) => `previous.${name}`);
}

export function toPreviousCells<Name extends Metric | GoalMetric>(
  { from, to }: { from: string; to: string },
  earlier: Partial<Record<Name, number>>,
  metrics: readonly Name[],
): Record<string, string | number | undefined> {
  const figures = metrics.map((metric) => [`previous.${metric}`, earlier[metric]] as const);
  return { 'previous.from': from, 'previous.to': to, ...Object.fromEntries(figures) };
}

export function valuesTable(name: string, { values }: Values): Table {
  return { name, columns: ['value', 'events'], rows: values };
}

export function dashboardTable(
  name: string,
  { range, totals, points, breakdowns, comparison }: Dashboard,
): Table {
  const rows: Record<string, unknown>[] = [{ list: 'totals', ...range, ...totals }];
  if (comparison) rows.push({ list: 'comparison', ...comparison.range, ...pickMetrics(comparison) });
  rows.push(...points.map((point) => ({ list: 'points', ...point })));
  rows.push(...(comparison?.points ?? []).map((point) => ({ list: 'comparison.points', ...point })));
  for (const { dimension, rows: values } of breakdowns)
    rows.push(...values.map((row) => ({ list: dimension, ...row })));
  return {
    name,
    columns: [
      ...['list', 'from', 'to', 'time', 'local', 'incomplete', 'value'],
      ...METRICS,
      'share',
      ...rowGoalColumns(totals),
    ],
    rows,
  };
}

function pickMetrics(
  figures: Record<Metric, number> & Partial<Record<GoalMetric, number>>,
): Record<string, number | undefined> {
  return Object.fromEntries([...METRICS, ...goalColumns(figures)].map((metric) => [metric, figures[metric]]));
}

/** Returns the columns that are present when a goal is requested. */
function goalColumns(figures: Partial<Record<GoalMetric, number>> | undefined): readonly GoalMetric[] {
  return figures?.conversions === undefined ? [] : GOAL_METRICS;
}

function rowGoalColumns(figures: Partial<Record<GoalMetric, number>> | undefined): readonly string[] {
  return figures?.conversions === undefined ? [] : [...GOAL_METRICS, 'groupConversionRate'];
}

const REVENUE_PARTS = ['total', 'average', 'events'] as const;

/** Adds columns for each currency that occurs. */
function spreadRevenue<R extends { revenue?: RevenueList }>(rows: readonly R[], all: RevenueList = []) {
  const lists = [all, ...rows.map(({ revenue = [] }) => revenue)];
  const currencies = new Set(lists.flatMap((list) => list.map(({ currency }) => currency)));
  const columnOf = (currency: string, part: string) => `revenue.${currency}.${part}`;
  return {
    columns: [...currencies]
      .sort()
      .flatMap((currency) => REVENUE_PARTS.map((part) => columnOf(currency, part))),
    rows: rows.map((row) => {
      const cells = (row.revenue ?? []).flatMap(({ currency, total, average, events }) => {
        const parts = { total: new Amount(total), average: new Amount(average), events };
        return REVENUE_PARTS.map((part) => [columnOf(currency, part), parts[part]] as const);
      });
      return { ...row, ...Object.fromEntries(cells) };
    }),
  };
}

export function goalsTable(name: string, { goals, comparison }: GoalStats): Table {
  const earlier = comparison ? GOAL_METRICS.map((metric) => `previous.${metric}`) : [];
  const money = spreadRevenue(goals);
  return {
    name,
    columns: ['id', 'name', 'type', ...GOAL_METRICS, 'amount', 'currency', ...money.columns, ...earlier],
    rows: money.rows.map(({ value, comparison: before, ...goal }) => ({
      ...goal,
      ...value,
      ...(before &&
        Object.fromEntries(GOAL_METRICS.map((metric) => [`previous.${metric}`, before[metric]] as const))),
    })),
  };
}
