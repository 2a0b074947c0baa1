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
  /** One sentence, as in the glossary of docs/definitions.md. */
  meaning: string;
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

const count = (name: string, meaning: string): MetricFormat => ({
  name,
  meaning,
  scale: 'count',
  short: formatCount,
  long: formatCountLong,
  isOfVisits: false,
  isBetterLow: false,
});

const CONVERTERS = 'Visitors who reached the goal.';

/** Formats in the vocabulary's order; the compiler finds a missing metric. */
const RATE: MetricFormat = {
  name: 'Conversion rate',
  meaning: 'The share of visitors who reached the goal.',
  scale: 'fraction',
  short: formatPercent,
  long: formatPercent,
  isOfVisits: true,
  isBetterLow: false,
};

export const METRIC_FORMATS: Record<ShownMetric, MetricFormat> = {
  visitors: count('Visitors', 'Browsers that came, each counted once however often it came.'),
  visits: count('Visits', 'A visit is what a visitor does until 30 minutes without an event.'),
  pageviews: count('Pageviews', 'Pages that were shown.'),
  events: count('Events', 'Everything that was recorded: pageviews, clicks and events of your own.'),
  viewsPerVisit: {
    name: 'Views per visit',
    meaning: 'Pageviews divided by visits.',
    scale: 'decimal',
    short: formatDecimal,
    long: formatDecimalLong,
    isOfVisits: true,
    isBetterLow: false,
  },
  bounceRate: {
    name: 'Bounce rate',
    meaning: 'The share of visits with one pageview and nothing else.',
    scale: 'fraction',
    short: formatPercent,
    long: formatPercent,
    isOfVisits: true,
    isBetterLow: true,
  },
  visitDuration: {
    name: 'Visit duration',
    meaning: 'The mean time from the first to the last event of a visit.',
    scale: 'seconds',
    short: formatDuration,
    long: formatDuration,
    isOfVisits: true,
    isBetterLow: false,
  },
  conversions: count('Conversions', 'How many times the goal was reached.'),
  converters: count('Converters', CONVERTERS),
  conversionRate: RATE,
  goalVisitors: count('Converters', CONVERTERS),
  goalRate: RATE,
};
