import type { LocalDatabase } from '../../src/db/local-database.ts';
import { type Cell, KEYED_COLUMNS, toKeyedEvent, toLoggedEvent } from '../../src/log/columns.ts';
import type { LoggedEvent } from '../../src/log/event.ts';

/** Events in the log of a file after a key, in the order of its keys. */
export function readLog(
  database: LocalDatabase,
  afterKey = 0,
): (LoggedEvent & { key: number; websiteKey: number })[] {
  const statement = database.prepare(`SELECT ${KEYED_COLUMNS} FROM events WHERE key > ? ORDER BY key`);
  const rows = statement.raw().all([afterKey]) as unknown as Cell[][]; // the columns named above
  return rows.map(toKeyedEvent).map((row) => ({
    ...toLoggedEvent(row),
    key: row.key,
    websiteKey: row.websiteKey,
  }));
}
