import type { Figures } from '../../analytics/interface/query.ts';
import type { PlausibleMetric } from '../../contract/plausible.ts';
import type { Metric } from '../../vocabulary/analytics.ts';

/** Metrics that are answered separately, as amounts of a currency. */
export type RevenueMetric = 'total_revenue' | 'average_revenue';
export type FigureMetric = Exclude<PlausibleMetric, RevenueMetric>;

export function isRevenue(metric: PlausibleMetric): metric is RevenueMetric {
  return metric === 'total_revenue' || metric === 'average_revenue';
}

export type PlausibleFigures = Figures & {
  /** Visitors of the whole selection, the denominator of percentages. */
  allVisitors: number;
  /** Visitors regardless of the goal: of all rows, and of this one. */
  goalVisitors?: number;
  groupVisitors?: number;
};

/** Converts our figures, rounded as in Plausible. */
export const METRIC_OF: Record<FigureMetric, (figures: PlausibleFigures) => number> = {
  visitors: ({ visitors }) => visitors,
  visits: ({ visits }) => visits,
  pageviews: ({ pageviews }) => pageviews,
  events: ({ events }) => events,
  views_per_visit: ({ viewsPerVisit }) => Math.round(viewsPerVisit * 100) / 100,
  bounce_rate: ({ bounceRate }) => Math.round(bounceRate * 100),
  visit_duration: ({ visitDuration }) => Math.round(visitDuration),
  percentage: ({ visitors, allVisitors }) =>
    allVisitors === 0 ? 0 : Math.round((visitors / allVisitors) * 1000) / 10,
  conversion_rate: ({ visitors, goalVisitors = 0 }) => toRate(visitors, goalVisitors),
  group_conversion_rate: ({ visitors, groupVisitors = 0 }) => toRate(visitors, groupVisitors),
};

/** Returns a percentage with two decimals. */
function toRate(converters: number, visitors: number): number {
  return visitors === 0 ? 0 : Math.round((converters / visitors) * 10_000) / 100;
}

/** Column by which the engine sorts to get the order of a metric. */
export const COLUMN_OF: Record<FigureMetric, Metric> = {
  visitors: 'visitors',
  visits: 'visits',
  pageviews: 'pageviews',
  events: 'events',
  views_per_visit: 'viewsPerVisit',
  bounce_rate: 'bounceRate',
  visit_duration: 'visitDuration',
  percentage: 'visitors',
  conversion_rate: 'visitors',
  group_conversion_rate: 'visitors',
};
