import { type Cell, KEYED_COLUMNS, toKeyedEvent, toLoggedEvent } from './columns.ts';
import type { LogConnection } from './connection.ts';
import type { NewEvent } from './event.ts';

/** Where reading a whole log continues. Its parts depend on the log, and are JSON. */
export type LogCursor = readonly (string | number)[];

/** How many events of a website there are, and their instants, half-open. */
export type Holding = { websiteKey: number; events: number; fromMs: number; toMs: number };

/**
 * A whole log, for copying. Events of one website and instant come in the order of their arrival, so that a copy
 * that is stored in this order answers alike.
 */
export type EventPages = {
  /** `cursor` is undefined when there are no more. */
  readAfter(cursor: LogCursor | undefined): Promise<{ events: NewEvent[]; cursor: LogCursor | undefined }>;
  /** Counts the events of each website; deleted websites may be included. */
  holdings(): Promise<Holding[]>;
};

const PAGE_EVENTS = 10_000;

/** Reads pages of events from the database. */
export function createDatabasePages({ read, readSome }: LogConnection): EventPages {
  return {
    readAfter: (cursor) =>
      readSome(PAGE_EVENTS, async (eventsMax) => {
        const [rows = []] = await read([
          {
            sql: `SELECT ${KEYED_COLUMNS} FROM events WHERE key > ? ORDER BY key LIMIT ?`,
            args: [cursor?.[0] ?? 0, eventsMax],
          },
        ]);
        const events = rows.map(toKeyedEvent);
        const last = events.at(-1);
        return {
          events: events.map((event) => ({
            ...toLoggedEvent(event),
            website: { key: event.websiteKey },
            importKey: event.importKey,
          })),
          cursor: last && [last.key],
        };
      }),
    async holdings() {
      const [rows = []] = await read([
        {
          sql: 'SELECT website_key, count(*), min(created_at_ms), max(created_at_ms) + 1 FROM events GROUP BY website_key',
          args: [],
        },
      ]);
      return rows.map(toHolding);
    },
  };
}

/** @param cells website, count, first and last instant */
export function toHolding(cells: readonly Cell[]): Holding {
  const [websiteKey = 0, events = 0, fromMs = 0, toMs = 0] = cells.map(Number);
  return { websiteKey, events, fromMs, toMs };
}
