import { currentAddress } from '../browser/router.ts';
import { readViewState, toSearch, type ViewState } from './view-state.ts';

/** Parts of the present view that are kept when another page is opened. */

const KEPT_ELSEWHERE = ['period', 'from', 'to', 'compare', 'match', 'compareFrom', 'compareTo'] as const;
const KEPT = [...KEPT_ELSEWHERE, 'filters'] as const;

/** Address of a page of the website, with the period, comparison and filters that are shown. */
export function addressIn({ base }: { base: string }, path = ''): string {
  return base + path + searchOf(KEPT);
}

/**
 * Address of another website's dashboard, with the period and comparison that are shown. Filters name values of this
 * one.
 */
export function addressOfWebsite(websiteId: string): string {
  return `/websites/${encodeURIComponent(websiteId)}${searchOf(KEPT_ELSEWHERE)}`;
}

function searchOf(kept: readonly (keyof ViewState)[]): string {
  const [, query = ''] = currentAddress().split('?');
  const view = readViewState(query);
  const entries = kept.filter((name) => view[name] !== undefined).map((name) => [name, view[name]]);
  return toSearch({ ...readViewState(''), ...Object.fromEntries(entries) });
}
