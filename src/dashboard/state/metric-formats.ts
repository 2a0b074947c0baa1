import type { Metric } from '../../vocabulary/analytics.ts';
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
export const METRIC_FORMATS: Record<Metric, MetricFormat> = {
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
};
