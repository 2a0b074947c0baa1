import type { NamedDimension } from './analytics.ts';

/**
 * Families of imported sums: the dimensions that a row of each has values of. Within a family, figures can be filtered and
 * grouped by any of its dimensions; nothing is known of two families together.
 */
export const SUM_FAMILIES = {
  visitors: [],
  sources: ['source', 'referrer', 'utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm'],
  pages: ['hostname', 'page'],
  entryPages: ['entryPage'],
  exitPages: ['exitPage'],
  locations: ['country', 'region', 'city'],
  devices: ['deviceType'],
  browsers: ['browser', 'browserVersion'],
  systems: ['os', 'osVersion'],
} as const satisfies Record<string, readonly NamedDimension[]>;
export type SumFamily = keyof typeof SUM_FAMILIES;
export const SUM_FAMILY_NAMES = Object.keys(SUM_FAMILIES) as SumFamily[]; // the keys of its type

/** Figures of a day. Visitors of several days are counted once a day. */
export type SumFigures = {
  visitors: number;
  visits: number;
  pageviews: number;
  bounces: number;
  /** Seconds of all visits together. */
  durationS: number;
};
export const SUM_FIGURES = ['visitors', 'visits', 'pageviews', 'bounces', 'durationS'] as const;

/** Figures of one day, given by an export of another product. */
export type DailySum = SumFigures & {
  /** Days from 1970-01-01 to the local date. */
  day: number;
  family: SumFamily;
  /** Values of the family's dimensions in its order; null: absent. */
  names: readonly (string | null)[];
};
