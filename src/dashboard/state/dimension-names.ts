import { DIMENSION_NAMES } from '../../vocabulary/dimensions.ts';
import { FIRST_SEEN, type Scope, splitScope } from './view-state.ts';

/** Dimension of several websites that are shown as one. */
export const WEBSITE = 'website';
const PROPERTY_PREFIX = 'property:';
const SCOPE_NAMES: Record<Scope, string> = {
  has_done: 'In the visit',
  has_not_done: 'Nowhere in the visit',
  first_visit: 'In the first visit',
};

/** Dimensions whose absent value is an answer: a direct visit, an unknown country. */
export const WITH_ABSENT = /^(source|country)$/;

/** `country` → `Country`, `property:plan` → `plan (property)`; an unknown one as it is. */
export function nameOfDimension(dimension: string): string {
  const { scope, own } = splitScope(dimension);
  if (scope) return `${SCOPE_NAMES[scope]}: ${nameOfDimension(own)}`;
  if (dimension.startsWith(PROPERTY_PREFIX)) return `${dimension.slice(PROPERTY_PREFIX.length)} (property)`;
  if (dimension === WEBSITE) return 'Website';
  if (dimension === 'goal') return 'Goal';
  if (dimension === FIRST_SEEN) return 'First seen';
  if (dimension === 'segment') return 'Segment';
  return Object.entries(DIMENSION_NAMES).find(([name]) => name === dimension)?.[1] ?? dimension;
}
