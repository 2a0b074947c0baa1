import type { FilterOperator, GoalMetric, Metric, NamedDimension, Traffic } from './analytics.ts';
import type { Comparison, ComparisonMatch, Interval, Period } from './contract.ts';

/** Labels of the closed lists of queries, for OpenAPI, GET …/stats/dimensions and the dashboard. */

/** Labels on pages, in the order of the filter menu. */
export const DIMENSION_NAMES: Record<NamedDimension, string> = {
  page: 'Page',
  entryPage: 'Entry page',
  exitPage: 'Exit page',
  hostname: 'Hostname',
  source: 'Source',
  channel: 'Channel',
  referrer: 'Referrer',
  utmSource: 'UTM source',
  utmMedium: 'UTM medium',
  utmCampaign: 'UTM campaign',
  utmTerm: 'UTM term',
  utmContent: 'UTM content',
  country: 'Country',
  region: 'Region',
  city: 'City',
  language: 'Language',
  browser: 'Browser',
  browserVersion: 'Browser version',
  os: 'Operating system',
  osVersion: 'System version',
  deviceType: 'Device',
  screen: 'Screen',
  screenSize: 'Screen size',
  bot: 'Bot',
  countedBy: 'Counted by',
  visitorType: 'New or returning',
  event: 'Custom event',
  eventType: 'Event type',
};

export const DIMENSION_DESCRIPTIONS: Record<NamedDimension, string> = {
  page: 'Path of the page as people read it (/ü), without query and fragment.',
  hostname: 'Host name of the page, in Unicode.',
  eventType: 'pageview, click or custom.',
  event: 'Name of a custom event.',
  entryPage: 'First page of the visit.',
  exitPage: 'Last page of the visit.',
  referrer: 'Host that the visit came from, without www.; never the website itself.',
  source:
    'utm_source, ref or source of the first address, else the referrer, else the network of a click id; known ones by name (Google).',
  channel: 'Group of sources (Direct, Organic Search, …), by the rules of Google Analytics 4.',
  utmSource: 'utm_source of the first address of the visit.',
  utmMedium: 'utm_medium of the first address of the visit.',
  utmCampaign: 'utm_campaign of the first address of the visit.',
  utmContent: 'utm_content of the first address of the visit.',
  utmTerm: 'utm_term of the first address of the visit.',
  country: 'ISO 3166-1 code of the country, or what was sent as location.',
  region:
    'ISO 3166-2 code of the region (DE-BY); a region without one is its name and country (Kowloon, HK).',
  city: 'Name of the city, its region or country, and its GeoNames id where the database has it (Munich, DE-BY, 2867714).',
  deviceType: 'mobile, tablet or desktop.',
  browser: 'Name of the browser.',
  browserVersion: 'Major version of the browser; best with a filter by browser.',
  os: 'Name of the operating system.',
  osVersion: 'Major version of the operating system; best with a filter by os.',
  language: 'Language tag of the browser.',
  screen: 'Size of the screen in CSS pixels.',
  screenSize:
    'Class of the width of the screen: small (below 576), medium (below 992), large (below 1440), extra large.',
  bot: 'Name of a bot; with traffic=bots or all.',
  countedBy: 'browser, or day for visitors whom the server derives for one day.',
  visitorType: 'new when the visit is the first one ever of its visitor, else returning.',
};

export const PROPERTY_DESCRIPTION = 'Value of the key KEY of the properties of an event.';

export const METRIC_DESCRIPTIONS: Record<Metric, string> = {
  visitors: 'Distinct visitors. Counted once over the whole range, so the points of a series do not add up.',
  visits: 'Visits with an event in the range. A visit ends after a pause of more than 30 minutes.',
  pageviews: 'Events of type pageview.',
  events: 'All events: pageviews, clicks and custom ones.',
  viewsPerVisit: 'pageviews ÷ visits; 0 without visits.',
  bounceRate:
    'Part of the visits (0 to 1) with one pageview and no other event; 0 without visits. Of a point: of those that begin in it; of a page: that entered there.',
  visitDuration:
    'Mean seconds from the first to the last event of a visit, bounces as 0; 0 without visits. Of a point: of those that begin in it.',
};

export const GOAL_METRIC_DESCRIPTIONS: Record<GoalMetric | 'groupConversionRate', string> = {
  conversions: 'Matching events that reach the goal.',
  converters: 'Distinct visitors of these events.',
  conversionRate: 'converters ÷ visitors; of a row ÷ those of the whole selection. 0 without visitors.',
  groupConversionRate: 'converters ÷ visitors of the row.',
};

export const OPERATOR_DESCRIPTIONS: Record<FilterOperator, string> = {
  is: 'Equals one of the values.',
  is_not: 'Equals none of the values; what has no value passes.',
  contains: 'Contains one of the values, whatever the case.',
  contains_not: 'Contains none of the values, whatever the case; what has no value passes.',
  starts_with: 'Begins with one of the values, whatever the case.',
  ends_with: 'Ends with one of the values, whatever the case.',
  like: 'Is like one of the patterns: * stands for any text without a slash, ** for any text. Minds the case.',
  like_not: 'Is like none of the patterns; what has no value passes.',
  matches: 'Matches one of the regular expressions, somewhere. Minds the case unless one begins with (?i).',
  matches_not:
    'Matches none of the regular expressions; what has no value passes unless they match nothing too.',
};

export const TRAFFIC_DESCRIPTIONS: Record<Traffic, string> = {
  people: 'Neither bots nor addresses that the website excludes.',
  bots: 'Senders whose User-Agent says that they are bots.',
  all: 'Everything that is stored.',
};

export const PERIOD_DESCRIPTIONS: Record<Period, string> = {
  today: 'The day that is running.',
  yesterday: 'The day before.',
  '24h': 'The hour that is running and the 23 before it.',
  '7d': 'The day that is running and the 6 before it.',
  '28d': 'The day that is running and the 27 before it.',
  '30d': 'The day that is running and the 29 before it.',
  '90d': 'The day that is running and the 89 before it.',
  '91d': 'The day that is running and the 90 before it: 13 weeks.',
  month: 'From the first of this month to today.',
  lastmonth: 'The whole month before this one.',
  year: 'From the first of January to today.',
  '6mo': 'This month up to today and the 5 before it.',
  '12mo': 'This month up to today and the 11 before it.',
  all: 'From the first event, or the registration of a website without one, to today; previous and year have nothing to compare it with.',
};

export const INTERVAL_DESCRIPTIONS: Record<Interval, string> = {
  minute: 'Default up to 2 hours.',
  hour: 'As the clocks show it. Default up to 2 days.',
  day: 'From local midnight. Default up to 100 days.',
  week: 'From Monday. Default up to 200 days.',
  month: 'From the first. Default for longer ranges.',
};

export const COMPARISON_DESCRIPTIONS: Record<Comparison, string> = {
  previous:
    'The range of the same length before; for whole months as many months, for period=month and period=year the same days of the one before.',
  year: 'The same days a year before.',
  custom: 'From compareFrom to compareTo.',
};

export const COMPARISON_MATCH_DESCRIPTIONS: Record<ComparisonMatch, string> = {
  date: 'The days that end where the range begins, or the same dates of a year before.',
  weekday:
    'Whole weeks earlier, so that Mondays are compared with Mondays: today with the same weekday of last week, 30 days with those 35 days before, a year as 52 weeks. Ranges made of months, including running ones, are compared by their dates.',
};
