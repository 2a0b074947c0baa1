import {
  DIMENSIONS,
  type Dimension,
  EVENT_DIMENSIONS,
  type NamedDimension,
} from '../vocabulary/analytics.ts';

type OwnDictionary = Exclude<NamedDimension, 'eventType' | 'entryPage' | 'exitPage' | 'visitorType'>;
export type DictionaryName = OwnDictionary | 'propertyKey';

/** Where the values of a dimension are. */
export type DimensionRecord = {
  /** A value of each visit, or of each event. */
  scope: 'visit' | 'event';
  /** Of its texts; undefined for `eventType` and `visitorType`, whose codes are fixed. */
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
/** New values of all properties of a website and UTC day together, next to TEXTS_A_DAY for each key. */
export const PROPERTY_VALUES_A_DAY = 50_000;

/** What is not as usual: a dictionary of its own with TEXTS_A_DAY. */
const UNUSUAL: { [Name in NamedDimension]?: Partial<DimensionRecord> } = {
  page: { newTextsADay: PAGES_A_DAY },
  hostname: { newTextsADay: HOSTS_A_DAY },
  eventType: { dictionary: undefined },
  entryPage: { dictionary: 'page' },
  exitPage: { dictionary: 'page' },
  referrer: { newTextsADay: HOSTS_A_DAY },
  channel: { newTextsADay: CLOSED_LIST },
  deviceType: { newTextsADay: CLOSED_LIST },
  screenSize: { newTextsADay: CLOSED_LIST },
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
) as Record<NamedDimension, DimensionRecord>; // one for each

/** Dictionaries of a website, beside those of property values. Their order is stored (see FORMAT). */
export const DICTIONARIES: readonly DictionaryName[] = [
  ...DIMENSIONS.filter((name): name is OwnDictionary => DIMENSION_RECORDS[name].dictionary === name),
  'propertyKey',
];

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
