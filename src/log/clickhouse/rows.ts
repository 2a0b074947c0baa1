import type { Engagement } from '../../db/packed-engagement.ts';
import { DAY_MS } from '../../vocabulary/durations.ts';
import { EVENT_TEXT_NAMES, mapEventTexts } from '../../vocabulary/event-texts.ts';
import type { EventPosition, LoggedEvent, NewEvent } from '../event.ts';
import { toEventType, toTypeCode } from '../event-type.ts';
import { join, type Sql, sql } from './sql.ts';

/** Derives the columns that reports read from an event. */
export type Derive = (event: LoggedEvent) => Record<string, unknown>;

export function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS);
}

/** A row of `events`. Half a surrogate pair, which UTF-8 cannot carry, becomes U+FFFD, as in the embedded database. */
export function toRow(event: NewEvent, key: number, derive: Derive): Record<string, unknown> {
  const whole = toWhole(event);
  return {
    website_key: event.website.key,
    day: dayOf(event.createdAtMs),
    visitor_id: whole.visitorId,
    created_at_ms: event.createdAtMs,
    key,
    id: event.id,
    session_id: whole.sessionId,
    type: toTypeCode(event.eventType),
    flags: event.flags,
    url: whole.url,
    referrer: whole.referrer,
    device_type: event.deviceType,
    ...Object.fromEntries(EVENT_TEXT_NAMES.map((name) => [name, whole[name]])),
    properties: whole.properties,
    browser_version: whole.browserVersion,
    os_version: whole.osVersion,
    bot: whole.bot,
    import_key: event.importKey ?? 0,
    region: whole.region,
    city: whole.city,
    ...derive(whole),
  };
}

function toWhole(event: NewEvent): LoggedEvent {
  if (Object.values(event).every((value) => typeof value !== 'string' || value.isWellFormed())) return event;
  return Object.fromEntries(
    Object.entries(event).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : value,
    ]),
  ) as LoggedEvent; // the same names and types
}

const COLUMNS = [
  'id',
  'created_at_ms',
  'type',
  'url',
  'referrer',
  'session_id',
  'visitor_id',
  'device_type',
  ...EVENT_TEXT_NAMES,
  'properties',
  'flags',
  'browser_version',
  'os_version',
  'bot',
  'region',
  'city',
  'website_key',
  'key',
  'import_key',
] as const;
const AT = Object.fromEntries(COLUMNS.map((name, index) => [name, index])) as Record<
  (typeof COLUMNS)[number],
  number
>; // each name

/** The columns of an event as it was sent, for SELECT; read by `toStoredEvent`. */
export const EVENT_COLUMNS: Sql = join(
  COLUMNS.map((text) => ({ text })),
  ', ',
);

/** Position of an event in order of time. Two processes may give the same key. */
export const POSITION = sql`(created_at_ms, key, id)`;

export function toPosition({ atMs, key, id = LEAST_ID }: EventPosition): Sql {
  return sql`(${atMs}, ${key}, toUUID(${id}))`;
}

const LEAST_ID = '00000000-0000-0000-0000-000000000000';

export type StoredEvent = {
  event: LoggedEvent & Engagement;
  websiteKey: number;
  key: number;
  importKey: number | null;
};
export type EventCells = readonly (string | number | null)[];

/** Without the engagement, which has a table of its own. @param cells of EVENT_COLUMNS */
export function toStoredEvent(cells: EventCells): StoredEvent {
  const cell = (name: (typeof COLUMNS)[number]) => cells[AT[name]];
  const event = {
    id: cell('id'),
    createdAtMs: cell('created_at_ms'),
    eventType: toEventType(Number(cell('type'))),
    url: cell('url'),
    referrer: cell('referrer'),
    sessionId: cell('session_id'),
    visitorId: cell('visitor_id'),
    deviceType: cell('device_type'),
    ...mapEventTexts(cell),
    properties: cell('properties'),
    flags: cell('flags'),
    browserVersion: cell('browser_version'),
    osVersion: cell('os_version'),
    bot: cell('bot'),
    region: cell('region'),
    city: cell('city'),
    engagedSeconds: null,
    scrollDepth: null,
  } as LoggedEvent & Engagement; // the columns have these types (schema)
  return {
    event,
    websiteKey: Number(cell('website_key')),
    key: Number(cell('key')),
    importKey: Number(cell('import_key')) || null,
  };
}

/** Leaves out what is to be erased. Where nothing is, `false` spares a look at each row. */
export function notErased(websiteKey: number, hasErased: boolean): Sql {
  return hasErased
    ? sql`(id, key) NOT IN (SELECT id, key FROM erased_events WHERE website_key = ${websiteKey})`
    : sql`1`;
}
