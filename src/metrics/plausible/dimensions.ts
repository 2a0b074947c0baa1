import type { Filter } from '../../analytics/interface/selection.ts';
import { TIME_DIMENSIONS } from '../../contract/plausible.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { DIMENSIONS, type Dimension, type NamedDimension } from '../../vocabulary/analytics.ts';
import { PROPERTY_KEY_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { countryNames } from './countries.ts';
import { BROWSER_NAMES, DEVICE_NAMES, type Names, SYSTEM_NAMES } from './names.ts';
import { CITY_IDS, type Form, nameForm, regionNames } from './places.ts';

/** A dimension of Plausible in terms of ours. */

export type ValueDimension = {
  kind: 'value';
  name: string;
  /** The events that are grouped: usually all, by one dimension. Parts have no event in common. */
  parts: readonly DimensionPart[];
  /** Set for goals, which not every event has, and which cannot be negated. */
  isGoal?: boolean;
  /** Goals of the website, instead of parts. An event may reach several. */
  goals?: readonly CountedGoal[];
};

export type DimensionPart = {
  dimension: Dimension;
  /** Restricts the events. Default: all. */
  within?: Filter;
  /** Texts of values whose text differs. */
  names?: Names;
  /** Texts of values that are made of parts. */
  form?: Form;
  /** Text for an absent value. */
  absent: string;
  /** Omits the row of the absent value. */
  isPresent?: boolean;
};

const DIRECT = 'Direct / None';
const NOT_SET = '(not set)';
const NONE = '(none)';

type Plain = { dimension: NamedDimension; absent?: string; names?: () => Names; form?: Form };

const PLAIN: Record<string, Plain> = {
  'event:page': { dimension: 'page' },
  'event:hostname': { dimension: 'hostname' },
  'visit:entry_page': { dimension: 'entryPage' },
  'visit:exit_page': { dimension: 'exitPage' },
  'visit:referrer': { dimension: 'referrer', absent: DIRECT },
  'visit:source': { dimension: 'source', absent: DIRECT },
  'visit:channel': { dimension: 'channel' },
  'visit:utm_source': { dimension: 'utmSource' },
  'visit:utm_medium': { dimension: 'utmMedium' },
  'visit:utm_campaign': { dimension: 'utmCampaign' },
  'visit:utm_content': { dimension: 'utmContent' },
  'visit:utm_term': { dimension: 'utmTerm' },
  'visit:country': { dimension: 'country' },
  'visit:country_name': { dimension: 'country', names: countryNames },
  'visit:region': { dimension: 'region' },
  'visit:region_name': { dimension: 'region', names: regionNames, form: nameForm('region') },
  'visit:city': { dimension: 'city', form: CITY_IDS },
  'visit:city_name': { dimension: 'city', form: nameForm('city') },
  'visit:device': { dimension: 'deviceType', names: () => DEVICE_NAMES },
  'visit:screen': { dimension: 'deviceType', names: () => DEVICE_NAMES },
  'visit:browser': { dimension: 'browser', names: () => BROWSER_NAMES },
  'visit:browser_version': { dimension: 'browserVersion' },
  'visit:os': { dimension: 'os', names: () => SYSTEM_NAMES },
  'visit:os_version': { dimension: 'osVersion' },
  'visit:language': { dimension: 'language' },
};

const typeIs = (...values: string[]): Filter => ({
  op: 'match',
  dimension: 'eventType',
  operator: 'is',
  values,
});
const IS_NAMED: Filter = { op: 'match', dimension: 'event', operator: 'is_not', values: [''] };

/** Events other than custom ones have the name of their type. */
const EVENT_NAME: ValueDimension = {
  kind: 'value',
  name: 'event:name',
  parts: [
    { dimension: 'eventType', within: typeIs('pageview', 'click'), absent: NOT_SET },
    { dimension: 'event', within: typeIs('custom'), absent: NOT_SET },
  ],
};
/** Used while a website has no goals: every custom event with a name is one. */
const EVENT_GOAL: ValueDimension = {
  kind: 'value',
  name: 'event:goal',
  parts: [{ dimension: 'event', within: IS_NAMED, absent: NOT_SET, isPresent: true }],
  isGoal: true,
};

const PROPERTY = /^(?:event:props|property):(.+)$/s;

export const VALID_VALUE_DIMENSIONS = [
  ...Object.keys(PLAIN),
  'event:name',
  'event:goal',
  'event:props:KEY',
].join(', ');
export const VALID_DIMENSIONS = [...TIME_DIMENSIONS, VALID_VALUE_DIMENSIONS].join(', ');
export const VALID_FILTER_DIMENSIONS = `${VALID_VALUE_DIMENSIONS}, segment`;

/** Finds a dimension by Plausible's name, with its texts, or by our own, with our values. */
export function findValueDimension(name: unknown, goals: readonly CountedGoal[]): ValueDimension | undefined {
  if (typeof name !== 'string') return undefined;
  if (name === EVENT_NAME.name) return EVENT_NAME;
  if (name === EVENT_GOAL.name)
    return goals.length === 0 ? EVENT_GOAL : { kind: 'value', name, parts: [], isGoal: true, goals };
  const key = PROPERTY.exec(name)?.[1];
  if (key !== undefined)
    return key.length <= PROPERTY_KEY_LENGTH_MAX ? plain(name, `property:${key}`, NONE) : undefined;
  const own = DIMENSIONS.find((dimension) => dimension === name);
  if (own) return plain(name, own, own === 'source' || own === 'referrer' ? DIRECT : NOT_SET);
  const theirs = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  return theirs && plain(name, theirs.dimension, theirs.absent ?? NOT_SET, theirs);
}

function plain(
  name: string,
  dimension: Dimension,
  absent: string,
  { names, form }: Pick<Plain, 'names' | 'form'> = {},
): ValueDimension {
  return {
    kind: 'value',
    name,
    parts: [{ dimension, absent, ...(names && { names: names() }), ...(form && { form }) }],
  };
}

export function toText({ names, form, absent }: DimensionPart, value: string | null): string {
  if (value === null) return absent;
  return names?.get(value)?.[0] ?? form?.toText(value) ?? value;
}

/** Whether sorting rows by value also sorts them by text. */
export function keepsOrder({ parts }: ValueDimension): boolean {
  return parts.every(({ names, form, absent }) => !names && !form && absent !== DIRECT);
}
