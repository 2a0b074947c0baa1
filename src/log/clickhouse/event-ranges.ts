import { type EventRange, type EventRanges, RANGE_PAGE_EVENTS, toEventDay } from '../event-ranges.ts';
import { addEngagement } from './engagement.ts';
import { hasErased } from './erasures.ts';
import {
  dayOf,
  EVENT_COLUMNS,
  type EventCells,
  notErased,
  POSITION,
  toPosition,
  toStoredEvent,
} from './rows.ts';
import type { EventsServer } from './server.ts';
import { type Sql, sql } from './sql.ts';

/** Reads the events of a website from ClickHouse in order of time. What is to be erased is left out. */
export function createClickHouseRanges(server: EventsServer): EventRanges {
  const presentOf = async (websiteKey: number) => notErased(websiteKey, await hasErased(server, websiteKey));

  return {
    async read(range, after) {
      const present = await presentOf(range.websiteKey);
      const page = after ? sql`day >= ${dayOf(after.atMs)} AND ${POSITION} > ${toPosition(after)}` : sql`1`;
      const rows = await server.read<EventCells>(
        sql`SELECT ${EVENT_COLUMNS} FROM events WHERE ${within(range)} AND ${present} AND ${page}
          ORDER BY day, created_at_ms, key, id LIMIT ${RANGE_PAGE_EVENTS}`,
      );
      const found = await addEngagement(server, rows.map(toStoredEvent));
      const last = found.length === RANGE_PAGE_EVENTS ? found.at(-1) : undefined;
      return {
        events: found.map(({ event }) => event),
        next: last && { atMs: last.event.createdAtMs, key: last.key, id: last.event.id },
      };
    },
    async count(range) {
      const present = await presentOf(range.websiteKey);
      const [row] = await server.read<[number]>(
        sql`SELECT count() FROM events WHERE ${within(range)} AND ${present}`,
      );
      return row?.[0] ?? 0;
    },
    async days(websiteKey) {
      const present = await presentOf(websiteKey);
      const rows = await server.read<number[]>(
        sql`SELECT day, count(), max(key) FROM events WHERE website_key = ${websiteKey} AND ${present}
          GROUP BY day ORDER BY day`,
      );
      return rows.map(toEventDay);
    },
  };
}

function within({ websiteKey, fromMs, toMs }: EventRange): Sql {
  return sql`website_key = ${websiteKey} AND day >= ${dayOf(fromMs)} AND day <= ${dayOf(toMs)}
    AND created_at_ms >= ${fromMs} AND created_at_ms < ${toMs}`;
}
