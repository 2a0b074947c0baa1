import type { Client } from '@libsql/client/sqlite3';
import type { LocalDatabase } from '../db/local-database.ts';
import { KEYED_COLUMNS, type KeyedEvent, toKeyedEvent } from './columns.ts';
import { connectLocal, connectRemote, type LogConnection } from './connection.ts';
import { createErasures } from './erasures.ts';
import { type LogPage, type LogPosition, readPage } from './page.ts';

export type { KeyedEvent, LogEvent, StoredId } from './columns.ts';
export type { LogPage, LogPosition } from './page.ts';
export type { Removal } from './removal.ts';

/**
 * Reads the log for tables derived from it, in a file or on a server.
 *
 * Events are committed in the order of their keys, so a reader that has seen a key has seen all before it. Removing events
 * also writes to `removals`, in the same transaction. So events read before a removal is first seen were in the log before
 * it, and those that the removal names must be deleted; events read after it are not affected.
 */
export type LogFollower = {
  /** Reads a snapshot of removals and events after a position. Apply the removals before the events. */
  read(position: LogPosition): Promise<LogPage>;
  /** In the order of the keys given; those that are gone are left out. */
  readKeys(keys: readonly number[]): Promise<KeyedEvent[]>;
  /** Records an erasure. Once it resolves, these events will be deleted, whatever happens. */
  orderErasure(websiteKey: number, keys: readonly number[]): Promise<void>;
  /**
   * Carries out what is ordered, by whomever, list by list, with pauses for ingest.
   *
   * @param deadlineMs by performance.now()
   * @returns false when the deadline came first
   */
  carryOutErasures(deadlineMs: number): Promise<boolean>;
};

/** Events in one answer: a page of a file is a millisecond, one of a server a way there and back. */
const LOCAL_EVENTS = 500;
const REMOTE_EVENTS = 2_000;

export function followLocal(database: LocalDatabase): LogFollower {
  return follow(connectLocal(database), LOCAL_EVENTS);
}

export function followRemote(client: Client): LogFollower {
  return follow(connectRemote(client), REMOTE_EVENTS);
}

function follow(connection: LogConnection, eventsMax: number): LogFollower {
  const erasures = createErasures(connection);

  async function readKeys(keys: readonly number[]): Promise<KeyedEvent[]> {
    const found = new Map<number, KeyedEvent>();
    for (let done = 0; done < keys.length; )
      done += await connection.readSome(eventsMax, async (rows) => {
        const some = keys.slice(done, done + rows);
        for (const event of await readSome(some)) found.set(event.key, event);
        return some.length;
      });
    return keys.map((key) => found.get(key)).filter((event) => event !== undefined);
  }

  async function readSome(keys: readonly number[]): Promise<KeyedEvent[]> {
    const [rows = []] = await connection.read([
      {
        sql: `SELECT ${KEYED_COLUMNS} FROM events WHERE key IN (SELECT value FROM json_each(?))`,
        args: [JSON.stringify(keys)],
      },
    ]);
    return rows.map(toKeyedEvent);
  }

  return {
    read: (position) => readPage(connection, position, eventsMax),
    readKeys,
    orderErasure: erasures.order,
    carryOutErasures: erasures.carryOut,
  };
}
