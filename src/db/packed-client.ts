import { COMMON_BROWSERS, COMMON_LANGUAGES, COMMON_SYSTEMS } from './common-names.ts';

/** Browser, system, language and screen of an event, as texts. */
export type Client = {
  browser: string | null;
  browserVersion: string | null;
  os: string | null;
  osVersion: string | null;
  language: string | null;
  screen: string | null;
};

/** Stored form in the log: all of it in the bytes of `browser`, or each text as it is, with a version after its name. */
export type StoredClient = {
  browser: string | Uint8Array | null;
  os: string | null;
  language: string | null;
  screen: string | null;
};

/**
 * Six bytes instead of 24 characters (a tenth of a typical row): a byte each for browser, system and language, and 12
 * bits each for width and height of the screen. Versions take three more, two for the browser and one for the system. If
 * one of them does not fit, all are stored as texts. The storage class distinguishes the forms, so unpacking is exact.
 * Nothing is shared between rows.
 */
export function packClient(client: Client): StoredClient {
  const { browser, os, language, screen } = client;
  const browserCode = codeOf(BROWSER_CODES, browser);
  const systemCode = codeOf(SYSTEM_CODES, os);
  const languageCode = codeOf(LANGUAGE_CODES, language);
  const size = packScreen(screen);
  const browserVersion = packVersion(client.browserVersion, BROWSER_VERSION_MAX);
  const osVersion = packVersion(client.osVersion, OS_VERSION_MAX);
  if (
    browserCode === undefined ||
    systemCode === undefined ||
    languageCode === undefined ||
    size === undefined ||
    browserVersion === undefined ||
    osVersion === undefined
  )
    return {
      browser: joinVersion(browser, client.browserVersion),
      os: joinVersion(os, client.osVersion),
      language,
      screen,
    };
  const isVersioned = browserVersion !== ABSENT || osVersion !== ABSENT;
  const bytes = new Uint8Array(isVersioned ? BYTES_VERSIONED : BYTES);
  bytes[0] = browserCode;
  bytes[1] = systemCode;
  bytes[2] = languageCode;
  bytes[3] = size >>> 16; // an element keeps the lowest eight bits
  bytes[4] = size >>> 8;
  bytes[5] = size;
  if (isVersioned) {
    bytes[6] = browserVersion >>> 8;
    bytes[7] = browserVersion;
    bytes[8] = osVersion;
  }
  return { browser: bytes, os: null, language: null, screen: null };
}

export function unpackClient({ browser, os, language, screen }: StoredClient): Client {
  if (browser === null || typeof browser === 'string') {
    const [name, browserVersion] = splitVersion(browser);
    const [system, osVersion] = splitVersion(os);
    return { browser: name, browserVersion, os: system, osVersion, language, screen };
  }
  return {
    browser: nameOf(COMMON_BROWSERS, browser[0]),
    browserVersion: unpackVersion(((browser[6] ?? 0) << 8) | (browser[7] ?? 0)),
    os: nameOf(COMMON_SYSTEMS, browser[1]),
    osVersion: unpackVersion(browser[8] ?? 0),
    language: nameOf(COMMON_LANGUAGES, browser[2]),
    screen: unpackScreen(browser),
  };
}

const BYTES = 6;
const BYTES_VERSIONED = 9;
const BROWSER_VERSION_MAX = 0xffff;
const OS_VERSION_MAX = 0xff;

/** Digits without zeros in front; undefined for any other text. */
function packVersion(version: string | null, versionMax: number): number | undefined {
  if (version === null) return ABSENT;
  const number = Number(version);
  return Number.isInteger(number) && number > 0 && number <= versionMax && `${number}` === version
    ? number
    : undefined;
}

function unpackVersion(number: number): string | null {
  return number === ABSENT ? null : `${number}`;
}

/** Stands before a version, which has a name; no sender may submit it. */
const SEPARATOR = '\u001f';

function joinVersion(name: string | null, version: string | null): string | null {
  const isJoined = name !== null && (version !== null || name.includes(SEPARATOR));
  return isJoined ? `${name}${SEPARATOR}${version ?? ''}` : name;
}

function splitVersion(stored: string | null): [name: string | null, version: string | null] {
  const at = stored?.lastIndexOf(SEPARATOR) ?? -1;
  return stored === null || at < 0 ? [stored, null] : [stored.slice(0, at), stored.slice(at + 1) || null];
}

/** Code of an absent value. */
const ABSENT = 0;
const BROWSER_CODES = toCodes(COMMON_BROWSERS);
const SYSTEM_CODES = toCodes(COMMON_SYSTEMS);
const LANGUAGE_CODES = toCodes(COMMON_LANGUAGES);

function toCodes(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index + 1]));
}

function codeOf(codes: ReadonlyMap<string, number>, name: string | null): number | undefined {
  return name === null ? ABSENT : codes.get(name);
}

function nameOf(names: readonly string[], code = ABSENT): string | null {
  if (code === ABSENT) return null;
  const name = names[code - 1];
  if (name === undefined) throw new Error(`The log holds a name of number ${code}, which is not known.`);
  return name;
}

const SIDE_BITS = 12;
const SIDE_MAX = 2 ** SIDE_BITS - 1;
const DIGIT_0 = 48;

/** Width and height in 24 bits, or undefined for what is not written as `1920x1080`, without zeros in front. */
function packScreen(screen: string | null): number | undefined {
  if (screen === null) return ABSENT;
  const middle = screen.indexOf('x');
  const width = readSide(screen, 0, middle);
  const height = readSide(screen, middle + 1, screen.length);
  return width === undefined || height === undefined ? undefined : (width << SIDE_BITS) | height;
}

/** Digit by digit: a regular expression takes three times as long. */
function readSide(text: string, from: number, to: number): number | undefined {
  if (to <= from || text.charCodeAt(from) === DIGIT_0) return undefined;
  let side = 0;
  for (let index = from; index < to; index += 1) {
    const digit = text.charCodeAt(index) - DIGIT_0;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    side = side * 10 + digit;
    if (side > SIDE_MAX) return undefined;
  }
  return side;
}

function unpackScreen(bytes: Uint8Array): string | null {
  const size = ((bytes[3] ?? 0) << 16) | ((bytes[4] ?? 0) << 8) | (bytes[5] ?? 0);
  return size === ABSENT ? null : `${size >>> SIDE_BITS}x${size & SIDE_MAX}`;
}
