import type { Figures, Filter } from '../analytics/analytics.ts';
import type { Dimension, Metric } from '../analytics/vocabulary.ts';
import type { PlausibleMetric } from '../contract/plausible.ts';

/** How Plausible names and rounds what we have. */

export type PlausibleFigures = Figures & {
  /** Visitors of the whole selection, for percentages. */
  allVisitors: number;
};

export const METRIC_OF: Record<PlausibleMetric, (figures: PlausibleFigures) => number> = {
  visitors: ({ visitors }) => visitors,
  visits: ({ visits }) => visits,
  pageviews: ({ pageviews }) => pageviews,
  events: ({ events }) => events,
  views_per_visit: ({ viewsPerVisit }) => Math.round(viewsPerVisit * 100) / 100,
  bounce_rate: ({ bounceRate }) => Math.round(bounceRate * 100),
  visit_duration: ({ visitDuration }) => Math.round(visitDuration),
  percentage: ({ visitors, allVisitors }) =>
    allVisitors === 0 ? 0 : Math.round((visitors / allVisitors) * 1000) / 10,
};

/** What the engine orders by, to have the order of a metric. */
export const COLUMN_OF: Record<PlausibleMetric, Metric> = {
  visitors: 'visitors',
  visits: 'visits',
  pageviews: 'pageviews',
  events: 'events',
  views_per_visit: 'viewsPerVisit',
  bounce_rate: 'bounceRate',
  visit_duration: 'visitDuration',
  percentage: 'visitors',
};

const ABSENT = { source: 'Direct / None', referrer: 'Direct / None', property: '(none)', other: '(not set)' };
const ABSENT_LABELS = new Set(Object.values(ABSENT));
const DEVICES: Record<string, string> = { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet' };

export function toPlausibleValue(dimension: Dimension, value: string | null): string {
  if (dimension === 'deviceType' && value !== null) return DEVICES[value] ?? value;
  if (value !== null) return value;
  if (dimension === 'source' || dimension === 'referrer') return ABSENT[dimension];
  return dimension.startsWith('property:') ? ABSENT.property : ABSENT.other;
}

/** The values of a filter as we keep them: Plausible has texts for what is absent, and writes devices in capitals. */
export function fromPlausibleValues(filter: Filter): Filter {
  if (filter.op === 'not') return { op: 'not', filter: fromPlausibleValues(filter.filter) };
  if (filter.op !== 'match') return { op: filter.op, filters: filter.filters.map(fromPlausibleValues) };
  const { dimension, operator } = filter;
  const isWhole = operator === 'is' || operator === 'is_not';
  const values = filter.values.map((value) => {
    if (isWhole && ABSENT_LABELS.has(value)) return '';
    return dimension === 'deviceType' ? value.toLowerCase() : value;
  });
  return { ...filter, values };
}
