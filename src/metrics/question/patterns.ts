import { findPatternFault } from '../../patterns/pattern.ts';
import { type FilterOperator, isPatternOperator } from '../../vocabulary/analytics.ts';
import { FILTER_PATTERNS_MAX } from '../../vocabulary/contract.ts';

export const TOO_MANY_PATTERNS = `Must have at most ${FILTER_PATTERNS_MAX} regular expressions`;

/** What is wrong with the values of `matches`. Too many are a fault of the whole filter. */
export function findPatternsFault(patterns: readonly string[]): string | undefined {
  const fault = patterns.slice(0, FILTER_PATTERNS_MAX).map(findPatternFault).find(Boolean);
  return fault && `Is no regular expression: ${fault}`;
}

/** A filter, also one that is not looked up yet. */
export type PatternTree = {
  op: string;
  filter?: PatternTree;
  filters?: readonly PatternTree[];
  operator?: FilterOperator;
  values?: readonly string[];
};

/** The regular expressions in filters, those of segments too. */
export function countPatterns(filters: readonly PatternTree[]): number {
  return filters.reduce((sum, { operator, values = [], filter, filters: parts = filter ? [filter] : [] }) => {
    const own = operator && isPatternOperator(operator) ? values.length : 0;
    return sum + own + countPatterns(parts);
  }, 0);
}
