import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { BUSY_PATIENCE_MS, sqliteCode } from '../db/busy.ts';
import type { LocalDatabase } from '../db/local-database.ts';

/** A connection that changes nothing, for a process or a moment of its own: it waits for locks inside SQLite. */
function openForReading(path: string): LocalDatabase {
  const database = new Database(path);
  database.exec(`PRAGMA busy_timeout = ${BUSY_PATIENCE_MS}`);
  database.exec('PRAGMA query_only = ON');
  database.exec('PRAGMA trusted_schema = OFF');
  database.exec('PRAGMA temp_store = MEMORY');
  database.exec('PRAGMA cache_size = -16384');
  return database;
}

/** How large a copy will be: without the pages that are free. */
export function sizeOfCopy(path: string): number {
  return withDatabase(path, (database) => {
    const read = (pragma: string) =>
      Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
    return (read('page_count') - read('freelist_count')) * read('page_size');
  });
}

/**
 * Copies a snapshot of a database while others read and write it. Deleted data is not in the copy, not even as free pages.
 *
 * The read prevents the write-ahead log from being reset, so it grows by everything written during the copy, and shrinks
 * again afterwards.
 *
 * @param toPath must not exist; readable for the owner alone from its first moment
 * @throws Error with a sentence when the disk is full
 */
export function copyDatabase(fromPath: string, toPath: string): void {
  closeSync(openSync(toPath, 'wx', 0o600));
  try {
    withDatabase(fromPath, (database) => {
      database.exec('PRAGMA query_only = OFF'); // it would forbid the copy too, which leaves the original alone
      database.exec('PRAGMA cache_size = -2048'); // the copy has a cache of the same size, which is written at the end
      database.exec(`VACUUM INTO '${toPath.replaceAll("'", "''")}'`);
    });
  } catch (error) {
    if (sqliteCode(error) !== 'SQLITE_FULL') throw error;
    throw new Error(`The disk of ${dirname(toPath)} is full: the copy was given up.`);
  }
}

export function withDatabase<Result>(path: string, work: (database: LocalDatabase) => Result): Result {
  const database = openForReading(path);
  try {
    return work(database);
  } finally {
    database.close();
    Bun.gc(true); // libSQL closes the file when the statements are collected
  }
}
