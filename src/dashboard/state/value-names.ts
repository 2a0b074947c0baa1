import type { Dimension } from '../../vocabulary/analytics.ts';
import { REGION_CODE, readPlace } from '../../vocabulary/places.ts';
import { PAGE_LANGUAGE } from './format.ts';
import { ownValue } from './own-value.ts';
import { toRegionName } from './region-names.ts';
import { toVisibleText } from './visible-text.ts';

/** Texts for a missing value. */
const NO_VALUE: Partial<Record<Dimension, string>> = {
  referrer: 'Direct / none',
  source: 'Direct / none',
  country: 'Unknown',
  region: 'Unknown',
  city: 'Unknown',
  deviceType: 'Unknown',
  browser: 'Unknown',
  browserVersion: 'Unknown',
  os: 'Unknown',
  osVersion: 'Unknown',
  language: 'Unknown',
  screen: 'Unknown',
  screenSize: 'Unknown',
};

/** Dimensions searched by shown names, which the service does not know: all values are fetched. */
export const NAMED: readonly string[] = ['country', 'region', 'language'];

/**
 * `DE` → `Germany`, `DE-BY` → `Bavaria`, `pt-BR` → `Brazilian Portuguese`, `mobile` → `Mobile`; everything else as it
 * is stored.
 */
export function nameOfValue(dimension: string, value: string | null): string {
  if (value === null) return ownValue<string | undefined>(NO_VALUE, dimension) ?? '(none)';
  switch (dimension) {
    case 'country':
      return nameOfCountry(value);
    case 'region':
      return toRegionName(value);
    case 'city':
      return nameOfCity(value);
    case 'language':
      return nameOfTag('language', value);
    case 'deviceType':
    case 'screenSize':
    case 'eventType':
    case 'visitorType':
      return value.charAt(0).toUpperCase() + value.slice(1);
    default:
      return toVisibleText(value);
  }
}

/** `Munich, DE-BY, 2867714` → `Munich, Bavaria`, `Singapore, SG` → `Singapore, Singapore`. */
function nameOfCity(value: string): string {
  const place = readPlace(value);
  if (!place) return value;
  const { name, within } = place;
  return `${name}, ${REGION_CODE.test(within) ? toRegionName(within) : nameOfCountry(within)}`;
}

/** Name of a country; a location that is not a two-letter code is shown as it was sent. */
export function nameOfCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? nameOfTag('region', code) : code;
}

const names = new Map<string, Intl.DisplayNames>();

function nameOfTag(type: 'region' | 'language', tag: string): string {
  const known = names.get(type) ?? new Intl.DisplayNames(PAGE_LANGUAGE, { type });
  names.set(type, known);
  try {
    return known.of(tag) ?? tag;
  } catch {
    return tag; // invented by a sender
  }
}
