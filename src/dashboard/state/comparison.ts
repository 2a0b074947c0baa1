import type { Comparison, ComparisonMatch } from '../../vocabulary/contract.ts';
import { storage } from '../browser/storage.ts';
import { COMPARISON_CHOICES, type ViewState } from './view-state.ts';

/** Comparison of reports; by default the one that the user chose last. */

type Choice = { compare: Comparison | 'none'; match: ComparisonMatch };

const COMPARE_KEY = 'pagemeter.compare';
const MATCH_KEY = 'pagemeter.compare-match';

/** Comparison of the address, or else the last chosen one, or else the previous period by weekday. */
export function comparisonOf({ compare, match }: Pick<ViewState, 'compare' | 'match'>): Choice {
  const kept = storage.getItem(COMPARE_KEY);
  // A custom range means nothing without its dates.
  const keptCompare = COMPARISON_CHOICES.find((choice) => choice === kept && choice !== 'custom');
  const keptMatch = storage.getItem(MATCH_KEY) === 'date' ? 'date' : 'weekday';
  return { compare: compare ?? keptCompare ?? 'previous', match: match ?? keptMatch };
}

/** Remembers the choice for addresses that name none. */
export function rememberComparison({ compare, match }: Partial<Choice>): void {
  if (compare) storage.setItem(COMPARE_KEY, compare);
  if (match) storage.setItem(MATCH_KEY, match);
}

/** Parameters of a comparison. All time has no earlier period. */
export function toComparisonQuestion(view: ViewState) {
  const { compare, match } = comparisonOf(view);
  if (compare === 'none' || (view.period === 'all' && !view.from)) return {};
  if (compare === 'custom') return { compare, compareFrom: view.compareFrom, compareTo: view.compareTo };
  return { compare, compareMatch: match, compareEmpty: 'false' };
}

export const isComparing = (view: ViewState) => 'compare' in toComparisonQuestion(view);
