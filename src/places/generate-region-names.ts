/**
 * Makes src/vocabulary/region-names.json: `bun src/places/generate-region-names.ts`. Codes are those of ISO 3166-2, the
 * English names those of Unicode's CLDR. The order of the names of a country matters: regions of the first level come
 * first, codes that ISO has withdrawn come last.
 */
import { join } from 'node:path';
import cldr from 'cldr-subdivisions-full/subdivisions/en/en.json';
import { iso31662 } from 'iso-3166';
import type { RegionNames } from '../vocabulary/places.ts';

/** Oblasts that CLDR calls by names that no publisher of databases uses. */
const OBLASTS: Record<string, string> = {
  'UA-05': 'Vinnytsia',
  'UA-07': 'Volyn',
  'UA-09': 'Luhansk',
  'UA-12': 'Dnipropetrovsk',
  'UA-14': 'Donetsk',
  'UA-18': 'Zhytomyr',
  'UA-21': 'Zakarpattia',
  'UA-23': 'Zaporizhzhia',
  'UA-26': 'Ivano-Frankivsk',
  'UA-32': 'Kyiv',
  'UA-35': 'Kirovohrad',
  'UA-46': 'Lviv',
  'UA-48': 'Mykolaiv',
  'UA-51': 'Odesa',
  'UA-53': 'Poltava',
  'UA-56': 'Rivne',
  'UA-59': 'Sumy',
  'UA-61': 'Ternopil',
  'UA-63': 'Kharkiv',
  'UA-65': 'Kherson',
  'UA-68': 'Khmelnytskyi',
  'UA-71': 'Cherkasy',
  'UA-74': 'Chernihiv',
  'UA-77': 'Chernivtsi',
};

export function makeRegionNames(): RegionNames {
  const english = new Map(
    Object.entries(cldr.subdivisions.localeDisplayNames.subdivisions).map(([code, name]) => [
      `${code.slice(0, 2)}-${code.slice(2)}`.toUpperCase(),
      name.replace(/[¹²³⁴⁵⁶⁷⁸⁹]$/, ''), // tells codes with one name apart
    ]),
  );
  for (const [code, name] of Object.entries(OBLASTS)) english.set(code, `${name} Oblast`);
  const isFirstLevel = ({ parent }: { parent: string }) => parent.length === 2;
  const codes = [...iso31662.filter(isFirstLevel), ...iso31662.filter((one) => !isFirstLevel(one))].map(
    ({ code, name }) => [code, english.get(code) ?? name] as const,
  );
  const byCountry = Map.groupBy(new Map([...codes, ...english]), ([code]) => code.slice(0, 2));
  return Object.fromEntries(
    [...byCountry]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([country, regions]) => [
        country,
        regions.map(([code, name]) => `${code.slice(3)}=${name}`).join(';'),
      ]),
  );
}

if (import.meta.main)
  await Bun.write(
    join(import.meta.dir, '../vocabulary/region-names.json'),
    `${JSON.stringify(makeRegionNames()).replaceAll('","', '",\n"')}\n`,
  );
