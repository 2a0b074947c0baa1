import { useId } from 'preact/hooks';
import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import type { ImportedStats } from '../../contract/metrics/imported.ts';
import type { Breakdown } from '../../contract/metrics/stats.ts';
import type { Place } from '../api/place.ts';
import { useReport } from '../api/use-report.ts';
import { Boundary } from '../components/Boundary.tsx';
import { Problem } from '../components/Problem.tsx';
import { Tabs } from '../components/Tabs.tsx';
import { ImportedRows } from '../imported/lazy.ts';
import { toComparisonQuestion } from '../state/comparison.ts';
import { nameOfDimension, WITH_ABSENT } from '../state/dimension-names.ts';
import { editFilters } from '../state/filter-edits.ts';
import { METRIC_FORMATS } from '../state/metric-formats.ts';
import { type Outcome, toGoalListQuestion } from '../state/outcome.ts';
import type { ViewChanges } from '../state/use-view.ts';
import type { ViewState } from '../state/view-state.ts';
import { BarList } from './BarList.tsx';
import { toBarRow } from './bar-rows.tsx';
import { LocationMap } from './LocationMap.tsx';
import { NextList } from './NextList.tsx';
import { PropertyList } from './PropertyList.tsx';
import {
  ANY_PROPERTY,
  currentTab,
  idOfTab,
  PANEL_ROWS,
  type PanelSpec,
  reasonOfNone,
  type Tab,
  toTabQuestion,
} from './panels.ts';

/** A list with fewer rows leaves room for the next one below. */
const ROWS_OF_SHORT = 5;

/** Lists loaded together with the totals. */
export type Lists = {
  /** Requested dimensions. */
  asked: readonly string[];
  /** Rows by dimension; the earlier ones while others load. */
  rows: ReadonlyMap<string, BreakdownRow[]>;
  /** Whether loading failed; the page shows the reason. */
  hasFailed: boolean;
};

type Props = {
  panel: PanelSpec;
  place: Place;
  view: ViewState;
  outcome: Outcome;
  lists: Lists;
  /** Address of the website, for links to its pages. */
  domain: string | undefined;
  /** Imported sums that are shown. */
  imported: ImportedStats | undefined;
  onChange: (changes: ViewChanges) => void;
};

