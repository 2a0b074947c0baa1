import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import type { Breakdown, Totals } from '../../contract/metrics/stats.ts';
import type { Metric } from '../../vocabulary/analytics.ts';
import { toHref } from '../browser/base-path.ts';
import { ChangeMark } from '../charts/ChangeText.tsx';
import { Mark } from '../marks/Mark.tsx';
import { editFilters, editOf } from '../state/filter-edits.ts';
import { METRIC_FORMATS } from '../state/metric-formats.ts';
import { addressOf } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import type { Filter } from '../state/view-state.ts';
import type { Tab } from './panels.ts';

export type Sort = { metric: Metric; isUp: boolean };

type Props = {
  tab: Tab;
  columns: readonly Metric[];
  sort: Sort;
  rows: BreakdownRow[] | undefined;
  /** Totals of all values; undefined while they load. */
  totals: Totals | undefined;
  filters: Filter[];
  onSort: (sort: Sort) => void;
  onFilter: (filters: Filter[]) => void;
};

/** Values and their metrics; the bar behind a name shows the sorting metric. */
export function DetailsTable({ tab, columns, sort, rows, totals, filters, onSort, onFilter }: Props) {
  const most = Math.max(...(rows ?? []).map((row) => row[sort.metric]), 0);
  return (
    <table class="table details-table" style={{ '--columns': String(columns.length) }}>
      <thead>
        <tr>
          <th scope="col">{tab.label}</th>
          {columns.map((metric) => (
            <th
              key={metric}
              scope="col"
              class="number"
              aria-sort={sort.metric === metric ? (sort.isUp ? 'ascending' : 'descending') : undefined}
            >
              <button
                type="button"
                onClick={() => onSort({ metric, isUp: sort.metric === metric && !sort.isUp })}
              >
                {METRIC_FORMATS[metric].name}
                <span aria-hidden="true">{sort.metric === metric ? (sort.isUp ? ' ↑' : ' ↓') : ''}</span>
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => (
          <tr key={row.value}>
            <th scope="row">
              <span
                class="details-bar"
                style={{ width: `${most > 0 ? (row[sort.metric] / most) * 100 : 0}%` }}
              />
              <a
                href={toHref(
                  addressOf({
                    details: undefined,
                    filters: editFilters(filters, tab.dimension, row.value ?? '', 'only'),
                  }),
                )}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey) return;
                  event.preventDefault();
                  onFilter(editFilters(filters, tab.dimension, row.value ?? '', editOf(event)));
                }}
              >
                <Mark dimension={tab.dimension} value={row.value} />
                <bdi>{nameOfValue(tab.dimension, row.value)}</bdi>
              </a>
            </th>
            <Figures of={row} columns={columns} />
          </tr>
        ))}
      </tbody>
      {rows && rows.length > 0 && (
        <tfoot>
          <tr>
            <th scope="row">All</th>
            {totals ? (
              <Figures of={totals} columns={columns} />
            ) : (
              columns.map((metric) => <td key={metric} />)
            )}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

type Figured = Pick<Breakdown['rows'][number], Metric> & Pick<BreakdownRow, 'comparison'>;

function Figures({ of: row, columns }: { of: Figured; columns: readonly Metric[] }) {
  return (
    <>
      {columns.map((metric) => (
        <td key={metric} class="number">
          {METRIC_FORMATS[metric].long(row[metric])}{' '}
          {row.comparison && (
            <ChangeMark
              percent={row.comparison.change[metric]}
              now={row[metric]}
              metric={metric}
              people={Math.max(row.visitors, row.comparison.visitors)}
            />
          )}
        </td>
      ))}
    </>
  );
}
