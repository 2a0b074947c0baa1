import type { EventRemover } from '../remover.ts';
import type { EventsServer } from './server.ts';
import { type Sql, sql } from './sql.ts';

const TABLES = [sql`events`, sql`event_ids`, sql`engagement`];

/** Removes many events at once: the server does it in the background. */
export function createClickHouseRemover(server: EventsServer): EventRemover {
  async function remove(those: Sql): Promise<void> {
    for (const table of [...TABLES, sql`erased_events`])
      await server.command(sql`DELETE FROM ${table} WHERE ${those}`);
  }

  return {
    async hasBefore(websiteKey, beforeDay) {
      const rows = await server.read(
        sql`SELECT 1 FROM events WHERE website_key = ${websiteKey} AND day < ${beforeDay} LIMIT 1`,
      );
      return rows.length > 0;
    },
    async removeBefore(websiteKey, beforeDay) {
      const old = sql`website_key = ${websiteKey} AND day < ${beforeDay}`;
      for (const table of TABLES) await server.command(sql`DELETE FROM ${table} WHERE ${old}`);
    },
    removeAll: (websiteKey) => remove(sql`website_key = ${websiteKey}`),
  };
}
