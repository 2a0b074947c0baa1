import { DIMENSIONS, type Dimension, type NamedDimension } from './vocabulary.ts';

/** Dictionaries of a website, beside those of property values. The order is stored: append only. */
export const DICTIONARIES = [
  'page',
  'hostname',
  'event',
  'referrer',
  'source',
  'channel',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmContent',
  'utmTerm',
  'country',
  'deviceType',
  'browser',
  'os',
  'language',
  'screen',
  'propertyKey',
] as const;
export type DictionaryName = (typeof DICTIONARIES)[number];

/** Where the values of a dimension are. */
export type DimensionRecord = {
  /** A value of each visit, or of each event. */
  scope: 'visit' | 'event';
  /** Of its texts; undefined for `eventType`, whose codes are fixed. */
  dictionary: DictionaryName | undefined;
  /** Most new texts of a website and UTC day; further ones are OTHER. */
  newTextsADay: number;
};

const PAGES_A_DAY = 100_000;
const HOSTS_A_DAY = 20_000;
const TEXTS_A_DAY = 5_000;
/** The texts are ours, and few. */
const CLOSED_LIST = Number.POSITIVE_INFINITY;
export const PROPERTY_KEYS_A_DAY = 1_000;
export const OTHER = '(other)';
/** The key of the property that says what an event has brought: `{"amount":"19.90","currency":"EUR"}`. As many values as pages. */
export const REVENUE_KEY = 'revenue';

const ofVisit = (dictionary: DictionaryName, newTextsADay = TEXTS_A_DAY): DimensionRecord => ({
  scope: 'visit',
  dictionary,
  newTextsADay,
});
const ofEvent = (dictionary: DictionaryName | undefined, newTextsADay = TEXTS_A_DAY): DimensionRecord => ({
  scope: 'event',
  dictionary,
  newTextsADay,
});

/** The column of a dimension in a segment has the dimension's name. */
export const DIMENSION_RECORDS: Record<NamedDimension, DimensionRecord> = {
  page: ofEvent('page', PAGES_A_DAY),
  hostname: ofEvent('hostname', HOSTS_A_DAY),
  eventType: ofEvent(undefined),
  event: ofEvent('event'),
  entryPage: ofVisit('page', PAGES_A_DAY),
  exitPage: ofVisit('page', PAGES_A_DAY),
  referrer: ofVisit('referrer', HOSTS_A_DAY),
  source: ofVisit('source'),
  channel: ofVisit('channel', CLOSED_LIST),
  utmSource: ofVisit('utmSource'),
  utmMedium: ofVisit('utmMedium'),
  utmCampaign: ofVisit('utmCampaign'),
  utmContent: ofVisit('utmContent'),
  utmTerm: ofVisit('utmTerm'),
  country: ofVisit('country'),
  deviceType: ofVisit('deviceType', CLOSED_LIST),
  browser: ofVisit('browser'),
  os: ofVisit('os'),
  language: ofVisit('language'),
  screen: ofVisit('screen'),
};

const PROPERTY_PREFIX = 'property:';

/** The key of `property:KEY`; undefined for a named dimension. */
export function propertyKeyOf(dimension: Dimension): string | undefined {
  return dimension.startsWith(PROPERTY_PREFIX) ? dimension.slice(PROPERTY_PREFIX.length) : undefined;
}

export function isVisitDimension(dimension: Dimension): dimension is NamedDimension {
  return (DIMENSIONS as readonly string[]).includes(dimension) && recordOf(dimension).scope === 'visit';
}

function recordOf(dimension: Dimension): DimensionRecord {
  return DIMENSION_RECORDS[dimension as NamedDimension]; // the caller has looked it up in the list
}
