import { DEVICE_TYPES, EVENT_TYPES } from '../contract/vocabulary.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { bytesToUuid, unpackId } from '../db/packed-id.ts';
import type { ExportedEvent, PathEvent } from './analytics.ts';
import { eventName, readAddress, readProperties } from './derive.ts';
import { LOG_COLUMNS, type LogRow, textsOf } from './read-event.ts';

/** Reads single events of the log by their keys, for what summaries do not hold: ids, addresses, properties as sent. */
export type LogReader = {
  exported(keys: readonly number[]): ExportedEvent[];
  path(keys: readonly number[]): PathEvent[];
  /** Empty when the event is gone from the log. */
  ids(key: number): { sessionId: string; visitorId: string };
};

type Row = [eventId: Uint8Array, ...LogRow];

export function createLogReader(database: LocalDatabase): LogReader {
  const read = database.prepare(`SELECT event_id, ${LOG_COLUMNS} FROM events WHERE key = ?`).raw();

  /** In the order of the keys; those that are gone from the log are left out. */
  function rows(keys: readonly number[]): Row[] {
    return keys.flatMap((key) => {
      const row = read.get([key]) as Row | undefined; // the columns named above
      return row ? [row] : [];
    });
  }

  return {
    exported: (keys) => rows(keys).map(toExported),
    path: (keys) => rows(keys).map(toPathEvent),
    ids(key) {
      const [row] = rows([key]);
      return { sessionId: row ? unpackId(row[7]) : '', visitorId: row ? unpackId(row[8]) : '' };
    },
  };
}

function toExported([eventId, ...row]: Row): ExportedEvent {
  const [, , createdAtMs, type, , , sessionId, visitorId, deviceType, , , location, , , properties] = row;
  const { url, referrer, browser, os, language, screen } = textsOf(row);
  return {
    id: bytesToUuid(eventId),
    createdAtMs,
    eventType: EVENT_TYPES[type] ?? 'custom',
    url,
    referrer,
    sessionId: unpackId(sessionId),
    visitorId: unpackId(visitorId),
    deviceType: deviceType === null ? null : (DEVICE_TYPES[deviceType] ?? null),
    browser,
    os,
    location,
    language,
    screen,
    properties,
  };
}

function toPathEvent([eventId, ...row]: Row): PathEvent {
  const [, , createdAtMs, type, , , , , , , , , , , properties] = row;
  const { url } = textsOf(row);
  const name = properties === null ? '' : eventName(type, readProperties(properties), properties);
  return {
    id: bytesToUuid(eventId),
    atMs: createdAtMs,
    eventType: EVENT_TYPES[type] ?? 'custom',
    url,
    page: readAddress(url).page,
    name: name || null,
    properties,
  };
}
