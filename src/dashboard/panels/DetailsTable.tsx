import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import type { Totals } from '../../contract/metrics/stats.ts';
import { METRICS, type Metric } from '../../vocabulary/analytics.ts';
import { toHref } from '../browser/base-path.ts';
import { ChangeMark } from '../charts/ChangeText.tsx';
import { Mark } from '../marks/Mark.tsx';
import { editFilters, editOf } from '../state/filter-edits.ts';
import { figureIn, METRIC_FORMATS, type ShownMetric } from '../state/metric-formats.ts';
import { addressOf } from '../state/use-view.ts';
import { nameOfValue } from '../state/value-names.ts';
import type { Filter } from '../state/view-state.ts';
import type { Tab } from './panels.ts';

/** By a figure, or by its change since the earlier range. */
export type Sort = { metric: ShownMetric; isUp: boolean; by?: 'change' | 'percent' };

export function toSortParameter({ metric, isUp, by }: Sort): string {
  return `${metric}${by ? `.${by}` : ''}:${isUp ? 'asc' : 'desc'}`;
}

type Props = {
  tab: Tab;
  columns: readonly ShownMetric[];
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
  const figureOf = (row: BreakdownRow) => figureIn(row, sort.metric) ?? 0;
  const most = Math.max(...(rows ?? []).map(figureOf), 0);
  const isCompared = rows?.some(({ comparison }) => comparison) ?? false;
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
                onClick={() => onSort({ metric, isUp: sort.metric === metric && !sort.by && !sort.isUp })}
              >
                {METRIC_FORMATS[metric].name}
                <span aria-hidden="true">
                  {sort.metric === metric && !sort.by ? (sort.isUp ? ' ↑' : ' ↓') : ''}
                </span>
              </button>
              {isCompared && isRanked(metric) && (
                <button
                  type="button"
                  class="details-change"
                  aria-label={`Sort by the change of ${METRIC_FORMATS[metric].name}`}
                  title="Sort by change, then by percent"
                  onClick={() => onSort(nextChangeSort(metric, sort))}
                >
                  ±
                  {sort.metric === metric && sort.by
                    ? `${sort.by === 'percent' ? '%' : ''}${sort.isUp ? '↑' : '↓'}`
                    : ''}
                </button>
              )}
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
                style={{ width: `${most > 0 ? (figureOf(row) / most) * 100 : 0}%` }}
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
              <Figures of={toWhole(totals)} columns={columns} />
            ) : (
              columns.map((metric) => <td key={metric} />)
            )}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Figures whose change the service ranks by. */
const isRanked = (metric: ShownMetric) => METRICS.some((name) => name === metric);

/** Next order: falls first, rises first, then both in percent. */
function nextChangeSort(metric: ShownMetric, { metric: last, by, isUp }: Sort): Sort {
  if (last !== metric || !by) return { metric, by: 'change', isUp: true };
  if (isUp) return { metric, by, isUp: false };
  return { metric, by: by === 'change' ? 'percent' : 'change', isUp: true };
}

/** The goal's figures of all rows together. */
function toWhole(totals: Totals): Figured {
  const { comparison } = totals;
  return {
    ...totals,
    goalVisitors: totals.converters,
    goalRate: totals.conversionRate,
    comparison: comparison && {
      ...comparison,
      goalVisitors: comparison.converters,
      change: {
        ...comparison.change,
        goalVisitors: comparison.change.converters,
        goalRate: comparison.change.conversionRate,
      },
    },
  };
}

type Figured = Pick<BreakdownRow, Metric> & {
  goalVisitors?: number | undefined;
  goalRate?: number | null | undefined;
  comparison?:
    | {
        visitors: number;
        goalVisitors?: number | undefined;
        change: { [Name in ShownMetric]?: number | null | undefined };
      }
    | undefined;
};

function Figures({ of: row, columns }: { of: Figured; columns: readonly ShownMetric[] }) {
  return (
    <>
      {columns.map((metric) => (
        <Figure key={metric} of={row} metric={metric} />
      ))}
    </>
  );
}

function Figure({ of: row, metric }: { of: Figured; metric: ShownMetric }) {
  const value = row[metric as keyof Figured] as number | null | undefined; // all but the comparison are figures
  const percent = row.comparison?.change[metric];
  return (
    <td class="number">
      {typeof value === 'number' ? METRIC_FORMATS[metric].long(value) : '–'}{' '}
      {row.comparison && typeof value === 'number' && percent !== undefined && (
        <ChangeMark percent={percent} now={value} metric={metric} people={peopleOf(row, metric)} />
      )}
    </td>
  );
}

/** The people that a change is about, now or before, whichever are more. */
function peopleOf({ comparison, ...now }: Figured, metric: ShownMetric): number {
  const isOfGoal = metric === 'goalVisitors' || metric === 'goalRate';
  const name = isOfGoal ? 'goalVisitors' : 'visitors';
  return Math.max(now[name] ?? 0, comparison?.[name] ?? 0);
}
