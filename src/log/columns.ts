import { DEVICE_TYPES, EVENT_TYPES } from '../contract/vocabulary.ts';
import { bytesToUuid, packId, unpackId, uuidToBytes } from '../db/packed-id.ts';
import { packTexts, type StoredTexts, unpackTexts } from '../db/packed-texts.ts';
import type { LoggedEvent, NewEvent } from './event.ts';

/** The columns of the log, but for its key, in the order of `toCells`. */
export const COLUMNS =
  'event_id, website_key, created_at_ms, type, url, referrer, session_id, visitor_id, device_type, browser, os, location, language, screen, properties, flags';
export const PLACEHOLDERS = COLUMNS.replace(/\w+/g, '?');

type Cell = string | number | Uint8Array | null;

export function toCells(event: NewEvent): Cell[] {
  const texts = packTexts(event);
  return [
    uuidToBytes(event.id),
    event.website.key,
    event.createdAtMs,
    EVENT_TYPES.indexOf(event.eventType),
    texts.url,
    texts.referrer,
    packId(event.sessionId),
    packId(event.visitorId),
    event.deviceType === null ? null : DEVICE_TYPES.indexOf(event.deviceType),
    texts.browser,
    texts.os,
    event.location,
    texts.language,
    texts.screen,
    event.properties,
    event.flags,
  ];
}

/** A row of the log as the raw connection and the remote client give it, by column name. */
export type LogRow = StoredTexts & {
  event_id: Uint8Array | ArrayBuffer;
  website_key: number;
  created_at_ms: number;
  type: number;
  session_id: string | Uint8Array | ArrayBuffer;
  visitor_id: string | Uint8Array | ArrayBuffer;
  device_type: number | null;
  location: string | null;
  properties: string | null;
  flags: number;
};

export function toLoggedEvent(row: LogRow): LoggedEvent {
  return {
    id: bytesToUuid(row.event_id),
    createdAtMs: row.created_at_ms,
    eventType: EVENT_TYPES[row.type] ?? 'custom',
    ...unpackTexts(row),
    sessionId: unpackId(row.session_id),
    visitorId: unpackId(row.visitor_id),
    deviceType: row.device_type === null ? null : (DEVICE_TYPES[row.device_type] ?? null),
    location: row.location,
    properties: row.properties,
    flags: row.flags,
  };
}
