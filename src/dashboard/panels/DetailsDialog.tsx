import { useState } from 'preact/hooks';
import type { Breakdown, Totals } from '../../contract/metrics/stats.ts';
import { METRICS, type Metric } from '../../vocabulary/analytics.ts';
import { download, type Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { useSettled } from '../api/use-settled.ts';
import { returnTo } from '../browser/router.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Menu } from '../components/Menu.tsx';
import { Pager } from '../components/Pager.tsx';
import { Problem } from '../components/Problem.tsx';
import { toComparisonQuestion } from '../state/comparison.ts';
import { METRIC_FORMATS } from '../state/metric-formats.ts';
import { type Outcome, toGoalQuestion } from '../state/outcome.ts';
import { addressOf, type ViewChanges } from '../state/use-view.ts';
import { NAMED, nameOfValue } from '../state/value-names.ts';
import type { ViewState } from '../state/view-state.ts';
import { useColumns } from './columns.ts';
import { DetailsTable, type Sort, toSortParameter } from './DetailsTable.tsx';
import {
  currentTab,
  dimensionOfTab,
  type PanelSpec,
  reasonOfNone,
  type Tab,
  titleOfTab,
  toTabQuestion,
} from './panels.ts';

type Props = {
  panel: PanelSpec;
  place: Place;
  view: ViewState;
  outcome: Outcome;
  onChange: (changes: ViewChanges) => void;
};

const ROWS = 50;
const NAMED_MAX = 1_000;

/** All values of a list with every metric: searchable, sortable, paged and downloadable. */
export function DetailsDialog({ panel, place, view, outcome, onChange }: Props) {
  const chosen = currentTab(panel, view.tabs);
  const tab = { ...chosen, dimension: dimensionOfTab(panel, chosen, view.tabs) ?? chosen.dimension };
  const { columns, toggle } = useColumns(panel.id === 'events');
  const [text, setText] = useState('');
  const search = useSettled(text);
  const [sort, setSort] = useState<Sort>({
    metric: outcome.isFilter ? 'goalVisitors' : 'visitors',
    isUp: false,
  });
  const [offset, setOffset] = useState(0);
  const title = titleOfTab(panel, tab);
  const { question, values, rows, isPaged, totals } = useDetails({
    tab,
    place,
    view,
    outcome,
    search,
    sort,
    offset,
  });
  const { answer, fault, retry, isLoading, isOld } = values;
  const hasGoal = answer?.rows.some(({ goalRate }) => goalRate !== undefined);

  return (
    <Dialog title={title} size="tall" onClose={() => returnTo(addressOf({ details: undefined }))}>
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
        {toggle && <ColumnsMenu columns={columns} onToggle={toggle} />}
        <ActionButton onAct={() => download(place, '/stats/breakdown', question)}>CSV</ActionButton>
      </div>
      {fault && <Problem fault={fault} onRetry={retry} />}
      <section
        class={`table-scroll ${isOld ? 'old' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        tabIndex={0}
        aria-label={title}
        aria-busy={isLoading || search !== text}
      >
        <DetailsTable
          tab={tab}
          columns={hasGoal ? ['goalVisitors', 'goalRate', ...columns] : columns}
          sort={sort}
          rows={rows}
          totals={totals}
          filters={view.filters}
          onSort={(chosenSort) => {
            setSort(chosenSort);
            setOffset(0);
          }}
          onFilter={(filters) => onChange({ details: undefined, filters })}
        />
        {rows?.length === 0 && (
          <p class="panel-empty">
            {search ? `Nothing contains “${search}”.` : reasonOfNone(panel, tab, view)}
          </p>
        )}
      </section>
      <div class="details-foot">
        {answer && isPaged && <Pager pagination={answer.pagination} onOffset={setOffset} />}
      </div>
    </Dialog>
  );
}

type DetailsRequest = Pick<Props, 'place' | 'view' | 'outcome'> & {
  tab: Tab;
  search: string;
  sort: Sort;
  offset: number;
};

/** The requested values, and the totals of all of them. */
function useDetails({ tab, place, view, outcome, search, sort, offset }: DetailsRequest) {
  const isByName = NAMED.includes(tab.dimension);
  const limit = isByName && search !== '' ? NAMED_MAX : ROWS;
  const question = {
    ...toTabQuestion(outcome.view, tab),
    ...toComparisonQuestion(view),
    ...toGoalQuestion(outcome),
    search: isByName ? undefined : search || undefined,
    sort: toSortParameter(sort),
  };
  const values = useReport<Breakdown>(place, '/stats/breakdown', { ...question, limit, offset });
  const rows = values.answer?.rows.filter(
    ({ value }) =>
      !isByName || nameOfValue(tab.dimension, value).toLowerCase().includes(search.toLowerCase()),
  );
  const { dimension: _, withAbsent: __, ...selection } = toTabQuestion(withValue(outcome.view, tab), tab);
  const totals = useReport<Totals>(place, '/stats', {
    ...selection,
    ...toComparisonQuestion(view),
    ...toGoalQuestion(outcome),
  });
  return {
    question,
    values,
    rows,
    /** Values searched by name are loaded at once. */
    isPaged: limit === ROWS,
    totals: search === '' && !totals.isOld ? totals.answer : undefined,
  };
}

/** A property has values in some events only, and the total is of these. */
function withValue(view: ViewState, { dimension }: Tab): ViewState {
  if (!dimension.startsWith('property:')) return view;
  return { ...view, filters: [...view.filters, { operator: 'is_not', dimension, values: [''] }] };
}

type ColumnsProps = { columns: readonly Metric[]; onToggle: (metric: Metric) => void };

function ColumnsMenu({ columns, onToggle }: ColumnsProps) {
  return (
    <Menu label="Columns" align="end">
      {METRICS.map((metric) => (
        <label class="check" key={metric}>
          <input
            type="checkbox"
            checked={columns.includes(metric)}
            disabled={columns.length === 1 && columns.includes(metric)}
            onChange={() => onToggle(metric)}
          />
          {METRIC_FORMATS[metric].name}
        </label>
      ))}
    </Menu>
  );
}
