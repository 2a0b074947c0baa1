import type { Vocabulary } from '../../contract/metrics/dashboard.ts';
import { DIMENSIONS, EVENT_DIMENSIONS } from '../../vocabulary/analytics.ts';
import {
  COMPARISON_DESCRIPTIONS,
  DIMENSION_DESCRIPTIONS,
  INTERVAL_DESCRIPTIONS,
  METRIC_DESCRIPTIONS,
  OPERATOR_DESCRIPTIONS,
  PERIOD_DESCRIPTIONS,
  PROPERTY_DESCRIPTION,
  TRAFFIC_DESCRIPTIONS,
} from '../../vocabulary/dimensions.ts';
import type { Table } from '../files/format.ts';

/** Returns every name that queries may use, with its label. */
export function toVocabulary(): Vocabulary {
  const ofEvents: readonly string[] = EVENT_DIMENSIONS;
  return {
    dimensions: [
      ...DIMENSIONS.map((name) => ({
        name,
        description: DIMENSION_DESCRIPTIONS[name],
        of: ofEvents.includes(name) ? ('event' as const) : ('visit' as const),
      })),
      { name: 'property:KEY', description: PROPERTY_DESCRIPTION, of: 'event' },
    ],
    metrics: toNamed(METRIC_DESCRIPTIONS),
    operators: toNamed(OPERATOR_DESCRIPTIONS),
    traffic: toNamed(TRAFFIC_DESCRIPTIONS),
    periods: toNamed(PERIOD_DESCRIPTIONS),
    intervals: toNamed(INTERVAL_DESCRIPTIONS),
    comparisons: toNamed(COMPARISON_DESCRIPTIONS),
  };
}

export function vocabularyTable(vocabulary: Vocabulary): Table {
  const rows = Object.entries(vocabulary).flatMap(([list, names]) =>
    names.map((name) => ({ list, ...name })),
  );
  return { name: 'dimensions', columns: ['list', 'name', 'description', 'of'], rows };
}

function toNamed(descriptions: Record<string, string>): { name: string; description: string }[] {
  return Object.entries(descriptions).map(([name, description]) => ({ name, description }));
}
