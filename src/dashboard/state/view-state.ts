import { FILTER_OPERATORS, type FilterOperator } from '../../vocabulary/analytics.ts';
import {
  COMPARISON_MATCHES,
  COMPARISONS,
  type Comparison,
  type ComparisonMatch,
  type Period,
} from '../../vocabulary/contract.ts';
import { DRAWN_METRICS, type DrawnMetric } from './metric-formats.ts';

/**
 * One condition. Values are alternatives; '' stands for "none": direct visits, unknown countries. A scope may precede
 * the dimension.
 */
export type Filter = { operator: FilterOperator; dimension: string; values: string[] };

/** Pseudo-dimension for days of the first visit. The values are the first and last day; '' leaves one open. */
export const FIRST_SEEN = 'firstSeen';

/** Scopes of a condition on events other than the counted one, in the API's form: `first_visit:source`. */
export const SCOPES = ['has_done', 'has_not_done', 'first_visit'] as const;
export type Scope = (typeof SCOPES)[number];

export function splitScope(dimension: string): { scope: Scope | undefined; own: string } {
  const scope = SCOPES.find((name) => dimension.startsWith(`${name}:`));
  return { scope, own: scope ? dimension.slice(scope.length + 1) : dimension };
}

export const withScope = (scope: Scope | undefined, own: string) => (scope ? `${scope}:${own}` : own);

/** Period when the address names none: whole weeks, so that each weekday counts equally. */
export const DEFAULT_PERIOD: Period = '28d';

export const COMPARISON_CHOICES = [...COMPARISONS, 'none'] as const;

/** State that the pages of a website share, all of it in the address. A page adds its own through a `PageCodec`. */
export type ViewState = {
  /** Unchecked text of the address, like the fields below up to `interval`: the service rejects invalid ones. */
  period: string;
  /** Dates (YYYY-MM-DD, both included) or instants (ISO), instead of the period. */
  from?: string;
  to?: string;
  interval?: string;
  /** Absent: the default of `comparisonOf`. */
  compare?: Comparison | 'none';
  match?: ComparisonMatch;
  /** Dates (YYYY-MM-DD, both included) of a custom comparison. */
  compareFrom?: string;
  compareTo?: string;
  metric: DrawnMetric;
  chart: 'line' | 'bar' | 'table';
  filters: Filter[];
  /** Chosen tab of each panel that does not show its first one. */
  tabs: Record<string, string>;
  /** Panel whose details are open. */
  details?: string;
  /** Offset in a list of people; absent at its beginning. */
  offset?: number;
};

/** Reads and writes a page's own state in the query of the address, next to the shared state. */
export type PageCodec<Own> = {
  read: (parameters: URLSearchParams) => Own;
  write: (own: Own, parameters: URLSearchParams) => void;
};

const TAB_PREFIX = 'tab.';

/** Reads the query of an address. Unknown ways of showing something fall back to the default. */
export function readViewState(search: string): ViewState {
  const parameters = new URLSearchParams(search);
  const state: ViewState = {
    period: parameters.get('period') || DEFAULT_PERIOD,
    metric: oneOf(DRAWN_METRICS, parameters.get('metric')) ?? 'visitors',
    chart: oneOf(['line', 'bar', 'table'] as const, parameters.get('chart')) ?? 'line',
    filters: parameters.getAll('f').filter(Boolean).map(readFilter),
    tabs: {},
  };
  const from = parameters.get('from');
  if (from) {
    state.from = from;
    const to = parameters.get('to');
    if (to) state.to = to;
  }
  const interval = parameters.get('interval');
  if (interval) state.interval = interval;
  const compare = oneOf(COMPARISON_CHOICES, parameters.get('compare'));
  if (compare) state.compare = compare;
  const match = oneOf(COMPARISON_MATCHES, parameters.get('match'));
  if (match) state.match = match;
  const [compareFrom, compareTo] = [parameters.get('compareFrom'), parameters.get('compareTo')];
  if (compare === 'custom' && compareFrom) state.compareFrom = compareFrom;
  if (compare === 'custom' && compareTo) state.compareTo = compareTo;
  for (const [name, value] of parameters)
    if (name.startsWith(TAB_PREFIX)) state.tabs[name.slice(TAB_PREFIX.length)] = value;
  const details = parameters.get('details');
  if (details) state.details = details;
  const offset = parameters.get('offset');
  if (offset && /^[1-9]\d{0,8}$/.test(offset)) state.offset = Number(offset);
  return state;
}

