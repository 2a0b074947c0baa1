import type { Metric } from '../../vocabulary/analytics.ts';
import type { BreakdownRow, Figures } from './query.ts';
import type { List, ListRequest, Selection } from './selection.ts';

export type PagesRequest = ListRequest & {
  sort?: { by: PageColumn | 'value'; descending: boolean };
  search?: string;
};
export type PageColumn = Metric | 'entries' | 'exits' | 'exitRate';
/** `entries` and `exits`: visits that began and ended on the page. `exitRate`: exits ÷ pageviews. `value` is the page. */
export type Page = Figures & { value: string; entries: number; exits: number; exitRate: number };
export type PageDetail = {
  /** The page in its decoded form when it was found so, otherwise as requested. */
  page: string;
  totals: Figures;
  entries: number;
  exits: number;
  /** Sources of the visits that have the page. */
  sources: BreakdownRow[];
  referrers: BreakdownRow[];
  /** Pageviews of other pages before and after those of this page in the visit; null: this page was first, or last. */
  previous: { value: string | null; pageviews: number }[];
  next: { value: string | null; pageviews: number }[];
};

export type CustomEvent = { name: string; events: number; visitors: number };
export type PropertyKey = { key: string; events: number; visitors: number };
export type PropertyValuesRequest = Selection & {
  key: string;
  search?: string;
  limit: number;
  offset: number;
};
export type PropertyValues = List<{ value: string; events: number; visitors: number }> & {
  /** Statistics of events whose value is a JSON number; undefined without any. */
  numbers: { count: number; sum: number; average: number; min: number; max: number } | undefined;
};
