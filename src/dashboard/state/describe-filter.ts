import type { Goal } from '../../contract/goal.ts';
import type { Dimension, FilterOperator } from '../../vocabulary/analytics.ts';
import { nameOfDimension } from './dimension-names.ts';
import { nameOfGoal } from './goal-names.ts';
import { formatDays } from './time-format.ts';
import { nameOfValue } from './value-names.ts';
import { FIRST_SEEN, type Filter, splitScope } from './view-state.ts';

export const OPERATOR_NAMES: Record<FilterOperator, string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  contains_not: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  like: 'is like',
  like_not: 'is not like',
  matches: 'matches',
  matches_not: 'does not match',
};

/** `Germany or France` @param goals that filters may name */
export function describeValues({ dimension, values }: Filter, goals?: readonly Goal[]): string {
  if (dimension === FIRST_SEEN) return describeFirstSeen(values);
  const { own } = splitScope(dimension);
  // A dimension without names returns the value.
  const nameOf = (value: string) =>
    own === 'goal' ? nameOfGoal(value, goals) : nameOfValue(own as Dimension, value === '' ? null : value);
  return values.map(nameOf).join(' or ');
}

/** `Country is Germany or France` */
export function describeFilter(filter: Filter, goals?: readonly Goal[]): string {
  const operator = filter.dimension === FIRST_SEEN ? '' : `${OPERATOR_NAMES[filter.operator]} `;
  return `${nameOfDimension(filter.dimension)} ${operator}${describeValues(filter, goals)}`;
}

/** `Nov 1 – 20, 2026`, `since Nov 1, 2026` */
function describeFirstSeen([first = '', last = '']: readonly string[]): string {
  if (last === '') return `since ${formatDays(first, first)}`;
  return first === '' ? `until ${formatDays(last, last)}` : formatDays(first, last);
}
