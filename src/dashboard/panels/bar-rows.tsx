import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import { Mark } from '../marks/Mark.tsx';
import { editFilters } from '../state/filter-edits.ts';
import { formatChange, formatCount, formatPercent } from '../state/format.ts';
import type { Outcome } from '../state/outcome.ts';
import { addressOf } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import type { ViewState } from '../state/view-state.ts';
import type { BarRow } from './BarList.tsx';
import type { Tab } from './panels.ts';

/** Converts a row of a breakdown to a bar that links to the reports of its value. */
export function toBarRow(
  row: BreakdownRow,
  rows: BreakdownRow[],
  {
    tab: { dimension },
    view,
    outcome,
    domain,
  }: { tab: Tab; view: ViewState; outcome: Outcome; domain: string | undefined },
): BarRow {
  const metric = outcome.isFilter ? 'goalVisitors' : 'visitors';
  const figureOf = (one: Pick<BreakdownRow, 'visitors' | 'goalVisitors'>) => one[metric] ?? 0;
  const most = Math.max(...rows.map(figureOf), 1);
  const rate = row.goalRate;
  const value = row.value ?? '';
  const change =
    row.comparison &&
    formatChange(
      row.comparison.change[metric] ?? null,
      figureOf(row),
      Math.max(figureOf(row), figureOf(row.comparison)),
    );
  const filters = editFilters(view.filters, dimension, value, 'only');
  return {
    key: value,
    label: nameOfValue(dimension, row.value),
    mark: <Mark dimension={dimension} value={row.value} />,
    part: figureOf(row) / most,
    value: formatCount(figureOf(row)),
    ...(!outcome.isFilter && { share: formatPercent(row.share) }),
    ...(rate !== undefined && { rate: rate === null ? '–' : formatPercent(rate) }),
    change,
    href: addressOf({ filters }),
    external: externalOf(dimension, row.value, domain),
    isChosen: view.filters.some(
      (filter) => filter.dimension === dimension && filter.operator === 'is' && filter.values.includes(value),
    ),
  };
}

/** Address of a page on the website. A sender's text is linked only if it is a path within the website. */
function externalOf(dimension: string, value: string | null, domain: string | undefined): string | undefined {
  if (!domain || !value?.startsWith('/') || !/^(page|entryPage|exitPage)$/.test(dimension)) return undefined;
  try {
    const base = new URL(domain);
    const url = new URL(base);
    url.pathname = value;
    return url.origin === base.origin && /^https?:$/.test(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
