import {
  DIMENSIONS,
  type Dimension,
  EVENT_DIMENSIONS,
  type NamedDimension,
} from '../vocabulary/analytics.ts';

type OwnDictionary = Exclude<NamedDimension, 'eventType' | 'entryPage' | 'exitPage' | 'visitorType'>;
export type DictionaryName = OwnDictionary | 'propertyKey';

/** Storage of a dimension's values. */
export type DimensionRecord = {
  /** Whether visits or events have a value. */
  scope: 'visit' | 'event';
  /** Name of its dictionary; undefined for `eventType` and `visitorType`, which have fixed codes. */
  dictionary: DictionaryName | undefined;
  /** Maximum new texts per website and UTC day; further ones become OTHER. */
  newTextsADay: number;
};

const PAGES_A_DAY = 100_000;
const HOSTS_A_DAY = 20_000;
const CITIES_A_DAY = 20_000;
const TEXTS_A_DAY = 5_000;
/** No bound: Pagemeter defines the texts, and there are few. */
const CLOSED_LIST = Number.POSITIVE_INFINITY;
export const PROPERTY_KEYS_A_DAY = 1_000;
/** Maximum new values of all properties per website and UTC day, in addition to TEXTS_A_DAY per key. */
export const PROPERTY_VALUES_A_DAY = 50_000;

/** Dimensions that differ from the default: a dictionary of their own with TEXTS_A_DAY. */
const UNUSUAL: { [Name in NamedDimension]?: Partial<DimensionRecord> } = {
  page: { newTextsADay: PAGES_A_DAY },
  hostname: { newTextsADay: HOSTS_A_DAY },
  eventType: { dictionary: undefined },
  entryPage: { dictionary: 'page' },
  exitPage: { dictionary: 'page' },
  referrer: { newTextsADay: HOSTS_A_DAY },
  city: { newTextsADay: CITIES_A_DAY },
  channel: { newTextsADay: CLOSED_LIST },
  deviceType: { newTextsADay: CLOSED_LIST },
  screenSize: { newTextsADay: CLOSED_LIST },
  countedBy: { newTextsADay: CLOSED_LIST },
  visitorType: { dictionary: undefined },
};

/** The column of a dimension in a segment has the dimension's name. */
export const DIMENSION_RECORDS = Object.fromEntries(
  DIMENSIONS.map((name) => [
    name,
    {
      scope: (EVENT_DIMENSIONS as readonly string[]).includes(name) ? 'event' : 'visit',
      dictionary: name,
      newTextsADay: TEXTS_A_DAY,
      ...UNUSUAL[name],
    },
  ]),
) as Record<NamedDimension, DimensionRecord>;

/**
 * Dictionaries of a website, except those of property values, in the order in which they are stored: append new ones.
 */
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
  'region',
  'city',
  'browserVersion',
  'osVersion',
  'screenSize',
  'bot',
  'countedBy',
] as const satisfies readonly DictionaryName[];

const PROPERTY_PREFIX = 'property:';

/** Returns the key of `property:KEY`; undefined for a named dimension. */
export function propertyKeyOf(dimension: Dimension): string | undefined {
  return dimension.startsWith(PROPERTY_PREFIX) ? dimension.slice(PROPERTY_PREFIX.length) : undefined;
}

export function isVisitDimension(dimension: Dimension): dimension is NamedDimension {
  return (DIMENSIONS as readonly string[]).includes(dimension) && recordOf(dimension).scope === 'visit';
}

function recordOf(dimension: Dimension): DimensionRecord {
  return DIMENSION_RECORDS[dimension as NamedDimension]; // named dimensions all have a record
}
