import { currentAddress } from '../browser/router.ts';
import { type Filter, readViewState, toSearch, type ViewState } from './view-state.ts';

/** Parts of the present view that are kept when another page is opened. */

const KEPT_ELSEWHERE = ['period', 'from', 'to', 'compare', 'match', 'compareFrom', 'compareTo'] as const;
const KEPT = [...KEPT_ELSEWHERE, 'filters'] as const;

type Additions = {
  /** Filters besides those that are shown. */
  filters?: readonly Filter[];
  /** Other dates than those that are shown. */
  dates?: { from: string; to: string };
  /** Adds the page's own state. */
  writeOwn?: (parameters: URLSearchParams) => void;
};

/** Address of a page of the website, with the period, comparison and filters that are shown. */
export function addressIn({ base }: { base: string }, path = '', additions: Additions = {}): string {
  return base + path + searchOf(KEPT, additions);
}

/**
 * Address of another website's dashboard, with the period and comparison that are shown. Filters name values of this
 * one.
 */
export function addressOfWebsite(websiteId: string): string {
  return `/websites/${encodeURIComponent(websiteId)}${searchOf(KEPT_ELSEWHERE)}`;
}

function searchOf(
  kept: readonly (keyof ViewState)[],
  { filters = [], dates, writeOwn }: Additions = {},
): string {
  const [, query = ''] = currentAddress().split('?');
  const view = readViewState(query);
  const entries = kept.filter((name) => view[name] !== undefined).map((name) => [name, view[name]]);
  const next: ViewState = { ...readViewState(''), ...Object.fromEntries(entries) };
  return toSearch({ ...next, ...dates, filters: [...next.filters, ...filters] }, writeOwn);
}
