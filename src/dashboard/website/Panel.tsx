import { useId } from 'preact/hooks';
import type { Breakdown, BreakdownRow } from '../../contract/metrics.ts';
import { useAnswer } from '../api/use-answer.ts';
import { toComparisonQuestion } from '../comparison.ts';
import { Problem } from '../components/Problem.tsx';
import { Tabs } from '../components/Tabs.tsx';
import { formatChange, formatCount, formatPercent } from '../format.ts';
import { Mark } from '../marks/Mark.tsx';
import { METRIC_FORMATS } from '../metric-formats.ts';
import { nameOfValue } from '../value-names.ts';
import type { ViewState } from '../view-state.ts';
import { BarList, type BarRow } from './BarList.tsx';
import { nameOfDimension } from './dimension-names.ts';
import { editFilters } from './filter-edits.ts';
import { LocationMap } from './LocationMap.tsx';
import { PropertyList } from './PropertyList.tsx';
import {
  ANY_PROPERTY,
  currentTab,
  idOfTab,
  type Panel as PanelOf,
  reasonOfNone,
  type Tab,
  toTabQuestion,
  WITH_ABSENT,
} from './panels.ts';
import { ask, type Place } from './place.ts';
import { addressOf, type ViewChanges } from './use-view.ts';

export const PANEL_ROWS = 9;

/** The lists that come with the totals. */
export type Lists = {
  /** Dimensions. */
  asked: readonly string[];
  /** By dimension; while others are on their way, those of before. */
  rows: ReadonlyMap<string, BreakdownRow[]>;
  /** They did not come; the page says why. */
  hasFailed: boolean;
};

type Props = {
  panel: PanelOf;
  place: Place;
  view: ViewState;
  lists: Lists;
  /** The website's address, for links to its pages. */
  domain: string | undefined;
  onChange: (changes: ViewChanges) => void;
};

/** One list of values with tabs: where visitors come from, what they look at. */
export function Panel({ panel, place, view, lists, domain, onChange }: Props) {
  const id = useId();
  const tab = currentTab(panel, view.tabs);
  const isProperty = tab.dimension === ANY_PROPERTY;
  const isMap = tab.id === 'map';
  const isList = !isProperty && !isMap;
  const isShared = isList && !tab.only && lists.asked.includes(tab.dimension);
  const ready = tab.only ? undefined : lists.rows.get(tab.dimension);
  const question = { ...toTabQuestion(view, tab), ...toComparisonQuestion(view) };
  const { answer, fault, retry } = useAnswer(
    isShared || !isList ? undefined : `breakdown ${place.base} ${JSON.stringify(question)}`,
    (signal) => ask<Breakdown>(place, '/stats/breakdown', { ...question, limit: PANEL_ROWS }, signal),
  );
  const own = answer?.dimension === tab.dimension ? answer.rows : undefined;
  const rows = (isShared ? (ready ?? own) : (own ?? ready))
    ?.filter(({ value }) => value !== null || WITH_ABSENT.test(tab.dimension))
    .slice(0, PANEL_ROWS);
  const groups = [...new Set(panel.tabs.map(({ group, label }) => group ?? label))];
  const inGroup = panel.tabs.filter(({ group }) => group !== undefined && group === tab.group);
  const choose = (chosen: string) => {
    const { [panel.id]: _, ...others } = view.tabs;
    // The first one is shown without being named.
    onChange({ tabs: chosen === idOfTab(panel.tabs[0]) ? others : { ...others, [panel.id]: chosen } });
  };

  return (
    <section class="card panel" aria-labelledby={`${id}-title`}>
      <header class="panel-head">
        <h2 id={`${id}-title`}>{panel.title}</h2>
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
      <div
        class="panel-list"
        id={`${id}-list`}
        role="tabpanel"
        aria-label={tab.label}
        aria-busy={isList && !rows && !(isShared ? lists.hasFailed : fault)}
      >
        {isMap && (
          <LocationMap tab={tab} place={place} view={view} isTold={lists.hasFailed} onChange={onChange} />
        )}
        {isProperty && (
          <PropertyList
            place={place}
            view={view}
            chosen={view.tabs[panel.id]?.slice(ANY_PROPERTY.length) || undefined}
            rows={PANEL_ROWS}
            isTold={lists.hasFailed}
            onChoose={(key) => choose(ANY_PROPERTY + key)}
            onDetails={(key) =>
              onChange({ tabs: { ...view.tabs, [panel.id]: ANY_PROPERTY + key }, details: panel.id })
            }
            onChange={onChange}
          />
        )}
        {fault && !isShared && !lists.hasFailed && <Problem fault={fault} onRetry={retry} />}
        {isList && rows?.length === 0 && <p class="panel-empty">{reasonOfNone(panel, view)}</p>}
        {isList && rows && (
          <BarList
            heads={[nameOfDimension(tab.dimension), METRIC_FORMATS.visitors.name]}
            rows={rows.map((row) => toBarRow(row, rows, tab, view, domain))}
            onPick={(value, edit) =>
              onChange({ filters: editFilters(view.filters, tab.dimension, value, edit) })
            }
          />
        )}
      </div>
      <footer class="panel-foot">
        {((rows && rows.length > 0) || isMap) && (
          <button type="button" class="plain" onClick={() => onChange({ details: panel.id })}>
            Details
            <span class="unseen"> of {panel.title}</span>
          </button>
        )}
      </footer>
    </section>
  );
}

function toBarRow(
  row: BreakdownRow,
  rows: BreakdownRow[],
  { dimension }: Tab,
  view: ViewState,
  domain: string | undefined,
): BarRow {
  const most = Math.max(...rows.map(({ visitors }) => visitors), 1);
  const value = row.value ?? '';
  const change = row.comparison && formatChange(row.comparison.change.visitors, row.visitors);
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

/** Where a page of the website is. What senders made up is a link only if it is a path, and only within the website. */
export function externalOf(
  dimension: string,
  value: string | null,
  domain: string | undefined,
): string | undefined {
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
