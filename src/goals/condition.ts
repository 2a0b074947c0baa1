import type { Filter } from '../analytics/interface/selection.ts';
import type { Dimension, FilterOperator } from '../vocabulary/analytics.ts';
import type { GoalRow } from './wire.ts';

/** The events that reach a goal. */
export function toCondition({
  type,
  match,
  properties,
}: Pick<GoalRow, 'type' | 'match' | 'properties'>): Filter {
  const ofProperties = properties.map(
    ({ key, operator, values }) => leaf(`property:${key}`, operator as FilterOperator, values), // as the contract has let it in
  );
  return { op: 'and', filters: [...OF_TYPE[type](match), ...ofProperties] };
}

const OF_TYPE: Record<GoalRow['type'], (match: string) => Filter[]> = {
  page: (path) => [
    leaf('eventType', 'is', ['pageview']),
    leaf('page', path.includes('*') ? 'like' : 'is', [path]),
  ],
  event: (name) => [leaf('event', 'is', [name])],
  click: (type) => [leaf('eventType', 'is', ['click']), leaf('property:type', 'is', [type])],
};

function leaf(dimension: Dimension, operator: FilterOperator, values: readonly string[]): Filter {
  return { op: 'match', dimension, operator, values };
}
