import type { Dimension, FilterOperator } from '../../analytics/vocabulary.ts';
import { nameOfValue } from '../value-names.ts';
import { FIRST_SEEN, type Filter } from '../view-state.ts';
import { nameOfDimension } from './dimension-names.ts';
import { tellFirstSeen } from './FirstSeen.tsx';

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

/** `Germany or France` */
export function tellValues({ dimension, values }: Filter): string {
  if (dimension === FIRST_SEEN) return tellFirstSeen(values);
  // What a filter is on need not be a dimension that has names for values.
  return values.map((value) => nameOfValue(dimension as Dimension, value === '' ? null : value)).join(' or ');
}

/** `Country is Germany or France` */
export function tellFilter(filter: Filter): string {
  const operator = filter.dimension === FIRST_SEEN ? '' : `${OPERATOR_NAMES[filter.operator]} `;
  return `${nameOfDimension(filter.dimension)} ${operator}${tellValues(filter)}`;
}
