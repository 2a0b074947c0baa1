import type { Dimension } from '../../vocabulary/analytics.ts';
import { nameOfDimension, WEBSITE, WITH_ABSENT } from '../state/dimension-names.ts';
import { toQuestion, type ViewState } from '../state/view-state.ts';
import type { MaySee } from '../state/visibility.ts';

/** Panels below the chart. Each tab is a list of values. */

/** A dimension of events, or the websites of a set. */
export type ListDimension = Dimension | typeof WEBSITE;

export type Tab = {
  /** Name of the tab in the address; by default its dimension. */
  id?: string;
  /** Dimension of the breakdown. */
  dimension: ListDimension;
  label: string;
  /** Condition of the list itself, in the API's form. */
  only?: [operator: 'is', dimension: string, values: string[]];
  /** Why the list is empty, where the panel's own reason does not hold. */
  empty?: string;
  /** Label shared by tabs that are shown in a second row. */
  group?: string;
  /** Tab shown below a short list. */
  next?: Tab;
};

export type PanelSpec = {
  id: string;
  title: string;
  tabs: readonly [Tab, ...Tab[]];
  empty: string;
  /** Whether a map is shown next to the list. */
  hasMap?: true;
};

export const PANEL_ROWS = 9;

const CAMPAIGNS = 'Campaigns';
const VERSIONS = 'Versions';
const SCREENS = 'Screens';
const PROPERTIES = 'Properties';
const NO_PLACES =
  'No regions or cities in this period. They appear when the server has a database of cities (GEO_DATABASE).';
/** Prefix that stands for any property of events; one of them is shown. */
export const ANY_PROPERTY: Dimension = 'property:';

const CLICKS: Tab = {
  id: 'clicks',
  dimension: 'property:href',
  label: 'Link clicks',
  only: ['is', 'eventType', ['click']],
};

export const PANELS: readonly PanelSpec[] = [
  {
    id: 'sources',
    title: 'Sources',
    tabs: [
      { dimension: 'source', label: 'Sources' },
      { dimension: 'channel', label: 'Channels' },
      { dimension: 'referrer', label: 'Referrers' },
      { dimension: 'utmCampaign', label: 'Campaign', group: CAMPAIGNS },
      { dimension: 'utmSource', label: 'Source', group: CAMPAIGNS },
      { dimension: 'utmMedium', label: 'Medium', group: CAMPAIGNS },
      { dimension: 'utmTerm', label: 'Term', group: CAMPAIGNS },
      { dimension: 'utmContent', label: 'Content', group: CAMPAIGNS },
      { dimension: 'visitorType', label: 'Visitors' },
    ],
    empty: 'Nothing in this period. Campaigns appear when links have utm_ parameters.',
  },
  {
    id: 'pages',
    title: 'Pages',
    tabs: [
      { dimension: 'page', label: 'Top pages' },
      { dimension: 'entryPage', label: 'Entry' },
      { dimension: 'exitPage', label: 'Exit' },
      { dimension: 'hostname', label: 'Hostnames' },
    ],
    empty: 'No pageviews in this period.',
  },
  {
    id: 'locations',
    title: 'Locations',
    tabs: [
      { dimension: 'country', label: 'Countries' },
      { dimension: 'region', label: 'Regions', empty: NO_PLACES },
      { dimension: 'city', label: 'Cities', empty: NO_PLACES },
      { dimension: 'language', label: 'Languages' },
    ],
    hasMap: true,
    empty: 'No countries in this period. Visits from private networks have none.',
  },
  {
    id: 'devices',
    title: 'Devices',
    tabs: [
      { dimension: 'browser', label: 'Browsers' },
      { dimension: 'os', label: 'Operating systems' },
      { dimension: 'browserVersion', label: 'Browser', group: VERSIONS },
      { dimension: 'osVersion', label: 'System', group: VERSIONS },
      { dimension: 'deviceType', label: 'Devices' },
      { dimension: 'screenSize', label: 'Size', group: SCREENS },
      { dimension: 'screen', label: 'Resolution', group: SCREENS },
    ],
    empty: 'No devices in this period.',
  },
  {
    id: 'events',
    title: 'Events',
    tabs: [
      { dimension: 'event', label: 'Custom events', next: CLICKS },
      { dimension: ANY_PROPERTY, label: PROPERTIES },
      CLICKS,
    ],
    empty:
      "No events in this period. Pages send them with AnalyticsTracker.track('name'); link clicks are counted automatically.",
  },
  {
    id: 'websites',
    title: 'Websites',
    tabs: [{ dimension: WEBSITE, label: 'Websites' }],
    empty: 'No events in this period.',
  },
];

/** The tab that the address names, or the first one. */
export function currentTab(panel: PanelSpec, tabs: Record<string, string>): Tab {
  const chosen = tabs[panel.id];
  const named = panel.tabs.find((tab) => idOfTab(tab) === chosen);
  const property = chosen?.startsWith(ANY_PROPERTY)
    ? panel.tabs.find(({ dimension }) => dimension === ANY_PROPERTY)
    : undefined;
  return named ?? property ?? panel.tabs[0];
}

export const idOfTab = ({ id, dimension }: Tab): string => id ?? dimension;

/** The dimension that is shown; undefined for properties until one is chosen. */
export function dimensionOfTab(
  panel: PanelSpec,
  tab: Tab,
  tabs: Record<string, string>,
): ListDimension | undefined {
  if (tab.dimension !== ANY_PROPERTY) return tab.dimension;
  const key = tabs[panel.id]?.slice(ANY_PROPERTY.length);
  return key ? `property:${key}` : undefined;
}

/** Title of a list of values. */
export function titleOfTab(panel: PanelSpec, { dimension, label, group }: Tab): string {
  if (label === PROPERTIES) return `${panel.title}: ${nameOfDimension(dimension)}`;
  if (group) return `${group}: ${label}`;
  return label === panel.title ? label : `${panel.title}: ${label}`;
}

/** Parameters of a tab's list. */
export function toTabQuestion(view: ViewState, tab: Tab) {
  const { filters = '[]', ...question } = toQuestion(view);
  const conditions = [...JSON.parse(filters), ...(tab.only ? [tab.only] : [])];
  return {
    ...question,
    dimension: tab.dimension,
    withAbsent: WITH_ABSENT.test(tab.dimension) ? 'true' : undefined,
    filters: conditions.length > 0 ? JSON.stringify(conditions) : undefined,
  };
}

/** Why a list is empty. */
export function reasonOfNone(panel: PanelSpec, tab: Tab, { filters }: ViewState): string {
  return filters.length > 0 ? 'Nothing here matches the filters.' : (tab.empty ?? panel.empty);
}

/** Panels reduced to the visible tabs; a panel without any is left out. */
export function visiblePanels(maySee: MaySee): PanelSpec[] {
  return PANELS.flatMap((panel) => {
    const [first, ...others] = panel.tabs
      .filter(({ dimension }) => maySee(dimension))
      .map(({ next, ...tab }) => (next && maySee(next.dimension) ? { ...tab, next } : tab));
    return first ? [{ ...panel, tabs: [first, ...others] as const }] : [];
  });
}
