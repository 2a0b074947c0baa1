import type { Comparison, ComparisonMatch } from '../../vocabulary/contract.ts';
import { COMPARISON_CHOICES, type ViewState } from './view-state.ts';

/** What reports are compared with when the address does not say: what this person chose last. */

type Choice = { compare: Comparison | 'none'; match: ComparisonMatch };

const COMPARE_KEY = 'pagemeter.compare';
const MATCH_KEY = 'pagemeter.compare-match';

/** What is compared with what: as the address says, else as it was chosen last, else fairly. */
export function comparisonOf({ compare, match }: Pick<ViewState, 'compare' | 'match'>): Choice {
  const kept = localStorage.getItem(COMPARE_KEY);
  // Without its dates a range of one's own says nothing.
  const keptCompare = COMPARISON_CHOICES.find((choice) => choice === kept && choice !== 'custom');
  const keptMatch = localStorage.getItem(MATCH_KEY) === 'date' ? 'date' : 'weekday';
  return { compare: compare ?? keptCompare ?? 'previous', match: match ?? keptMatch };
}

/** For addresses that do not say. */
export function rememberComparison({ compare, match }: Partial<Choice>): void {
  if (compare) localStorage.setItem(COMPARE_KEY, compare);
  if (match) localStorage.setItem(MATCH_KEY, match);
}

/** The parameters of a question that is compared. Nothing came before all of time. */
export function toComparisonQuestion(view: ViewState) {
  const { compare, match } = comparisonOf(view);
  if (compare === 'none' || (view.period === 'all' && !view.from)) return {};
  if (compare === 'custom') return { compare, compareFrom: view.compareFrom, compareTo: view.compareTo };
  return { compare, compareMatch: match };
}
