import { type RegionNames, regionsOf } from '../vocabulary/places.ts';

/**
 * Codes of regions by the names that publishers of databases use. Some publishers leave the codes out, and write the names
 * in several ways: `Hesse`, `State of Berlin`, `Ile-de-France`.
 */
export function findRegionCode(country: string, name: string): string | undefined {
  const key = `${country} ${name}`;
  if (!found.has(key)) {
    if (found.size >= FOUND_MAX) found.clear();
    found.set(key, lookUp(country, name));
  }
  return found.get(key);
}

/** A database has some 5,000 regions, and each event asks for one. */
const FOUND_MAX = 10_000;
const found = new Map<string, string | undefined>();

function lookUp(country: string, name: string): string | undefined {
  const keys = [toLetters(name), fold(name)];
  const aliases = new Map(Object.entries(ALIASES[country] ?? {}));
  const regions = codesOf(country);
  const [rest] = [aliases, regions].flatMap((codes) => keys.map((key) => codes.get(key))).filter(Boolean);
  return rest && `${country}-${rest}`;
}

const byCountry = new Map<string, ReadonlyMap<string, string>>();

/** By whole and by folded name: `Moscow` and `Moscow Province` differ. Of two with one name the first one counts. */
function codesOf(country: string): ReadonlyMap<string, string> {
  const known = byCountry.get(country);
  if (known) return known;
  const codes = new Map<string, string>();
  const regions = regionsOf(loadNames(), country);
  for (const toKey of [toLetters, fold])
    for (const [rest, name] of regions) if (!codes.has(toKey(name))) codes.set(toKey(name), rest);
  byCountry.set(country, codes);
  return codes;
}

/** Loaded on first use: 100 kB that a service without a database of cities does not need. */
export function loadNames(): RegionNames {
  return require('../vocabulary/region-names.json') as RegionNames; // as generated
}

/** Words for a kind of region, which one publisher writes and another leaves out. */
const KINDS =
  /\b(?:the|of|state|city|free|hanseatic|and|province|oblast|region|prefecture|governorate|county|department|district|republic|krai|kray|canton|parish|division|emirate|municipality|community|autonomous|voivodeship|grad)\b/g;
const LETTERS: Record<string, string> = { ł: 'l', ø: 'o', ı: 'i', ə: 'a', đ: 'd', æ: 'ae', ß: 'ss', þ: 'th' };

/** `State of Berlin` → `berlin`; a name of nothing but such words stays whole. */
function fold(name: string): string {
  return toLetters(toPlain(name).replace(KINDS, ' ')) || toLetters(name);
}

/** `Île-de-France` → `iledefrance`. */
function toLetters(name: string): string {
  return toPlain(name).replace(/[^\p{L}\p{N}]+/gu, '');
}

function toPlain(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}|\(.*?\)/gu, '')
    .replace(/[łøıəđæßþ]/g, (letter) => LETTERS[letter] ?? letter);
}

/** Names in databases of DB-IP and MaxMind that differ from Unicode's by more than spelling, folded. */
const ALIASES: Record<string, Record<string, string>> = {
  AR: { buenosairesfd: 'C' },
  AZ: { baki: 'BA' },
  AU: { act: 'ACT' },
  BA: { srpska: 'SRP', federationbh: 'BIH' },
  BE: { brusselscapital: 'BRU' },
  BH: { manama: '13' },
  BY: { grodnenskaya: 'HR', mogilev: 'MA', homyelvoblasc: 'HO' },
  CH: { basel: 'BS', saintgall: 'SG', grisons: 'GR' },
  CL: { ohiggins: 'LI' },
  CN: { innermongolia: 'NM' },
  CO: { bogotadc: 'DC' },
  CZ: {
    prague: '10',
    hlavnimestopraha: '10',
    centralbohemia: '20',
    southbohemian: '31',
    jihoceskykraj: '31',
    plzen: '32',
    karlovyvary: '41',
    ustinadlabem: '42',
    liberec: '51',
    libereckykraj: '51',
    hradeckralove: '52',
    pardubice: '53',
    southmoravian: '64',
    olomouc: '71',
    zlin: '72',
    moraviansilesian: '80',
  },
  DE: { rheinlandpfalz: 'RP' },
  DK: { centraljutland: '82', northdenmark: '81', southdenmark: '83' },
  DO: { nacional: '01' },
  EE: { harjumaa: '37' },
  EG: { sharqia: 'SHR' },
  ES: { castilleandleon: 'CL', castilleleon: 'CL', castillelamancha: 'CM', navarre: 'NC' },
  FI: {
    tampere: '11',
    northostrobothnia: '14',
    northsavo: '15',
    southostrobothnia: '03',
    kantahame: '06',
    paijathame: '16',
  },
  FR: {
    rhonealpes: 'ARA',
    auvergne: 'ARA',
    newaquitaine: 'NAQ',
    aquitaine: 'NAQ',
    normandy: 'NOR',
    provence: 'PAC',
    bourgogne: 'BFC',
    bourgognefranchecomte: 'BFC',
    grandest: 'GES',
  },
  IT: { trentinoaltoadige: '32', marches: '57', basilicate: '77' },
  KR: {
    gyeonggido: '41',
    gangwondo: '42',
    chungcheongbukdo: '43',
    chungcheongnamdo: '44',
    jeollabukdo: '45',
    jeollanamdo: '46',
    gyeongsangbukdo: '47',
    gyeongsangnamdo: '48',
    jejudo: '49',
    sejongsi: '50',
  },
  MA: {
    tangertetouanalhoceima: '01',
    fesmeknes: '03',
    rabatsalekenitra: '04',
    benimellalkhenifra: '05',
    casablancasettat: '06',
    marrakeshsafi: '07',
    soussmassa: '09',
  },
  NG: { fct: 'FC' },
  PH: { nationalcapital: '00' },
  PL: { podlasie: 'PD', opole: 'OP', lodz: 'LD', kujawskopomorskie: 'KP', swietokrzyskie: 'SK' },
  QA: { baladiyataddawhah: 'DA', baladiyatarrayyan: 'RA' },
  RO: { bucuresti: 'B' },
  RU: {
    moscowoblast: 'MOS',
    stpetersburg: 'SPE',
    altay: 'ALT',
    arkhangelskaya: 'ARK',
    buryatiya: 'BU',
    kabardinobalkariya: 'KB',
    khakasiya: 'KK',
    khantymansia: 'KHM',
    krasnodarskiy: 'KDA',
    kuzbass: 'KEM',
    leningradskaya: 'LEN',
    primorye: 'PRI',
    saratovskaya: 'SAR',
    udmurtiya: 'UD',
    yamalonenets: 'YAN',
  },
  SA: { mecca: '02', medina: '03' },
  SY: { dimashq: 'DI' },
  UA: { odessa: '51' },
  US: { columbia: 'DC' },
  VE: { distritofederal: 'A' },
  VN: { hochiminh: 'SG', dongnai: '39' },
};
