import { DIMENSIONS, type Dimension, type NamedDimension } from '../../vocabulary/analytics.ts';
import { PROPERTY_KEY_LENGTH_MAX } from '../../vocabulary/contract.ts';

/** Names of Plausible's Stats API for our dimensions. */
const ALIASES: Record<string, NamedDimension> = {
  'event:page': 'page',
  'event:hostname': 'hostname',
  'event:name': 'event',
  'event:goal': 'event',
  'visit:entry_page': 'entryPage',
  'visit:exit_page': 'exitPage',
  'visit:referrer': 'referrer',
  'visit:source': 'source',
  'visit:channel': 'channel',
  'visit:utm_source': 'utmSource',
  'visit:utm_medium': 'utmMedium',
  'visit:utm_campaign': 'utmCampaign',
  'visit:utm_content': 'utmContent',
  'visit:utm_term': 'utmTerm',
  'visit:country': 'country',
  'visit:region': 'region',
  'visit:city': 'city',
  'visit:device': 'deviceType',
  'visit:browser': 'browser',
  'visit:browser_version': 'browserVersion',
  'visit:os': 'os',
  'visit:os_version': 'osVersion',
  'visit:language': 'language',
  'visit:screen': 'screen',
};

/** Matches `property:plan`, or Plausible's `event:props:plan`. */
const PROPERTY = /^(?:property|event:props):(.+)$/s;

export const VALID_DIMENSIONS = `Valid: ${[...DIMENSIONS, 'property:KEY'].join(', ')}`;
export const VALID_FILTER_DIMENSIONS = `${VALID_DIMENSIONS}, goal, segment`;

/** Finds a dimension by our name or Plausible's; undefined when unknown. */
export function findDimension(name: string): Dimension | undefined {
  const key = PROPERTY.exec(name)?.[1];
  if (key !== undefined) return key.length <= PROPERTY_KEY_LENGTH_MAX ? `property:${key}` : undefined;
  return (
    DIMENSIONS.find((dimension) => dimension === name) ??
    (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined)
  );
}

/** Properties can contain anything, including data that identifies a visitor. */
export function isProperty(dimension: Dimension): boolean {
  return dimension.startsWith('property:');
}

/** Shortens a name that a caller sent, for use in a message. */
export function quote(name: unknown): string {
  const text = typeof name === 'string' ? name : (JSON.stringify(name) ?? 'nothing');
  return `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;
}
