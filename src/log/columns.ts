import { type Engagement, packEngagement, unpackEngagement } from '../db/packed-engagement.ts';
import { bytesToUuid, packId, unpackId, uuidToBytes } from '../db/packed-id.ts';
import { packPlace, unpackPlace } from '../db/packed-place.ts';
import { packTexts, type StoredTexts, unpackTexts } from '../db/packed-texts.ts';
import { DEVICE_TYPES } from '../vocabulary/contract.ts';
import type { LoggedEvent, NewEvent } from './event.ts';
import { toEventType, toTypeCode } from './event-type.ts';

/** A session or visitor id as it is stored: a UUID as its 16 bytes, any other text as it is. */
export type StoredId = string | Uint8Array;

/** A row of the table in its stored forms, without the id of the event: what readers that follow the log need. */
export type LogEvent = {
  key: number;
  websiteKey: number;
  createdAtMs: number;
  /** Index into EVENT_TYPES. */
  type: number;
  url: string;
  referrer: string | null;
  sessionId: StoredId;
  visitorId: StoredId;
  /** Index into DEVICE_TYPES. */
  deviceType: number | null;
  browser: StoredTexts['browser'];
  os: string | null;
  location: string | null;
  language: string | null;
  screen: string | null;
  properties: string | null;
  /** Bits of EVENT_FLAGS. */
  flags: number;
  bot: string | null;
  /** Region and city, as db/packed-place has them. */
  place: string | null;
};

/** All of a row. `engagement`: in the form of db/packed-engagement. */
export type KeyedEvent = LogEvent & {
  engagement: number | null;
  eventId: Uint8Array;
  importKey: number | null;
};

type Name = keyof KeyedEvent;

/** The one list of the columns: their names here, and in the table. The order is that of cells in statements. */
const COLUMN_NAMES: Record<Name, string> = {
  key: 'key',
  websiteKey: 'website_key',
  createdAtMs: 'created_at_ms',
  type: 'type',
  url: 'url',
  referrer: 'referrer',
  sessionId: 'session_id',
  visitorId: 'visitor_id',
  deviceType: 'device_type',
  browser: 'browser',
  os: 'os',
  location: 'location',
  language: 'language',
  screen: 'screen',
  properties: 'properties',
  flags: 'flags',
  bot: 'bot',
  place: 'place',
  // The last three, because readers that follow the log leave them out.
  engagement: 'engagement',
  eventId: 'event_id',
  importKey: 'import_key',
};
const NAMES = Object.keys(COLUMN_NAMES) as Name[]; // the keys of the record
const STORED_NAMES = NAMES.filter((name) => name !== 'key'); // the table gives the key

/** Name of an event's place, in statements FROM events. */
export const PLACE_NAME = '(SELECT name FROM places WHERE places.key = events.place)';

const toSql = (names: readonly Name[]) =>
  names.map((name) => (name === 'place' ? `${PLACE_NAME} AS place` : COLUMN_NAMES[name])).join(', ');

/** For SELECT; read by `toLogEvent` and `toKeyedEvent`. */
export const LOG_COLUMNS = toSql(NAMES.slice(0, NAMES.indexOf('engagement')));
export const KEYED_COLUMNS = toSql(NAMES);
/** For INSERT; written by `toCells`. */
export const STORED_COLUMNS = STORED_NAMES.map((name) => COLUMN_NAMES[name]).join(', ');
export const PLACEHOLDERS = STORED_NAMES.map((name) =>
  name === 'place' ? '(SELECT key FROM places WHERE name = ?)' : '?',
).join(', ');
/** Adds the place of an event, before the event. */
export const INSERT_PLACE = 'INSERT INTO places (name) VALUES (?) ON CONFLICT (name) DO NOTHING';

export type Cell = string | number | Uint8Array | null;

export function toCells(event: NewEvent): Cell[] {
  const stored: Omit<KeyedEvent, 'key'> = {
    websiteKey: event.website.key,
    createdAtMs: event.createdAtMs,
    type: toTypeCode(event.eventType),
    ...packTexts(event),
    sessionId: packId(event.sessionId),
    visitorId: packId(event.visitorId),
    deviceType: event.deviceType === null ? null : DEVICE_TYPES.indexOf(event.deviceType),
    location: event.location,
    properties: event.properties,
    flags: event.flags,
    bot: event.bot,
    place: packPlace(event),
    engagement: event.eventType === 'pageview' ? packEngagement(event) : null,
    eventId: uuidToBytes(event.id),
    importKey: event.importKey ?? null,
  };
  return STORED_NAMES.map((name) => stored[name as keyof typeof stored]); // without `key`
}

const AT = Object.fromEntries(NAMES.map((name, index) => [name, index])) as Record<Name, number>; // each name

/** @param cells of LOG_COLUMNS; bytes as a Buffer, as raw statements of the embedded database give them */
export function toLogEvent(cells: readonly Cell[]): LogEvent {
  // The columns of the table have these types (db/log-schema).
  const cell = <Column extends Name>(name: Column) => cells[AT[name]] as KeyedEvent[Column];
  return {
    key: cell('key'),
    websiteKey: cell('websiteKey'),
    createdAtMs: cell('createdAtMs'),
    type: cell('type'),
    url: cell('url'),
    referrer: cell('referrer'),
    sessionId: cell('sessionId'),
    visitorId: cell('visitorId'),
    deviceType: cell('deviceType'),
    browser: cell('browser'),
    os: cell('os'),
    location: cell('location'),
    language: cell('language'),
    screen: cell('screen'),
    properties: cell('properties'),
    flags: cell('flags'),
    bot: cell('bot'),
    place: cell('place'),
  };
}

/** @param cells of KEYED_COLUMNS */
export function toKeyedEvent(cells: readonly Cell[]): KeyedEvent {
  return {
    ...toLogEvent(cells),
    engagement: cells[AT.engagement] as number | null, // as above
    eventId: cells[AT.eventId] as Uint8Array,
    importKey: cells[AT.importKey] as number | null,
  };
}

/** Converts a row to the event as it was sent, with the fields added on arrival. */
export function toLoggedEvent(
  row: Omit<KeyedEvent, 'key' | 'websiteKey' | 'importKey'>,
): LoggedEvent & Engagement {
  return {
    id: bytesToUuid(row.eventId),
    createdAtMs: row.createdAtMs,
    eventType: toEventType(row.type),
    ...unpackTexts(row),
    sessionId: unpackId(row.sessionId),
    visitorId: unpackId(row.visitorId),
    deviceType: row.deviceType === null ? null : (DEVICE_TYPES[row.deviceType] ?? null),
    location: row.location,
    properties: row.properties,
    flags: row.flags,
    bot: row.bot,
    ...unpackPlace(row.place),
    ...unpackEngagement(row.engagement),
  };
}
