import type { Dimension, FilterOperator, Traffic } from '../../vocabulary/analytics.ts';

export type Filter =
  /** At least one filter. */
  | { op: 'and' | 'or'; filters: readonly Filter[] }
  | { op: 'not'; filter: Filter }
  /** Some event of the whole visit passes, regardless of the range and the class of traffic. */
  | { op: 'has_done'; filter: Filter }
  /** Some event of the first visit ever of the same visitor and class passes. */
  | { op: 'first_visit'; filter: Filter }
  /** The event is of one of these websites. */
  | { op: 'website'; websiteKeys: readonly number[] }
  /** The visitor's first visit begins in [fromMs, toMs). */
  | { op: 'first_seen'; fromMs: number; toMs: number }
  | {
      op: 'match';
      dimension: Dimension;
      operator: FilterOperator;
      /** Matches when any value does (for `…_not`: when none does). The empty string means absent. */
      values: readonly string[];
      /**
       * Ignores case with `is` and `like` too. `contains`, `starts_with` and `ends_with` always ignore it, `matches` never
       * does.
       */
      ignoresCase?: boolean;
    };

/** Selects events. */
export type Selection = {
  websiteKey: number;
  fromMs: number;
  toMs: number;
  /** Default: people. */
  traffic?: Traffic;
  filter?: Filter;
};

export type List<Row> = { rows: Row[]; total: number };
/** Requested rows of a list. */
export type ListPage = { limit: number; offset: number };
export type ListRequest = Selection & ListPage;
