import { EVENT_TEXTS } from '../vocabulary/event-texts.ts';
import { REGION_CODE, toPlaceText } from '../vocabulary/places.ts';

/** Converts fields of other products to those of an event. */

export type Fields = Record<string, string | undefined>;

const INSTANT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/;

/**
 * Reads an instant such as `2026-01-31 10:00:00.123+00`.
 *
 * @param timezone zone of a time that names none; of one that the clocks show twice the first is meant
 * @returns undefined for anything else
 */
export function toInstantMs(text: string | undefined, timezone = 'UTC'): number | undefined {
  const [, date = '', time = '', zone] = INSTANT.exec(text?.trim() ?? '') ?? [];
  if (date === '') return undefined;
  if (zone === undefined && timezone !== 'UTC') return toLocalMs(`${date}T${time}`, timezone);
  const offset = zone === undefined || zone === 'UTC' ? 'Z' : /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone;
  const ms = Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}

function toLocalMs(text: string, timezone: string): number | undefined {
  try {
    const local = Temporal.PlainDateTime.from(text);
    return local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
  } catch {
    return undefined; // a day or an hour that does not exist
  }
}

/** Completes the address of a page. @param host without a scheme; empty: that of the website */
export function toPageAddress(siteUrl: string, host: string | undefined, path = '/', query = ''): string {
  if (/^https?:\/\//i.test(path)) return path;
  const origin = host ? `${siteUrl.split('//')[0]}//${host}` : siteUrl;
  const mark = query === '' || query.startsWith('?') ? '' : '?';
  return `${origin}${path.startsWith('/') ? '' : '/'}${path}${mark}${query}`;
}

/** Completes a referrer that may lack its scheme; undefined for one that is not an address. */
export function toReferrerAddress(text: string | undefined): string | undefined {
  if (!text || text.startsWith('$')) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  return /^https?:\/\/[^/?#]*\.[^/?#]/i.test(address) && URL.canParse(address) ? address : undefined;
}

const DEVICES: Record<string, string> = {
  desktop: 'desktop',
  laptop: 'desktop',
  mobile: 'mobile',
  smartphone: 'mobile',
  phablet: 'mobile',
  'feature phone': 'mobile',
  tablet: 'tablet',
};

export function toDeviceType(text: string | undefined): string | undefined {
  return DEVICES[text?.toLowerCase() ?? ''];
}

/** Names under which other products know browsers and systems, in lower case. */
const NAMES: Record<string, string> = {
  'edge-chromium': 'Edge',
  'edge-ios': 'Edge',
  'microsoft edge': 'Edge',
  ios: 'Safari',
  'ios-webview': 'Safari',
  'mobile safari': 'Safari',
  crios: 'Chrome',
  'chrome mobile': 'Chrome',
  'chrome mobile ios': 'Chrome',
  'chromium-webview': 'Chrome',
  fxios: 'Firefox',
  'firefox mobile': 'Firefox',
  samsung: 'Samsung Internet',
  'samsung browser': 'Samsung Internet',
  'android browser': 'Android Browser',
  'opera-mini': 'Opera Mini',
};
const SYSTEM_NAMES: readonly [pattern: RegExp, name: string][] = [
  [/^(?:mac ?os|os x|macintosh|mac)/i, 'macOS'],
  [/^windows (?:mobile|phone)/i, 'Windows Phone'],
  [/^windows|^win\d/i, 'Windows'],
  [/^android/i, 'Android'],
  [/^(?:ios|ipados|iphone|ipad)/i, 'iOS'],
  [/^(?:chrome ?os|chromium os|cros)/i, 'Chrome OS'],
  [/^(?:linux|ubuntu|gnu\/linux|debian|fedora)/i, 'Linux'],
];

export function toBrowser(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const name = NAMES[text.toLowerCase()] ?? text;
  return cut(/^[a-z]/.test(name) ? `${name[0]?.toUpperCase()}${name.slice(1)}` : name);
}

export function toSystem(text: string | undefined): string | undefined {
  if (!text) return undefined;
  return cut(SYSTEM_NAMES.find(([pattern]) => pattern.test(text))?.[1] ?? text);
}

function cut(text: string): string {
  return text.slice(0, EVENT_TEXTS.browser.lengthMax);
}

/** A country's code in upper case; a region behind it is dropped: `DE-BY`. */
export function toCountry(text: string | undefined): string | undefined {
  const code = /^([a-z]{2})(?:-|$)/i.exec(text ?? '')?.[1];
  return code?.toUpperCase();
}

/** A region by its code, with or without that of its country: `DE-BY`, `BY`. */
export function toRegion(country: string | undefined, region: string | undefined): string | undefined {
  const code = region?.includes('-') ? region : `${toCountry(country)}-${region}`;
  return REGION_CODE.test(code) ? code : undefined;
}

/** A city within its region, or its country. */
export function toCity(
  country: string | undefined,
  region: string | undefined,
  city: string | undefined,
): string | undefined {
  const within = toRegion(country, region) ?? toCountry(country);
  return city && within ? toPlaceText(city, within) : undefined;
}

/** A language tag: `de_DE` and `de-DE` alike. */
export function toLanguage(text: string | undefined): string | undefined {
  const tag = text?.replace('_', '-');
  return tag && /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(tag) && tag.length <= EVENT_TEXTS.language.lengthMax
    ? tag
    : undefined;
}

export function toScreen(text: string | undefined): string | undefined {
  return text && /^\d{2,5}x\d{2,5}$/.test(text) ? text : undefined;
}

/** Reads properties of JSON text; undefined for anything but an object. */
export function toProperties(text: string | undefined): Record<string, unknown> | undefined {
  if (!text?.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
