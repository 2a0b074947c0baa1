import { DEVICE_TYPES, EVENT_FLAGS } from '../contract/vocabulary.ts';
import { isOwnPath } from '../db/packed-address.ts';
import { type StoredTexts, unpackTexts } from '../db/packed-texts.ts';
import { CLASSES } from './day.ts';
import { deriveOrigin, eventName, type Property, readAddress, readProperties, toText } from './derive.ts';
import type { StoredId } from './id-numbers.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** The columns of the log in the order in which toPendingEvent reads them. */
export const LOG_COLUMNS =
  'key, website_key, created_at_ms, type, url, referrer, session_id, visitor_id, device_type, browser, os, location, language, screen, properties, flags';

/** What a row leaves behind once it is in its day: itself, its texts, the objects on the way. */
export const ROW_GARBAGE_BYTES = 2_000;

export type LogRow = [
  key: number,
  websiteKey: number,
  createdAtMs: number,
  type: number,
  url: string,
  referrer: string | null,
  sessionId: StoredId,
  visitorId: StoredId,
  deviceType: number | null,
  browser: StoredTexts['browser'],
  os: string | null,
  location: string | null,
  language: string | null,
  screen: string | null,
  properties: string | null,
  flags: number,
];

/** An event with its texts turned into numbers, on its way into its day. */
export type PendingEvent = {
  key: number;
  createdAtMs: number;
  visitor: number;
  class: number;
  type: number;
  page: number;
  hostname: number;
  event: number;
  client: number;
  origin: number;
  session: number;
  properties: readonly Property[];
};

type Known = { page: number; hostname: number; hasQuery: boolean };
const CACHED_MAX = 3_000;

/**
 * Reads log rows of one website. Holds what it met last, because most events share their address, origin and client
 * with others: by the texts as they are stored, so that those are unpacked only for what is new.
 */
export function createEventReader(terms: WebsiteTerms): (row: LogRow) => PendingEvent {
  const addresses = new Map<string, Known>();
  const origins = new Map<string, number>();
  const clients = new Map<string, number>();

  function address(row: LogRow): Known {
    const hit = addresses.get(row[4]);
    if (hit) return hit;
    const read = readAddress(textsOf(row).url);
    const known = {
      page: terms.page.intern(read.page),
      hostname: terms.hostname.intern(read.hostname),
      hasQuery: read.query !== undefined,
    };
    return remember(addresses, row[4], known);
  }

  function origin(row: LogRow, known: Known): number {
    const [, , , , url, referrer] = row;
    const hasHost = known.hostname !== 0;
    // A page of the same host is no referrer.
    const isNone = referrer === null || (hasHost && isOwnPath(referrer));
    // Without a query the origin depends on the two hosts only; within a website most events are like this.
    const page = hasHost && !known.hasQuery ? known.hostname : `#${url}`;
    const word = `${page}\0${isNone ? '' : referrer}`;
    const hit = origins.get(word);
    if (hit !== undefined) return hit;
    const texts = textsOf(row);
    const values = deriveOrigin(readAddress(texts.url), isNone ? null : texts.referrer);
    return remember(origins, word, terms.origins.intern(values));
  }

  function client(row: LogRow): number {
    const word = clientWord(row);
    const hit = clients.get(word);
    if (hit !== undefined) return hit;
    const [, , , , , , , , deviceType, , , location] = row;
    const device = deviceType === null ? '' : (DEVICE_TYPES[deviceType] ?? '');
    const { browser, os, language, screen } = textsOf(row);
    const values = [location, device, browser, os, language, screen];
    return remember(clients, word, terms.clients.intern(values.map((value) => toText(value ?? ''))));
  }

  return (row) => {
    const [key, , createdAtMs, type, , , sessionId, visitorId, , , , , , , json, flags] = row;
    const known = address(row);
    const properties = json === null ? [] : readProperties(json);
    // New texts get their numbers in this order.
    return {
      key,
      createdAtMs,
      visitor: terms.visitors.intern(visitorId),
      class: toClass(flags),
      type,
      page: known.page,
      hostname: known.hostname,
      event: json === null ? 0 : terms.event.intern(eventName(type, properties, json)),
      client: client(row),
      origin: origin(row, known),
      session: hashSession(sessionId),
      properties,
    };
  };
}

/** Different for different clients. Those that are packed into bytes are told from others by the first letter. */
function clientWord([, , , , , , , , deviceType, browser, os, location, language, screen]: LogRow): string {
  if (browser === null || typeof browser === 'string')
    return ['t', deviceType, location, browser, os, language, screen].join('\0'); // null becomes the empty text
  const bytes = Buffer.isBuffer(browser) ? browser : Buffer.from(browser as Uint8Array); // an ArrayBuffer is taken too
  return ['b', deviceType, location, bytes.toString('latin1')].join('\0');
}

/** The texts of a row that the log stores in a shorter form. */
export function textsOf(row: LogRow) {
  const [, , , , url, referrer, , , , browser, os, , language, screen] = row;
  return unpackTexts({ url, referrer, browser, os, language, screen });
}

/** 53 bits: among 3 million sessions two have the same hash with a probability of 1 in 2,000. */
export function hashSession(id: StoredId): number {
  return Number(BigInt(Bun.hash(id)) & 0x1f_ffff_ffff_ffffn);
}

function toClass(flags: number): number {
  if (flags & EVENT_FLAGS.excluded) return CLASSES.excluded;
  return flags & EVENT_FLAGS.bot ? CLASSES.bot : CLASSES.people;
}

function remember<Value>(cache: Map<string, Value>, word: string, value: Value): Value {
  if (cache.size >= CACHED_MAX) cache.clear();
  cache.set(word, value);
  return value;
}
