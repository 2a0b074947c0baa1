import type { Dimension, Metric } from '../../vocabulary/analytics.ts';
import type { Filter, Selection } from './selection.ts';

export type Query = Selection & {
  totals?: boolean;
  series?: {
    /**
     * Ascending instants: bucket i is [bounds[i], bounds[i + 1]). They may begin before fromMs and end after toMs; a bucket
     * counts only events within the range.
     */
    bounds: readonly number[];
  };
  breakdowns?: readonly Breakdown[];
  /** Adds `weights` to points and rows, so that figures of several websites can be added. */
  withWeights?: boolean;
};

export type Breakdown = {
  dimension: Dimension;
  /** Default: visitors, descending. Ties are ordered by value, ascending by UTF-16 units. */
  sort?: { by: Metric | 'value'; descending: boolean };
  limit: number;
  offset?: number;
  /** Restricts to values that contain this text, ignoring case. */
  search?: string;
  /** Restricts to these values; null means absent. The matching events stay the same. */
  only?: readonly (string | null)[];
  /** Adds a row for events without a value (`value: null`). Default: false. */
  withAbsent?: boolean;
  /** Metrics that are needed; others may be left at 0 to save time. Default: all of METRICS. */
  metrics?: readonly Metric[];
};

export type Figures = {
  visitors: number;
  visits: number;
  pageviews: number;
  events: number;
  /** pageviews ÷ visits; 0 without visits. */
  viewsPerVisit: number;
  /** Share of visits that bounced, 0 to 1; 0 without visits. */
  bounceRate: number;
  /** Mean in seconds; 0 without visits. */
  visitDuration: number;
  /** Numbers of visits that the quotients are means of, on request. */
  weights?: { bounceRate: number; visitDuration: number };
};

export type QueryAnswer = {
  totals?: Figures;
  /** Figures of each bucket, in order. */
  series?: Figures[];
  /** Answers in the order of the request. */
  breakdowns?: BreakdownAnswer[];
};
export type BreakdownRow = Figures & { value: string | null };
/** `total`: number of values regardless of limit and offset, after `search`. */
export type BreakdownAnswer = { dimension: Dimension; rows: BreakdownRow[]; total: number };

export type ConditionsRequest = Selection & { conditions: readonly Filter[] };
/** `rows`: the totals of the matching events that meet each condition, in the order of the conditions. */
export type ConditionsAnswer = { totals: Figures; rows: Figures[] };

export type ValuesRequest = Selection & { dimension: Dimension; search?: string; limit: number };
export type Value = { value: string; events: number };
