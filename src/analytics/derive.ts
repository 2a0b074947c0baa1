import { EVENT_TYPES } from '../contract/vocabulary.ts';
import { toChannel } from './channel.ts';
import { findSource } from './sources.ts';
import { ORIGIN_DIMENSIONS, type OriginDimension } from './vocabulary.ts';

/** What is read out of the texts of an event; the meaning of each is written in definitions.ts. Pure. */

export type Address = {
  page: string;
  hostname: string;
  query: URLSearchParams | undefined;
};

export function readAddress(url: string): Address {
  const parsed = URL.parse(url);
  if (!parsed) return { page: toText(url), hostname: '', query: undefined };
  const { pathname, hostname, search } = parsed;
  return {
    page: toText(pathname),
    hostname: toText(hostname),
    query: search.length > 1 ? parsed.searchParams : undefined,
  };
}

/** The values of ORIGIN_DIMENSIONS in their order; empty where absent. */
export function deriveOrigin(address: Address, referrerUrl: string | null): string[] {
  const { query } = address;
  const referrer = toReferrer(referrerUrl, address.hostname);
  const utmSource = parameter(query, 'utm_source');
  const medium = parameter(query, 'utm_medium');
  const campaign = parameter(query, 'utm_campaign');
  const named = utmSource || parameter(query, 'ref') || parameter(query, 'source') || referrer;
  const known = named === '' ? undefined : findSource(named);
  const source = known?.name ?? named;
  const hasPaidClick = query !== undefined && (query.has('gclid') || query.has('msclkid'));
  const values: Record<OriginDimension, string> = {
    referrer,
    source,
    channel: toChannel({ kind: known?.kind, source, medium, campaign, hasPaidClick }),
    utmSource,
    utmMedium: medium,
    utmCampaign: campaign,
    utmContent: parameter(query, 'utm_content'),
    utmTerm: parameter(query, 'utm_term'),
  };
  return ORIGIN_DIMENSIONS.map((dimension) => values[dimension]);
}

/** The host of the page that led here, without `www.`; empty for the website's own pages. */
function toReferrer(referrerUrl: string | null, ownHostname: string): string {
  if (!referrerUrl) return '';
  const host = URL.parse(referrerUrl)?.hostname.replace(/^www\./, '') ?? '';
  return host === ownHostname.replace(/^www\./, '') ? '' : toText(host);
}

function parameter(query: URLSearchParams | undefined, name: string): string {
  return toText(query?.get(name)?.trim() ?? '');
}

const CUSTOM = EVENT_TYPES.indexOf('custom');

export type Property = { key: string; value: string; number: number | undefined };

/**
 * The properties of an event that are not null, their values as text; of keys that become the same text, the last.
 * Unreadable JSON has none.
 */
export function readProperties(json: string): Property[] {
  const properties = new Map<string, Property>();
  for (const [name, value] of Object.entries(parseObject(json))) {
    if (value === null || value === undefined) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    if (text === '') continue; // the same as absent
    const key = toText(name);
    properties.set(key, { key, value: text, number: typeof value === 'number' ? value : undefined });
  }
  return [...properties.values()];
}

/** The name of a custom event; empty for other types. */
export function eventName(type: number, properties: readonly Property[], json: string): string {
  if (type !== CUSTOM) return '';
  const name = properties.find(({ key }) => key === 'name');
  if (!name || name.number !== undefined) return '';
  // Only a string is a name: the text of `true` or of a list is not.
  return typeof parseObject(json).name === 'string' ? toText(name.value) : '';
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    // A JSON object has string keys.
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** A text that SQLite gives back as it was: U+0000 would cut it, lone surrogates would be replaced on the way. */
export function toText(text: string): string {
  const whole = text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
  return whole.isWellFormed() ? whole : whole.toWellFormed();
}
