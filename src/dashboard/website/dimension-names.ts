import { DIMENSION_NAMES } from '../../contract/dimensions.ts';
import { FIRST_SEEN } from '../view-state.ts';

const PROPERTY_PREFIX = 'property:';

/** `country` → `Country`, `property:plan` → `Property plan`; an unknown one as it is. */
export function nameOfDimension(dimension: string): string {
  if (dimension.startsWith(PROPERTY_PREFIX)) return `Property ${dimension.slice(PROPERTY_PREFIX.length)}`;
  if (dimension === 'goal') return 'Goal';
  if (dimension === FIRST_SEEN) return 'First seen';
  if (dimension === 'segment') return 'Segment';
  return Object.entries(DIMENSION_NAMES).find(([name]) => name === dimension)?.[1] ?? dimension;
}
