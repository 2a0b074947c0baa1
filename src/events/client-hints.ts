import type { DeviceType } from '../vocabulary/contract.ts';
import type { UserAgentDescription } from './user-agent-description.ts';
import { TABLET_MODEL, TELEVISION } from './user-agent-names.ts';

/** Client hints: headers in which Chromium browsers describe themselves (https://wicg.github.io/ua-client-hints/). */
const HEADERS = {
  mobile: 'sec-ch-ua-mobile',
  platform: 'sec-ch-ua-platform',
  brands: 'sec-ch-ua',
  platformVersion: 'sec-ch-ua-platform-version',
  model: 'sec-ch-ua-model',
} as const;

/** The headers as they were sent. Most senders repeat what others sent, so parsing waits until that is known. */
export type ClientHints = Record<keyof typeof HEADERS, string | null>;

type ReadHints = {
  brands: string | null;
  isMobile: boolean | undefined;
  platform: string | undefined;
  platformVersion: string | undefined;
  model: string | undefined;
};

const BRANDS_LENGTH_MAX = 256;

/** @returns undefined from a browser that sends none */
export function readClientHints(headers: Headers): ClientHints | undefined {
  const mobile = headers.get(HEADERS.mobile);
  const platform = headers.get(HEADERS.platform);
  if (mobile === null && platform === null) return undefined;
  return {
    mobile,
    platform,
    brands: headers.get(HEADERS.brands),
    platformVersion: headers.get(HEADERS.platformVersion),
    model: headers.get(HEADERS.model),
  };
}

/** Different for different hints. */
export function toKey({ mobile, platform, brands, platformVersion, model }: ClientHints): string {
  return `${mobile}\n${platform}\n${brands}\n${platformVersion}\n${model}`;
}

function parse({ mobile, platform, brands, platformVersion, model }: ClientHints): ReadHints {
  return {
    brands: brands !== null && brands.length <= BRANDS_LENGTH_MAX ? brands : null,
    isMobile: mobile === '?1' ? true : mobile === '?0' ? false : undefined,
    platform: toText(platform),
    platformVersion: toText(platformVersion),
    model: toText(model),
  };
}

/** The inside of a string of RFC 9651; undefined for anything else, also for what is empty or far too long. */
function toText(header: string | null): string | undefined {
  return (header && /^"([^"\\]{1,64})"$/.exec(header)?.[1]) || undefined;
}

/** Browsers that say in their User-Agent that they are Chrome, by their brand. */
const BRANDS: readonly [pattern: RegExp, name: string][] = [
  [/"Brave";v="(\d+)/, 'Brave'],
  [/"DuckDuckGo";v="(\d+)/, 'DuckDuckGo'],
  [/"Ecosia";v="(\d+)/, 'Ecosia'],
  [/"Vivaldi";v="(\d+)/, 'Vivaldi'],
];
const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['macOS', 'macOS'],
  ['Linux', 'Linux'],
  ['Chrome OS', 'Chrome OS'],
  ['Chromium OS', 'Chrome OS'],
]);
/** Platform version from which Windows is Windows 11. */
const WINDOWS_11 = 13;

/**
 * Completes the description of a User-Agent with the hints where they are more precise: which browser calls itself
 * Chrome, the system of a browser that requests desktop pages, its true version, and phone or tablet. Otherwise the
 * User-Agent wins.
 */
export function withClientHints(
  read: UserAgentDescription,
  given: ClientHints,
  text: string,
): UserAgentDescription {
  const hints = parse(given);
  const system = readSystem(read, hints);
  const brand = read.browser === 'Chrome' ? readBrand(hints) : undefined;
  const deviceType = readDevice(read, system?.os ?? read.os, hints, /\bmobile\b/i.test(text));
  const { osVersion: _, ...rest } = read;
  return { ...(system ? rest : read), ...brand, ...system, ...(deviceType && { deviceType }) };
}

function readBrand({ brands }: ReadHints): { browser: string; browserVersion: string } | undefined {
  for (const [pattern, browser] of BRANDS) {
    const browserVersion = pattern.exec(brands ?? '')?.[1];
    if (browserVersion) return { browser, browserVersion };
  }
  return undefined;
}

/** Undefined: as the User-Agent says. */
function readSystem(
  read: UserAgentDescription,
  { platform = '', platformVersion = '' }: ReadHints,
): { os: string; osVersion?: string } | undefined {
  const os = SYSTEMS.get(platform);
  if (!os || (read.os !== undefined && read.os !== 'Linux' && read.os !== os)) return undefined;
  const major = Number.parseInt(platformVersion, 10);
  const isVersioned = major > 0 && (os === 'Windows' || os === 'macOS' || os === 'Android');
  if (!isVersioned) return read.os === os ? undefined : { os };
  if (os === 'Windows') return { os, osVersion: major >= WINDOWS_11 ? '11' : '10' };
  return { os, osVersion: `${major}` };
}

/** On computers and televisions there is nothing to tell. Undefined: as the User-Agent says. */
function readDevice(
  read: UserAgentDescription,
  os: string | undefined,
  { isMobile, model = '' }: ReadHints,
  saysMobile: boolean,
): DeviceType | undefined {
  if (TELEVISION.test(model.toLowerCase())) return 'desktop';
  if (os !== 'Android' || (read.os === 'Android' && read.deviceType === 'desktop')) return undefined;
  if (TABLET_MODEL.test(model.toLowerCase())) return 'tablet';
  if (isMobile === true && !saysMobile) return 'mobile';
  return isMobile === false && read.os !== 'Android' ? 'tablet' : undefined;
}
