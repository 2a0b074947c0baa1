import type { ImportedEvents } from '../imported-events.ts';
import { eraseEvents } from './erasures.ts';
import type { EventsServer } from './server.ts';
import { sql } from './sql.ts';
import { findStored } from './stored-ids.ts';

/** The state of an import is read before an insert, not within it: one may be on its way. */
const LATE_INSERT_MS = 2_000;

export function createClickHouseImportedEvents(server: EventsServer, now: () => number): ImportedEvents {
  return {
    async count(importKey) {
      const [[count] = [0]] = await server.read<[number]>(
        sql`SELECT count() FROM events WHERE import_key = ${importKey}
          AND (id, key) NOT IN (SELECT id, key FROM erased_events)`,
      );
      return count;
    },
    countStored: async (ids) => (await findStored(server, ids)).size,
    async remove(importKey) {
      await removeOnce(importKey);
      await Bun.sleep(LATE_INSERT_MS);
      await removeOnce(importKey);
    },
  };

  async function removeOnce(importKey: number): Promise<void> {
    const websites = await server.read<[number]>(
      sql`SELECT DISTINCT website_key FROM events WHERE import_key = ${importKey}`,
    );
    for (const [websiteKey] of websites) {
      const those = sql`SELECT id, key FROM events WHERE website_key = ${websiteKey} AND import_key = ${importKey}`;
      await eraseEvents(server, { websiteKey, those, nowMs: now() });
    }
  }
}
