import { DAY_MS } from './durations.ts';

/**
 * The closed lists of questions: dimensions, metrics, operators and kinds of traffic. What
 * each of them means is written in docs/definitions.md. Imports nothing, so that the dashboard can use the lists too.
 */

/** Dimensions that may differ between the events of one visit. */
export const EVENT_DIMENSIONS = ['page', 'hostname', 'eventType', 'event'] as const;

/** Dimensions of the visitor's device and place: of the first event of the visit. */
export const CLIENT_DIMENSIONS = [
  'country',
  'deviceType',
  'browser',
  'browserVersion',
  'os',
  'osVersion',
  'language',
  'screen',
  'screenSize',
  'bot',
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

/** What a goal adds to the metrics of a selection, a point or a row. */
export const GOAL_METRICS = ['conversions', 'converters', 'conversionRate'] as const;
export type GoalMetric = (typeof GOAL_METRICS)[number];

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

/** Those whose values are regular expressions. */
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
/** A visit lasts at most so long. */
export const VISIT_MS_MAX = 30 * DAY_MS;
/** And has at most so many events. */
export const VISIT_EVENTS_MAX = 65_535;
/** Who had an event this recently is online now. */
export const ONLINE_WINDOW_MS = 5 * 60 * 1000;
export const REALTIME_MINUTES = 30;

/** Bounds of one request. */
export const BREAKDOWN_LIMIT_MAX = 10_000;
export const BREAKDOWNS_MAX = 30;
export const FILTER_LEAVES_MAX = 100;
export const FILTER_DEPTH_MAX = 8;
export const LIST_LIMIT_MAX = 1_000;
export const FUNNEL_STEPS_MAX = 12;
/** Next pages of those who got no further than a step. */
export const FUNNEL_NEXT_MAX = 5;
/** Of a visitor, with the events: the latest ones. */
export const DETAIL_VISITS_MAX = 100;
/** Which of the visits before a conversion has how much of it: all, or each the same. */
export const ATTRIBUTION_MODELS = ['first', 'last', 'linear'] as const;
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number];
/** Of a visitor, the latest ones. */
export const ATTRIBUTED_VISITS_MAX = 100;
/** A conversion is so many parts, so that shares of it are whole and add up. */
export const CONVERSION_PARTS = 1_000_000;
/** Of a journey, beside the event with which it begins or ends. */
export const JOURNEY_STEPS = 5;
/** A branch that fewer than one of so many journeys take is merged with others. */
export const JOURNEYS_A_BRANCH = 100;

/** `code` of the error of a question that came while a long log is still being read. */
export const CATCHING_UP = 'CATCHING_UP';

/** The value of texts that came when a day had brought too many new ones. */
export const OTHER = '(other)';

/** The key of the property that says what an event has brought: `{"amount":"19.90","currency":"EUR"}`. As many values as pages. */
export const REVENUE_KEY = 'revenue';
