import { DEVICE_TYPES, EVENT_FLAGS } from '../contract/vocabulary.ts';
import { type StoredTexts, unpackTexts } from '../db/packed-texts.ts';
import { CLASSES } from './day.ts';
import { deriveOrigin, eventName, type Property, readAddress, readProperties, toText } from './derive.ts';
import type { StoredId } from './visitor-numbers.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** The columns of the log in the order in which toPendingEvent reads them. */
export const LOG_COLUMNS =
  'key, website_key, created_at_ms, type, url, referrer, session_id, visitor_id, device_type, browser, os, location, language, screen, properties, flags';

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

type Known = { page: number; hostname: number; address: ReturnType<typeof readAddress> };
const CACHED_MAX = 3_000;

/** Reads log rows of one website. Holds the addresses it met last, because most events share theirs with others. */
export function createEventReader(terms: WebsiteTerms): (row: LogRow) => PendingEvent {
  const addresses = new Map<string, Known>();
  const origins = new Map<string, number>();
  const clients = new Map<string, number>();

  function address(url: string): Known {
    const hit = addresses.get(url);
    if (hit) return hit;
    const read = readAddress(url);
    const known = {
      page: terms.page.intern(read.page),
      hostname: terms.hostname.intern(read.hostname),
      address: read,
    };
    return remember(addresses, url, known);
  }

  function origin(url: string, known: Known, referrer: string | null): number {
    // Without a query the origin depends on the two hosts only; within a website most events are like this.
    const word = `${known.address.query === undefined ? known.hostname : url}\0${referrer ?? ''}`;
    const hit = origins.get(word);
    if (hit !== undefined) return hit;
    return remember(origins, word, terms.origins.intern(deriveOrigin(known.address, referrer)));
  }

  function client(values: readonly string[]): number {
    const word = values.join('\0');
    return clients.get(word) ?? remember(clients, word, terms.clients.intern(values.map(toText)));
  }

  return (row) => {
    const [key, , createdAtMs, type, , , sessionId, visitorId, deviceType, , , location, , , json, flags] =
      row;
    const { url, referrer, browser, os, language, screen } = textsOf(row);
    const known = address(url);
    const properties = json === null ? [] : readProperties(json);
    const device = deviceType === null ? '' : (DEVICE_TYPES[deviceType] ?? '');
    return {
      key,
      createdAtMs,
      visitor: terms.visitors.intern(visitorId),
      class: toClass(flags),
      type,
      page: known.page,
      hostname: known.hostname,
      event: json === null ? 0 : terms.event.intern(eventName(type, properties, json)),
      client: client([location ?? '', device, browser ?? '', os ?? '', language ?? '', screen ?? '']),
      origin: origin(url, known, referrer),
      session: hashSession(sessionId),
      properties,
    };
  };
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
