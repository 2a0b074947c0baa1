import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import { Mark } from '../marks/Mark.tsx';
import { editFilters } from '../state/filter-edits.ts';
import { formatChange, formatCount, formatPercent } from '../state/format.ts';
import { addressOf } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import type { ViewState } from '../state/view-state.ts';
import type { BarRow } from './BarList.tsx';
import type { Tab } from './panels.ts';

/** Converts a row of a breakdown to a bar that links to the reports of its value. */
export function toBarRow(
  row: BreakdownRow,
  rows: BreakdownRow[],
  { dimension }: Tab,
  view: ViewState,
  domain: string | undefined,
): BarRow {
  const most = Math.max(...rows.map(({ visitors }) => visitors), 1);
  const value = row.value ?? '';
  const change =
    row.comparison &&
    formatChange(
      row.comparison.change.visitors,
      row.visitors,
      Math.max(row.visitors, row.comparison.visitors),
    );
  const filters = editFilters(view.filters, dimension, value, 'only');
  return {
    key: value,
    label: nameOfValue(dimension, row.value),
    mark: <Mark dimension={dimension} value={row.value} />,
    part: row.visitors / most,
    value: formatCount(row.visitors),
    share: formatPercent(row.share),
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
