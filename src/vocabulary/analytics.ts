import { DAY_MS } from './durations.ts';

/**
 * Closed lists of queries: dimensions, metrics, operators and kinds of traffic, defined in docs/definitions.md. Imports
 * only durations, so that the dashboard can use the lists too.
 */

/** Dimensions that may differ between the events of one visit. */
export const EVENT_DIMENSIONS = ['page', 'hostname', 'eventType', 'event'] as const;

/** Dimensions of the visitor's device and place: of the first event of the visit. */
export const CLIENT_DIMENSIONS = [
  'country',
  'region',
  'city',
  'deviceType',
  'browser',
  'browserVersion',
  'os',
  'osVersion',
  'language',
  'screen',
  'screenSize',
  'bot',
  'countedBy',
] as const;

/** Dimensions of a campaign: of the first event of the visit. An owner may hide them from the public. */
const CAMPAIGN_DIMENSIONS = ['utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm'] as const;

/** Dimensions of where the visit came from: of the first event of the visit. */
export const ORIGIN_DIMENSIONS = ['referrer', 'source', 'channel', ...CAMPAIGN_DIMENSIONS] as const;

/** First and last page of the visit. */
export const EDGE_DIMENSIONS = ['entryPage', 'exitPage'] as const;

/** Dimensions of a visit among all visits of its visitor: they follow from other visits too, so none is stored. */
const RANK_DIMENSIONS = ['visitorType'] as const;

export const DIMENSIONS = [
  ...EVENT_DIMENSIONS,
  ...EDGE_DIMENSIONS,
  ...ORIGIN_DIMENSIONS,
  ...CLIENT_DIMENSIONS,
  ...RANK_DIMENSIONS,
] as const;

export type ClientDimension = (typeof CLIENT_DIMENSIONS)[number];
export type OriginDimension = (typeof ORIGIN_DIMENSIONS)[number];
export type NamedDimension = (typeof DIMENSIONS)[number];
/** `property:plan` is the value of the key `plan` of an event's properties. */
export type Dimension = NamedDimension | `property:${string}`;

export function isCampaignDimension(dimension: string): boolean {
  return (CAMPAIGN_DIMENSIONS as readonly string[]).includes(dimension);
}

export const METRICS = [
  'visitors',
  'visits',
  'pageviews',
  'events',
  'viewsPerVisit',
  'bounceRate',
  'visitDuration',
] as const;
export type Metric = (typeof METRICS)[number];

/** Metrics that a goal adds to a selection, a point or a row. */
export const GOAL_METRICS = ['conversions', 'converters', 'conversionRate'] as const;
export type GoalMetric = (typeof GOAL_METRICS)[number];

/** Figures by which rows of a breakdown can be sorted, besides the metrics: they need `goal`, or `compare`. */
export const GOAL_SORTS = ['goalVisitors', 'goalRate'] as const;
export const CHANGE_SORTS = METRICS.flatMap((metric) => [`${metric}.change`, `${metric}.percent`] as const);
export type RankedSort = (typeof GOAL_SORTS)[number] | (typeof CHANGE_SORTS)[number];
/** Rows with fewer visitors vary by chance: rates and percentages rank them after all others. */
export const RANKED_VISITORS_MIN = 10;

export const FILTER_OPERATORS = [
  'is',
  'is_not',
  'contains',
  'contains_not',
  'starts_with',
  'ends_with',
  'like',
  'like_not',
  'matches',
  'matches_not',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** Operators whose values are regular expressions. */
const PATTERN_OPERATORS = ['matches', 'matches_not'] as const satisfies readonly FilterOperator[];
/** Operators whose values are patterns of either kind, which may be longer than the texts they match. */
export function isLikePattern(operator: FilterOperator): boolean {
  return isPatternOperator(operator) || operator === 'like' || operator === 'like_not';
}
export type PatternOperator = (typeof PATTERN_OPERATORS)[number];
export function isPatternOperator(operator: FilterOperator): operator is PatternOperator {
  return (PATTERN_OPERATORS as readonly string[]).includes(operator);
}

export const TRAFFIC = ['people', 'bots', 'all'] as const;
export type Traffic = (typeof TRAFFIC)[number];

/** The values of `screenSize`, by the width of the screen in CSS pixels from which on they hold. */
export const SCREEN_SIZES = { small: 0, medium: 576, large: 992, 'extra large': 1440 } as const;
export type ScreenSize = keyof typeof SCREEN_SIZES;

/** The values of `countedBy`: how long a visitor is the same one. */
export const COUNTED_BY = ['browser', 'day'] as const;
export type CountedBy = (typeof COUNTED_BY)[number];
/** How answers say that visitors without ids are in a range: alone, or among others. */
export const VISITORS_COUNTED_BY = ['day', 'mixed'] as const;
export type VisitorsCountedBy = (typeof VISITORS_COUNTED_BY)[number];

/** The values of `visitorType`. */
export const VISITOR_TYPES = ['new', 'returning'] as const;

export const CHANNELS = [
  'Direct',
  'Organic Search',
  'Paid Search',
  'Organic Social',
  'Paid Social',
  'Organic Video',
  'Paid Video',
  'Organic Shopping',
  'Paid Shopping',
  'Cross-network',
  'Display',
  'Email',
  'SMS',
  'Affiliates',
  'AI Assistants',
  'Audio',
  'Mobile Push',
  'Paid Other',
  'Referral',
] as const;
export type Channel = (typeof CHANNELS)[number];

/** A pause longer than this ends a visit. */
export const VISIT_GAP_MS = 30 * 60 * 1000;
/** Maximum duration of a visit. */
export const VISIT_MS_MAX = 30 * DAY_MS;
/** Maximum events of a visit. */
export const VISIT_EVENTS_MAX = 65_535;
/** A visitor with an event this recently is online. */
export const ONLINE_WINDOW_MS = 5 * 60 * 1000;
export const REALTIME_MINUTES = 30;

/** Bounds of one request. */
export const BREAKDOWN_LIMIT_MAX = 10_000;
export const BREAKDOWNS_MAX = 30;
export const FILTER_LEAVES_MAX = 100;
export const FILTER_DEPTH_MAX = 8;
export const LIST_LIMIT_MAX = 1_000;
export const FUNNEL_STEPS_MAX = 12;
/** Maximum next pages of visitors who got no further than a step. */
export const FUNNEL_NEXT_MAX = 5;
/** Maximum visits of a visitor's details, the latest ones. */
export const DETAIL_VISITS_MAX = 100;
/** Rules for sharing a conversion among the visits before it. */
export const ATTRIBUTION_MODELS = ['first', 'last', 'linear'] as const;
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number];
/** Maximum visits that share a conversion, the latest ones. */
export const ATTRIBUTED_VISITS_MAX = 100;
/** Parts of a conversion, so that shares of it are whole and add up. */
export const CONVERSION_PARTS = 1_000_000;
/** Maximum stops of a journey, not counting the event with which it begins or ends. */
export const JOURNEY_STEPS = 5;
/** Branches that fewer than one in this many journeys take are merged. */
export const JOURNEYS_A_BRANCH = 1_000;

/** `code` of the error of a query that arrived while a long log was being read. */
export const CATCHING_UP = 'CATCHING_UP';

/** Value of texts beyond a day's bound of new texts. */
export const OTHER = '(other)';

/**
 * Key of the property with an event's revenue: `{"amount":"19.90","currency":"EUR"}`. It may have as many values as pages.
 */
export const REVENUE_KEY = 'revenue';
