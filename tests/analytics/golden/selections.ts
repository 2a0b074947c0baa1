import type { Filter } from '../../../src/analytics/interface/selection.ts';
import type { Dimension, FilterOperator } from '../../../src/vocabulary/analytics.ts';
import { END_MS } from './traffic.ts';

/** Selections of the golden questions: ranges that cut days and visits, and some conditions. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const MIDNIGHT_MS = Math.floor(END_MS / DAY_MS) * DAY_MS;
export const LARGEST = 1;

export const RANGES = {
  everything: { fromMs: 0, toMs: END_MS + DAY_MS },
  month: { fromMs: MIDNIGHT_MS - 29 * DAY_MS, toMs: MIDNIGHT_MS + DAY_MS },
  week: { fromMs: MIDNIGHT_MS - 7 * DAY_MS, toMs: MIDNIGHT_MS },
  today: { fromMs: MIDNIGHT_MS, toMs: END_MS },
  /** Five days of India. */
  abroad: {
    fromMs: MIDNIGHT_MS - 8 * DAY_MS - 5.5 * HOUR_MS,
    toMs: MIDNIGHT_MS - 3 * DAY_MS - 5.5 * HOUR_MS,
  },
  /** Cuts visits at both ends. */
  evening: {
    fromMs: MIDNIGHT_MS - 3 * DAY_MS - 4 * HOUR_MS,
    toMs: MIDNIGHT_MS - 3 * DAY_MS + 90 * MINUTE_MS,
  },
  before: { fromMs: 0, toMs: DAY_MS },
};
export const { everything, month, week, today, abroad, evening } = RANGES;
export const whole = { websiteKey: LARGEST, ...everything };

export function leaf(dimension: Dimension, values: string[], operator: FilterOperator = 'is'): Filter {
  return { op: 'match', dimension, operator, values };
}

export const german = leaf('country', ['DE']);
export const desktop = leaf('deviceType', ['desktop']);
export const signups = leaf('event', ['signup']);
export const entered = leaf('entryPage', ['/']);

export function bounds(fromMs: number, toMs: number, stepMs: number): number[] {
  return Array.from(
    { length: 1 + Math.ceil((toMs - fromMs) / stepMs) },
    (_, index) => fromMs + index * stepMs,
  );
}
