import { DEVICE_TYPES, EVENT_TYPES } from '../contract/vocabulary.ts';
import { bytesToUuid, packId, unpackId, uuidToBytes } from '../db/packed-id.ts';
import type { LoggedEvent, NewEvent } from './event.ts';

/** The columns of the log, but for its key, in the order of `toCells`. */
export const COLUMNS =
  'event_id, website_key, created_at_ms, type, url, referrer, session_id, visitor_id, device_type, browser, os, location, language, screen, properties, flags';
export const PLACEHOLDERS = COLUMNS.replace(/\w+/g, '?');

type Cell = string | number | Buffer | null;

export function toCells(event: NewEvent): Cell[] {
  return [
    uuidToBytes(event.id),
    event.website.key,
    event.createdAtMs,
    EVENT_TYPES.indexOf(event.eventType),
    event.url,
    event.referrer,
    packId(event.sessionId),
    packId(event.visitorId),
    event.deviceType === null ? null : DEVICE_TYPES.indexOf(event.deviceType),
    event.browser,
    event.os,
    event.location,
    event.language,
    event.screen,
    event.properties,
    event.flags,
  ];
}

/** A row of the log as the raw connection and the remote client give it, by column name. */
export type LogRow = {
  event_id: Uint8Array | ArrayBuffer;
  website_key: number;
  created_at_ms: number;
  type: number;
  url: string;
  referrer: string | null;
  session_id: string | Uint8Array | ArrayBuffer;
  visitor_id: string | Uint8Array | ArrayBuffer;
  device_type: number | null;
  browser: string | null;
  os: string | null;
  location: string | null;
  language: string | null;
  screen: string | null;
  properties: string | null;
  flags: number;
};

export function toLoggedEvent(row: LogRow): LoggedEvent {
  return {
    id: bytesToUuid(row.event_id),
    createdAtMs: row.created_at_ms,
    eventType: EVENT_TYPES[row.type] ?? 'custom',
    url: row.url,
    referrer: row.referrer,
    sessionId: unpackId(row.session_id),
    visitorId: unpackId(row.visitor_id),
    deviceType: row.device_type === null ? null : (DEVICE_TYPES[row.device_type] ?? null),
    browser: row.browser,
    os: row.os,
    location: row.location,
    language: row.language,
    screen: row.screen,
    properties: row.properties,
    flags: row.flags,
  };
}
