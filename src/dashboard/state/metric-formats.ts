import type { Metric } from '../../vocabulary/analytics.ts';
import {
  formatCount,
  formatCountLong,
  formatDecimal,
  formatDecimalLong,
  formatDuration,
  formatPercent,
} from './format.ts';

/** What an axis of such figures looks like: whole numbers, any numbers, parts of one, or seconds. */
export type Scale = 'count' | 'decimal' | 'fraction' | 'seconds';

type MetricFormat = {
  name: string;
  scale: Scale;
  /** For cards and axes. */
  short: (value: number) => string;
  /** For tables and tooltips. */
  long: (value: number) => string;
  /** A part or mean of visits: without any visit it is not 0, there is none. */
  isOfVisits: boolean;
  /** More of it is no good news. */
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

/** The order is that of the vocabulary; the compiler finds a metric that is missing here. */
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
