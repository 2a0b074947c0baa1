import Database from 'libsql';
import { sqliteCode } from './busy.ts';

/**
 * One process serves a database file: two would each keep their own caches and queues. The lock is an exclusive
 * transaction on a file beside the database, held as long as the process lives; the operating system drops it with
 * the process, however that ends.
 *
 * @returns a function that gives the lock back
 * @throws Error with a sentence when another process holds it
 */
export function lockInstance(databasePath: string): () => void {
  const lock = new Database(`${databasePath}.lock`);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY'); // nothing is ever written: no journal file beside it
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (sqliteCode(error) !== 'SQLITE_BUSY') throw error;
    throw new Error(
      `Another Pagemeter is already running on ${databasePath}. Stop it first, or set DATA_DIR.`,
    );
  }
  return () => lock.close();
}