/**
 * Query of the address that shows a state: '' or '?…'. Defaults are left out.
 *
 * @param writeOwn adds what a page keeps itself
 */
export function toSearch(state: ViewState, writeOwn?: (parameters: URLSearchParams) => void): string {
  const parameters = new URLSearchParams();
  if (state.from) {
    parameters.set('from', state.from);
    if (state.to) parameters.set('to', state.to);
  } else if (state.period !== DEFAULT_PERIOD) parameters.set('period', state.period);
  if (state.interval) parameters.set('interval', state.interval);
  if (state.compare) parameters.set('compare', state.compare);
  if (state.compare === 'custom' && state.compareFrom) parameters.set('compareFrom', state.compareFrom);
  if (state.compare === 'custom' && state.compareTo) parameters.set('compareTo', state.compareTo);
  if (state.match) parameters.set('match', state.match);
  if (state.metric !== 'visitors') parameters.set('metric', state.metric);
  if (state.chart !== 'line') parameters.set('chart', state.chart);
  for (const filter of state.filters) parameters.append('f', writeFilter(filter));
  for (const [panel, tab] of Object.entries(state.tabs)) parameters.set(TAB_PREFIX + panel, tab);
  if (state.details) parameters.set('details', state.details);
  if (state.offset) parameters.set('offset', String(state.offset));
  writeOwn?.(parameters);
  // Kept readable: these need no escape in a query (RFC 3986, 3.4), or every browser accepts them.
  const text = parameters.toString().replace(/%(2C|7C|2F|3A)/g, (escaped) => decodeURIComponent(escaped));
  return text === '' ? '' : `?${text}`;
}

/** Parameters of a question to the API: period and filters. */
export function toQuestion({ period, from, to, filters }: ViewState) {
  return {
    ...(from ? { from, to } : { period }),
    filters: filters.length > 0 ? JSON.stringify(filters.map(toCondition)) : undefined,
  };
}

/** Converts a filter to a condition of the API. */
export function toCondition({ operator, dimension, values }: Filter): unknown[] {
  if (dimension === FIRST_SEEN)
    return ['first_seen', { from: values[0] || undefined, to: values[1] || undefined }];
  const { scope, own } = splitScope(dimension);
  return scope ? [scope, [operator, own, values]] : [operator, own, values];
}

/** `is,country,DE|FR`; commas, bars and percent signs within a part are escaped. */
function writeFilter({ operator, dimension, values }: Filter): string {
  return `${operator},${escapePart(dimension)},${values.map(escapePart).join('|')}`;
}

/**
 * Reads a filter. An invalid one is kept for the service to reject: without it, the page would show more than the link
 * meant.
 */
function readFilter(text: string): Filter {
  const parts = text.split(',');
  const [operatorText = '', dimension = '', values = ''] = parts;
  const operator = oneOf(FILTER_OPERATORS, operatorText);
  if (!operator || parts.length !== 3) return { operator: 'is', dimension: text, values: [''] };
  return { operator, dimension: unescapePart(dimension), values: values.split('|').map(unescapePart) };
}

const escapePart = (text: string) => text.replace(/[%,|]/g, (sign) => encodeURIComponent(sign));
const unescapePart = (text: string) =>
  text.replace(/%(25|2C|7C)/gi, (escaped) => decodeURIComponent(escaped));

function oneOf<Choice extends string>(choices: readonly Choice[], text: string | null): Choice | undefined {
  return choices.find((choice) => choice === text);
}