/** One list of values with tabs: where visitors come from, what they look at. */
export function Panel({ panel, place, view, outcome, lists, domain, imported, onChange }: Props) {
  const id = useId();
  const tab = currentTab(panel, view.tabs);
  const isProperty = tab.dimension === ANY_PROPERTY;
  const importedList =
    imported?.skipped === null && imported.totals.visits > 0
      ? imported.breakdowns.find(({ dimension }) => dimension === tab.dimension)
      : undefined;
  const { rows, fault, retry, isBusy } = useRows({ tab, place, view, outcome, lists });
  const groups = [...new Set(panel.tabs.map(({ group, label }) => group ?? label))];
  const inGroup = panel.tabs.filter(({ group }) => group !== undefined && group === tab.group);
  const choose = (chosen: string) => {
    const { [panel.id]: _, ...others } = view.tabs;
    // The first tab is the default, so the address omits it.
    onChange({ tabs: chosen === idOfTab(panel.tabs[0]) ? others : { ...others, [panel.id]: chosen } });
  };

  return (
    <section
      class={panel.hasMap ? 'card panel panel-with-map' : 'card panel'}
      aria-labelledby={`${id}-title`}
    >
      <header class="panel-head">
        <h2 id={`${id}-title`}>{panel.title}</h2>
        {rows && rows.length > 0 && (
          <DetailsButton title={panel.title} onOpen={() => onChange({ details: panel.id })} />
        )}
        <Tabs
          label={panel.title}
          panelId={`${id}-list`}
          tabs={groups.map((label) => ({ id: label, label }))}
          current={tab.group ?? tab.label}
          onChoose={(label) => {
            const first = panel.tabs.find((other) => (other.group ?? other.label) === label);
            if (first) choose(idOfTab(first));
          }}
        />
      </header>
      {inGroup.length > 0 && (
        <Tabs
          label={tab.group ?? ''}
          panelId={`${id}-list`}
          tabs={inGroup.map(({ dimension, label }) => ({ id: dimension, label }))}
          current={tab.dimension}
          onChoose={choose}
        />
      )}
      <div class="panel-list" id={`${id}-list`} role="tabpanel" aria-label={tab.label} aria-busy={isBusy}>
        {isProperty && (
          <PropertyList
            place={place}
            view={view}
            chosen={view.tabs[panel.id]?.slice(ANY_PROPERTY.length) || undefined}
            isReported={lists.hasFailed}
            onChoose={(key) => choose(ANY_PROPERTY + key)}
            onDetails={(key) =>
              onChange({ tabs: { ...view.tabs, [panel.id]: ANY_PROPERTY + key }, details: panel.id })
            }
            onChange={onChange}
          />
        )}
        {fault && !lists.hasFailed && <Problem fault={fault} onRetry={retry} />}
        {!isProperty && rows?.length === 0 && <p class="panel-empty">{reasonOfNone(panel, tab, view)}</p>}
        {!isProperty && rows && (
          <BarList
            heads={[
              tab.id ? tab.label : nameOfDimension(tab.dimension),
              METRIC_FORMATS[outcome.isFilter ? 'goalVisitors' : 'visitors'].name,
              ...(rows.some(({ goalRate }) => goalRate !== undefined) ? ['Rate'] : []),
            ]}
            rows={rows.map((row) => toBarRow(row, rows, { tab, view, outcome, domain }))}
            onPick={(value, edit) =>
              onChange({ filters: editFilters(view.filters, tab.dimension, value, edit) })
            }
          />
        )}
        {importedList && <ImportedRows list={importedList} />}
        {tab.next && rows && rows.length < ROWS_OF_SHORT && (
          <NextList tab={tab.next} place={place} view={view} onChange={onChange} />
        )}
      </div>
      {panel.hasMap && (
        <Boundary>
          <LocationMap
            place={place}
            view={view}
            outcome={outcome}
            isReported={lists.hasFailed}
            onChange={onChange}
          />
        </Boundary>
      )}
    </section>
  );
}

type TabProps = { tab: Tab; place: Place; view: ViewState; outcome: Outcome; lists: Lists };

/** Rows of a tab from the page's answer. A tab that it does not contain is requested on its own. */
function useRows({ tab, place, view, outcome, lists }: TabProps) {
  const isList = tab.dimension !== ANY_PROPERTY;
  const isShared = isList && !tab.only && lists.asked.includes(tab.dimension);
  const ready = tab.only ? undefined : lists.rows.get(tab.dimension);
  const question = {
    ...toTabQuestion(outcome.view, tab),
    ...toComparisonQuestion(view),
    ...toGoalListQuestion(outcome),
  };
  const { answer, fault, retry } = useReport<Breakdown>(
    place,
    '/stats/breakdown',
    isShared || !isList ? undefined : { ...question, limit: PANEL_ROWS },
  );
  const own = answer?.dimension === tab.dimension ? answer.rows : undefined;
  const rows = (isShared ? (ready ?? own) : (own ?? ready))
    ?.filter(({ value }) => value !== null || WITH_ABSENT.test(tab.dimension))
    .slice(0, PANEL_ROWS);
  const hasFailed = isShared ? lists.hasFailed : fault !== undefined;
  return { rows, fault, retry, isBusy: isList && !rows && !hasFailed };
}

function DetailsButton({ title, onOpen }: { title: string; onOpen: () => void }) {
  return (
    <button type="button" class="icon-button panel-details" title="Details" onClick={onOpen}>
      <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
        <path d="M9.5 2.5h4v4M13.5 2.5L9 7M6.5 13.5h-4v-4M2.5 13.5L7 9" />
      </svg>
      <span class="unseen">Details of {title}</span>
    </button>
  );
}
