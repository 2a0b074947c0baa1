import { METRICS, type Metric } from '../analytics/vocabulary.ts';
import type { Breakdown, Series, Totals, Values } from '../contract/metrics.ts';
import type { Dashboard } from '../contract/metrics-dashboard.ts';
import type { Table } from './format.ts';

/** The answers as tables, for CSV and NDJSON. An earlier range adds rows that say so in `of`. */

const RANGE_COLUMNS = ['of', 'from', 'to', 'timezone'];

export function totalsTable(name: string, { range, comparison, ...figures }: Totals): Table {
  const rows: Record<string, unknown>[] = [{ of: 'range', ...range, ...figures }];
  if (comparison) {
    const { range: earlierRange, change, ...earlier } = comparison;
    rows.push({ of: 'comparison', ...earlierRange, ...earlier }, { of: 'change', ...range, ...change });
  }
  return { name, columns: [...RANGE_COLUMNS, ...METRICS], rows };
}

export function seriesTable(name: string, { points, comparison }: Series): Table {
  const rows = points.map((point) => ({ of: 'range', ...point }));
  const earlier = comparison?.points.map((point) => ({ of: 'comparison', ...point })) ?? [];
  return { name, columns: ['of', 'time', 'local', 'incomplete', ...METRICS], rows: [...rows, ...earlier] };
}

export function breakdownTable(name: string, { rows, comparison }: Breakdown): Table {
  const earlierColumns = comparison ? METRICS.map((metric) => `previous.${metric}`) : [];
  return {
    name,
    columns: ['value', ...METRICS, 'share', ...earlierColumns],
    rows: rows.map(({ comparison, ...row }) => ({
      ...row,
      ...(comparison &&
        Object.fromEntries(METRICS.map((metric) => [`previous.${metric}`, comparison[metric]]))),
    })),
  };
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
    columns: ['list', 'from', 'to', 'time', 'local', 'incomplete', 'value', ...METRICS, 'share'],
    rows,
  };
}

function pickMetrics(figures: Record<Metric, number>): Record<string, number> {
  return Object.fromEntries(METRICS.map((metric) => [metric, figures[metric]]));
}
