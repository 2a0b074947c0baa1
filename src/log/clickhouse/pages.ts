import { type EventPages, toHolding } from '../event-pages.ts';
import { addEngagement } from './engagement.ts';
import { dayOf, EVENT_COLUMNS, type EventCells, toStoredEvent } from './rows.ts';
import type { EventsServer } from './server.ts';
import { type Sql, sql } from './sql.ts';

const PAGE_EVENTS = 10_000;

/**
 * The log on ClickHouse as a whole, day by day of each website: the order of the table. What is to be erased is still
 * in it.
 */
export function createClickHousePages(server: EventsServer): EventPages {
  return {
    async readAfter(cursor) {
      const rows = await server.read<EventCells>(
        sql`SELECT ${EVENT_COLUMNS} FROM events WHERE ${cursor ? isAfter(cursor) : sql`1`}
          ORDER BY website_key, day, created_at_ms, key, id LIMIT ${PAGE_EVENTS}`,
      );
      const stored = await addEngagement(server, rows.map(toStoredEvent));
      const last = stored.at(-1);
      return {
        events: stored.map(({ event, websiteKey, importKey }) => ({
          ...event,
          website: { key: websiteKey },
          importKey,
        })),
        cursor: last && [last.websiteKey, last.event.createdAtMs, last.key, last.event.id],
      };
    },
    async holdings() {
      const rows = await server.read<number[]>(
        sql`SELECT website_key, count(), min(created_at_ms), max(created_at_ms) + 1 FROM events GROUP BY website_key`,
      );
      return rows.map(toHolding);
    },
  };
}

/** Returns the condition for rows after a position, in a form that lets the server find the day by its index. */
function isAfter([websiteKey = 0, atMs = 0, key = 0, id = '']: readonly (string | number)[]): Sql {
  const day = dayOf(Number(atMs));
  return sql`website_key >= ${websiteKey} AND (website_key > ${websiteKey} OR day > ${day}
    OR (day = ${day} AND (created_at_ms, key, id) > (${atMs}, ${key}, toUUID(${id}))))`;
}
