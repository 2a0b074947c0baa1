import type { Figures } from '../../analytics/analytics.ts';
import type { Metric } from '../../analytics/vocabulary.ts';
import type { PlausibleMetric } from '../../contract/plausible.ts';

export type PlausibleFigures = Figures & {
  /** Visitors of the whole selection, for percentages. */
  allVisitors: number;
};

/** How Plausible rounds what we have. */
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
