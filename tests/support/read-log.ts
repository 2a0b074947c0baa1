import type { LocalDatabase } from '../../src/db/local-database.ts';
import { COLUMNS, type LogRow, toLoggedEvent } from '../../src/events/row.ts';
import type { RawEvent } from '../analytics/oracle/naive-analytics.ts';

/** Everything that is in the log of a local database, in the order in which it was stored. */
export function readLog(local: LocalDatabase | undefined): RawEvent[] {
  if (!local) throw new Error('Only a local database can be read at once.');
  // The columns of the log's own table.
  const rows = local.prepare(`SELECT key, ${COLUMNS} FROM events ORDER BY key`).all() as (LogRow & {
    key: number;
    website_key: number;
  })[];
  return rows.map((row) => ({ ...toLoggedEvent(row), key: row.key, websiteKey: row.website_key }));
}
