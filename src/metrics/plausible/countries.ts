import { type Names, toNames } from './names.ts';

/** English names of countries in ISO 3166-1 that differ from Unicode's. The first is displayed. */
const ISO_NAMES: Record<string, readonly string[]> = {
  AG: ['Antigua and Barbuda'],
  BA: ['Bosnia and Herzegovina'],
  BL: ['Saint Barthélemy'],
  BN: ['Brunei Darussalam'],
  BQ: ['Bonaire, Sint Eustatius and Saba'],
  CD: ['Congo, The Democratic Republic of the'],
  CG: ['Congo'],
  CI: ["Côte d'Ivoire"],
  CV: ['Cabo Verde'],
  CZ: ['Czechia', 'Czech Republic'],
  FK: ['Falkland Islands (Malvinas)'],
  FM: ['Micronesia, Federated States of'],
  GS: ['South Georgia and the South Sandwich Islands'],
  HK: ['Hong Kong'],
  HM: ['Heard Island and McDonald Islands'],
  IR: ['Iran', 'Iran, Islamic Republic of'],
  KN: ['Saint Kitts and Nevis'],
  KP: ['North Korea', "Korea, Democratic People's Republic of"],
  KR: ['South Korea', 'Korea, Republic of'],
  LA: ['Laos', "Lao People's Democratic Republic"],
  LC: ['Saint Lucia'],
  MF: ['Saint Martin (French part)'],
  MM: ['Myanmar'],
  MO: ['Macao'],
  PM: ['Saint Pierre and Miquelon'],
  PN: ['Pitcairn'],
  PS: ['Palestine, State of'],
  RU: ['Russian Federation'],
  SH: ['Saint Helena, Ascension and Tristan da Cunha'],
  SJ: ['Svalbard and Jan Mayen'],
  ST: ['Sao Tome and Principe'],
  SX: ['Sint Maarten (Dutch part)'],
  SY: ['Syria', 'Syrian Arab Republic'],
  TC: ['Turks and Caicos Islands'],
  TR: ['Türkiye', 'Turkey'],
  TT: ['Trinidad and Tobago'],
  UM: ['United States Minor Outlying Islands'],
  US: ['United States', 'United States of America'],
  VA: ['Holy See (Vatican City State)'],
  VC: ['Saint Vincent and the Grenadines'],
  VG: ['Virgin Islands, British'],
  VI: ['Virgin Islands, U.S.'],
  VN: ['Vietnam', 'Viet Nam'],
  WF: ['Wallis and Futuna'],
};

let names: Names | undefined;

/** Names by code. Created on first use: Intl needs a few milliseconds. */
export function countryNames(): Names {
  names ??= toNames(Object.fromEntries(readCountries()));
  return names;
}

function* readCountries(): Generator<[code: string, texts: string[]]> {
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = english.of(code);
    if (name) yield [code, [...new Set([...(ISO_NAMES[code] ?? []), name])]];
  }
}
