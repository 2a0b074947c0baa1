import { REGION_CODE, toPlaceText } from '../vocabulary/places.ts';
import { findRegionCode } from './region-codes.ts';

/** Where an address is, in the form of the events. */
export type Place = {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 3166-2, or its name and country. */
  region: string | null;
  /** Name, region or country, and GeoNames id if there is one. */
  city: string | null;
};

const COUNTRY_CODE = /^[A-Z]{2}$/;
const NAME_LENGTH_MAX = 100;
/** DB-IP names districts: `Munich (Moosach)`. */
const DISTRICT = / \([^()]*\)$/;

/**
 * Reads a record. MaxMind and DB-IP have `country.iso_code`, `subdivisions` and `city.names`; the files of ip-location-db
 * have `country_code`, `state1` and `city`, without codes of regions and ids of cities.
 *
 * @returns undefined without a country
 */
export function toPlace(record: unknown): Place | undefined {
  const country =
    textOf(record, 'country_code') ?? textOf(record, 'country', 'iso_code') ?? textOf(record, 'country');
  if (country === undefined || !COUNTRY_CODE.test(country)) return undefined;
  const region = toRegion(record, country);
  const city = toName(textOf(record, 'city', 'names', 'en') ?? textOf(record, 'city'))?.replace(DISTRICT, '');
  const id = find(record, ['city', 'geoname_id']);
  const geonamesId = Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : undefined;
  const within = region !== null && REGION_CODE.test(region) ? region : country;
  return { country, region, city: city ? toPlaceText(city, within, geonamesId) : null };
}

function toRegion(record: unknown, country: string): string | null {
  const code = `${country}-${textOf(record, 'subdivisions', '0', 'iso_code') ?? textOf(record, 'region_code')}`;
  if (REGION_CODE.test(code)) return code;
  const name = toName(
    textOf(record, 'subdivisions', '0', 'names', 'en') ??
      textOf(record, 'state1') ??
      textOf(record, 'region'),
  );
  return name === undefined ? null : (findRegionCode(country, name) ?? toPlaceText(name, country));
}

function toName(text: string | undefined): string | undefined {
  const name = text?.trim().slice(0, NAME_LENGTH_MAX).toWellFormed();
  return name === undefined || name === '' || /\p{Cc}/u.test(name) ? undefined : name;
}

function textOf(record: unknown, ...path: string[]): string | undefined {
  const found = find(record, path);
  return typeof found === 'string' ? found : undefined;
}

function find(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return find((value as Record<string, unknown>)[name], rest); // an object has its own names
}
