import { useState } from 'preact/hooks';
import type { Metric } from '../../analytics/vocabulary.ts';
import type { Breakdown } from '../../contract/metrics.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { METRIC_FORMATS } from '../metric-formats.ts';
import { nameOfValue } from '../value-names.ts';
import type { ViewState } from '../view-state.ts';
import { editFilters, editOf } from './filter-edits.ts';
import { ChangeMark } from './MetricCards.tsx';
import { toTabQuestion } from './Panel.tsx';
import { currentTab, type Panel, titleOfTab } from './panels.ts';
import { ask, download, type Place } from './place.ts';
import { addressOf, type ViewChanges } from './use-view.ts';

type Props = {
  panel: Panel;
  place: Place;
  view: ViewState;
  onChange: (changes: ViewChanges) => void;
};

const COLUMNS = [
  'visitors',
  'visits',
  'pageviews',
  'bounceRate',
  'visitDuration',
] as const satisfies Metric[];
const EVENT_COLUMNS = ['visitors', 'events'] as const satisfies Metric[];
const ROWS = 50;

/** All values of a list, with every metric: to search, sort, page through and take away. */
export function DetailsDialog({ panel, place, view, onChange }: Props) {
  const tab = currentTab(panel, view.tabs);
  const columns: readonly Metric[] = panel.id === 'events' ? EVENT_COLUMNS : COLUMNS;
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<{ metric: Metric; isUp: boolean }>({ metric: 'visitors', isUp: false });
  const [offset, setOffset] = useState(0);
  const question = {
    ...toTabQuestion(view, tab),
    search: search || undefined,
    sort: `${sort.metric}:${sort.isUp ? 'asc' : 'desc'}`,
  };
  const { answer, fault, retry, isLoading } = useAnswer(
    `details ${place.base} ${JSON.stringify(question)} ${offset}`,
    (signal) => ask<Breakdown>(place, '/stats/breakdown', { ...question, limit: ROWS, offset }, signal),
  );
  const title = titleOfTab(panel, tab);

  return (
    <Dialog title={title} size="wide" onClose={() => onChange({ details: undefined })}>
      <div class="details-tools">
        <input
          type="search"
          class="search"
          placeholder="Search"
          aria-label={`Search ${title}`}
          value={search}
          onInput={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setOffset(0);
          }}
        />
        <button
          type="button"
          class="quiet small"
          onClick={() => void download(place, '/stats/breakdown', { ...question, limit: 10_000 }, title)}
        >
          CSV
        </button>
      </div>
      {fault && <Problem fault={fault} onRetry={retry} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label={title} aria-busy={isLoading}>
        <table class="table">
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
                    onClick={() => {
                      setSort({ metric, isUp: sort.metric === metric && !sort.isUp });
                      setOffset(0);
                    }}
                  >
                    {METRIC_FORMATS[metric].name}
                    <span aria-hidden="true">{sort.metric === metric ? (sort.isUp ? ' ↑' : ' ↓') : ''}</span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {answer?.rows.map((row) => (
              <tr key={row.value}>
                <th scope="row">
                  <a
                    href={addressOf({
                      details: undefined,
                      filters: editFilters(view.filters, tab.dimension, row.value ?? '', 'only'),
                    })}
                    onClick={(event) => {
                      if (event.metaKey || event.ctrlKey) return;
                      event.preventDefault();
                      onChange({
                        details: undefined,
                        filters: editFilters(view.filters, tab.dimension, row.value ?? '', editOf(event)),
                      });
                    }}
                  >
                    {nameOfValue(tab.dimension, row.value)}
                  </a>
                </th>
                {columns.map((metric) => (
                  <td key={metric} class="number">
                    {METRIC_FORMATS[metric].long(row[metric])}{' '}
                    {row.comparison && (
                      <ChangeMark percent={row.comparison.change[metric]} now={row[metric]} metric={metric} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {answer?.rows.length === 0 && (
          <p class="panel-empty">{search ? `Nothing contains “${search}”.` : panel.empty}</p>
        )}
      </section>
      {answer && <Pager pagination={answer.pagination} onOffset={setOffset} />}
    </Dialog>
  );
}
