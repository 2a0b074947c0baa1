import { sqliteCode } from './busy.ts';
import type { LocalDatabase } from './local-database.ts';

const ATTEMPTS = 10;
const PAUSE_MS = 500;

/**
 * Merges the write-ahead log into the database and truncates it. Deleted data is overwritten with zeros in the database
 * (secure_delete), but old pages stay in the log until new ones happen to replace them.
 *
 * @returns false when other connections were reading or writing all the time: try again later
 */
export async function truncateLog(database: LocalDatabase): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    if (isTruncated(database)) return true;
    if (attempt === ATTEMPTS) return false;
    Bun.gc(true); // finishes statements that returned one row: they would keep reading
    await Bun.sleep(PAUSE_MS);
    if (!database.open) return false;
  }
}

function isTruncated(database: LocalDatabase): boolean {
  try {
    // `all`, because `get` would leave the statement half-run. The pragma answers with one row.
    const [row] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]) as { busy: number }[];
    return row?.busy === 0;
  } catch (error) {
    if (sqliteCode(error) === 'SQLITE_BUSY') return false;
    throw error;
  }
}
