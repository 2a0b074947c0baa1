import {
  GOAL_METRICS,
  type GOAL_SORTS,
  type GoalMetric,
  METRICS,
  type Metric,
} from '../../vocabulary/analytics.ts';
import {
  formatCount,
  formatCountLong,
  formatDecimal,
  formatDecimalLong,
  formatDuration,
  formatPercent,
} from './format.ts';

/** Kind of axis: whole numbers, any numbers, fractions, or seconds. */
export type Scale = 'count' | 'decimal' | 'fraction' | 'seconds';

/** A figure that the pages show: of a selection, of a point, or of a row. */
export type ShownMetric = Metric | GoalMetric | (typeof GOAL_SORTS)[number];
/** Metrics that the chart can draw. */
export const DRAWN_METRICS = [...METRICS, ...GOAL_METRICS] as const;
export type DrawnMetric = (typeof DRAWN_METRICS)[number];

type Figured = Record<Metric, number> & { [Name in Exclude<ShownMetric, Metric>]?: number | null };

/** Undefined or null where there is none: a goal's without a goal, a rate without visitors. */
export const figureIn = (figures: Figured, metric: ShownMetric): number | null | undefined => figures[metric];

type MetricFormat = {
  name: string;
  scale: Scale;
  /** For cards and axes. */
  short: (value: number) => string;
  /** For tables and tooltips. */
  long: (value: number) => string;
  /** A part or mean of visits, which is undefined without visits. */
  isOfVisits: boolean;
  /** Whether lower is better. */
  isBetterLow: boolean;
};

const count = (name: string): MetricFormat => ({
  name,
  scale: 'count',
  short: formatCount,
  long: formatCountLong,
  isOfVisits: false,
  isBetterLow: false,
});

/** Formats in the vocabulary's order; the compiler finds a missing metric. */
const RATE: MetricFormat = {
  name: 'Conversion rate',
  scale: 'fraction',
  short: formatPercent,
  long: formatPercent,
  isOfVisits: true,
  isBetterLow: false,
};

export const METRIC_FORMATS: Record<ShownMetric, MetricFormat> = {
  visitors: count('Visitors'),
  visits: count('Visits'),
  pageviews: count('Pageviews'),
  events: count('Events'),
  viewsPerVisit: {
    name: 'Views per visit',
    scale: 'decimal',
    short: formatDecimal,
    long: formatDecimalLong,
    isOfVisits: true,
    isBetterLow: false,
  },
  bounceRate: {
    name: 'Bounce rate',
    scale: 'fraction',
    short: formatPercent,
    long: formatPercent,
    isOfVisits: true,
    isBetterLow: true,
  },
  visitDuration: {
    name: 'Visit duration',
    scale: 'seconds',
    short: formatDuration,
    long: formatDuration,
    isOfVisits: true,
    isBetterLow: false,
  },
  conversions: count('Conversions'),
  converters: count('Converters'),
  conversionRate: RATE,
  goalVisitors: count('Converters'),
  goalRate: RATE,
};
