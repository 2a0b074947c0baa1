/** Text forms of regions and cities, for the service and the dashboard. */

/** `Munich, DE-BY, 2867714`, `Munich, DE-BY`, `Kowloon, HK`: a name, its region or country, and a GeoNames id. */
const PLACE = /^([^\p{Cc}]{1,100}), ([A-Z]{2}(?:-[A-Z0-9]{1,3})?)(?:, (\d+))?$/u;

export type PlaceParts = { name: string; within: string; geonamesId: number | undefined };

/** ISO 3166-2: country and region. */
export const REGION_CODE = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

export function toPlaceText(name: string, within: string, geonamesId?: number): string {
  return [name, within, ...(geonamesId === undefined ? [] : [geonamesId])].join(', ');
}

/** Returns the parts of a city, or of a region without a code; undefined for other texts. */
export function readPlace(text: string): PlaceParts | undefined {
  const [, name, within, id] = PLACE.exec(text) ?? [];
  if (name === undefined || within === undefined) return undefined;
  return { name, within, geonamesId: id === undefined ? undefined : Number(id) };
}

/** Country of a region or a city. */
export function countryOfPlace(text: string): string | undefined {
  return (REGION_CODE.test(text) ? text : readPlace(text)?.within)?.slice(0, 2);
}

/** Names of regions by country, in the order of their importance: `{"DE":"BY=Bavaria;BE=Berlin"}`. */
export type RegionNames = Record<string, string>;

/** Returns pairs of the second part of a code and the name. */
export function regionsOf(names: RegionNames, country: string): (readonly [rest: string, name: string])[] {
  const list = Object.hasOwn(names, country) ? names[country] : undefined;
  return list?.split(';').map((entry) => entry.split('=') as [string, string]) ?? []; // as generated
}

/** `DE-BY` → `Bavaria`, `Kowloon, HK` → `Kowloon`; a code without a name is its own. */
export function nameOfRegion(names: RegionNames, region: string): string {
  if (!REGION_CODE.test(region)) return readPlace(region)?.name ?? region;
  const known = regionsOf(names, region.slice(0, 2)).find(([rest]) => rest === region.slice(3));
  return known?.[1] ?? region;
}
