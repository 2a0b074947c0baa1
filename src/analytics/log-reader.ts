import { DEVICE_TYPES, EVENT_TYPES } from '../contract/vocabulary.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { bytesToUuid, unpackId } from '../db/packed-id.ts';
import type { ExportedEvent, PathEvent } from './analytics.ts';
import { eventName, readAddress, readProperties } from './derive.ts';
import { LOG_COLUMNS, type LogRow, textsOf } from './read-event.ts';

/** Reads single events of the log by their keys, for what summaries do not hold: ids, addresses, properties as sent. */
export type LogReader = {
  /** In the order of the keys; those that are gone from the log are left out. */
  exported(keys: readonly number[]): Promise<ExportedEvent[]>;
  /** Likewise. */
  path(keys: readonly number[]): Promise<PathEvent[]>;
  /** One for each key, empty when the event is gone from the log. */
  ids(keys: readonly number[]): Promise<EventIds[]>;
};

export type EventIds = { sessionId: string; visitorId: string };

/** The columns of a single event, in the order of KeyedRow. */
export const KEYED_COLUMNS = `event_id, ${LOG_COLUMNS}`;
export type KeyedRow = [eventId: Uint8Array, ...LogRow];

/** @param find the rows of these keys that there are, in any order */
export function createLogReader(
  find: (keys: readonly number[]) => KeyedRow[] | Promise<KeyedRow[]>,
): LogReader {
  async function read(keys: readonly number[]): Promise<(KeyedRow | undefined)[]> {
    if (keys.length === 0) return [];
    const rows = new Map((await find(keys)).map((row) => [row[1], row]));
    return keys.map((key) => rows.get(key));
  }
  async function readThere(keys: readonly number[]): Promise<KeyedRow[]> {
    return (await read(keys)).filter((row) => row !== undefined);
  }

  return {
    exported: async (keys) => (await readThere(keys)).map(toExported),
    path: async (keys) => (await readThere(keys)).map(toPathEvent),
    ids: async (keys) =>
      (await read(keys)).map((row) => ({
        sessionId: row ? unpackId(row[7]) : '',
        visitorId: row ? unpackId(row[8]) : '',
      })),
  };
}

export function createLocalLogReader(database: LocalDatabase): LogReader {
  const read = database.prepare(`SELECT ${KEYED_COLUMNS} FROM events WHERE key = ?`).raw();
  return createLogReader((keys) =>
    keys.flatMap((key) => {
      const row = read.get([key]) as KeyedRow | undefined; // the columns named above
      return row ? [row] : [];
    }),
  );
}

function toExported([eventId, ...row]: KeyedRow): ExportedEvent {
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

function toPathEvent([eventId, ...row]: KeyedRow): PathEvent {
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
