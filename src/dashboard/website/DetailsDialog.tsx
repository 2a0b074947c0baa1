import { useState } from 'preact/hooks';
import type { Metric } from '../../analytics/vocabulary.ts';
import type { Breakdown } from '../../contract/metrics.ts';
import { useAnswer } from '../api/use-answer.ts';
import { useSettled } from '../api/use-settled.ts';
import { toComparisonQuestion } from '../comparison.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { Mark } from '../marks/Mark.tsx';
import { METRIC_FORMATS } from '../metric-formats.ts';
import { returnTo } from '../router.ts';
import { nameOfValue } from '../value-names.ts';
import type { ViewState } from '../view-state.ts';
import { editFilters, editOf } from './filter-edits.ts';
import { ChangeMark } from './MetricCards.tsx';
import { currentTab, dimensionOfTab, type Panel, reasonOfNone, titleOfTab, toTabQuestion } from './panels.ts';
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
const FILE_ROWS_MAX = 10_000;
/** Values that are shown by another name than the one they are stored under: all of them are fetched and searched here. */
const NAMED = /^(country|language)$/;
const NAMED_MAX = 1_000;

/** All values of a list, with every metric: to search, sort, page through and take away. */
export function DetailsDialog({ panel, place, view, onChange }: Props) {
  const chosen = currentTab(panel, view.tabs);
  const tab = { ...chosen, dimension: dimensionOfTab(panel, chosen, view.tabs) ?? chosen.dimension };
  const isByName = NAMED.test(tab.dimension);
  const columns: readonly Metric[] = panel.id === 'events' ? EVENT_COLUMNS : COLUMNS;
  const [text, setText] = useState('');
  const search = useSettled(text);
  const [sort, setSort] = useState<{ metric: Metric; isUp: boolean }>({ metric: 'visitors', isUp: false });
  const [offset, setOffset] = useState(0);
  const limit = isByName && search !== '' ? NAMED_MAX : ROWS;
  const question = {
    ...toTabQuestion(view, tab),
    ...toComparisonQuestion(view),
    search: isByName ? undefined : search || undefined,
    sort: `${sort.metric}:${sort.isUp ? 'asc' : 'desc'}`,
  };
  const { answer, fault, retry, isLoading, isOld } = useAnswer(
    `details ${place.base} ${JSON.stringify(question)} ${offset} ${limit}`,
    (signal) => ask<Breakdown>(place, '/stats/breakdown', { ...question, limit, offset }, signal),
  );
  const rows = answer?.rows.filter(
    ({ value }) =>
      !isByName || nameOfValue(tab.dimension, value).toLowerCase().includes(search.toLowerCase()),
  );
  const title = titleOfTab(panel, tab);

  return (
    <Dialog title={title} size="wide" onClose={() => returnTo(addressOf({ details: undefined }))}>
      <div class="details-tools">
        <input
          type="search"
          class="search"
          placeholder="Search"
          aria-label={`Search ${title}`}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setOffset(0);
          }}
        />
        <ActionButton
          class="quiet small"
          onAct={() => download(place, '/stats/breakdown', { ...question, limit: FILE_ROWS_MAX }, title)}
        >
          CSV
        </ActionButton>
      </div>
      {fault && <Problem fault={fault} onRetry={retry} />}
      <section
        class={`table-scroll ${isOld ? 'old' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        tabIndex={0}
        aria-label={title}
        aria-busy={isLoading || search !== text}
      >
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
            {rows?.map((row) => (
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
                    <Mark dimension={tab.dimension} value={row.value} />
                    <bdi>{nameOfValue(tab.dimension, row.value)}</bdi>
                  </a>
                </th>
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
              </tr>
            ))}
          </tbody>
        </table>
        {rows?.length === 0 && (
          <p class="panel-empty">{search ? `Nothing contains “${search}”.` : reasonOfNone(panel, view)}</p>
        )}
      </section>
      {answer && limit === ROWS && <Pager pagination={answer.pagination} onOffset={setOffset} />}
    </Dialog>
  );
}
