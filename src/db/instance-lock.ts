import { realpathSync } from 'node:fs';
import Database from 'libsql';
import { findLockHolder } from '../process/holder.ts';
import { sqliteCode } from './busy.ts';

/**
 * One process serves a database file: two would each keep their own caches and queues.
 *
 * @returns a function that gives the lock back
 * @throws Error with a sentence when another process holds it
 */
export function lockInstance(databasePath: string): () => void {
  return takeLock(`${followLink(databasePath)}.lock`, (pid) =>
    pid === undefined
      ? `Another Pagemeter is already running on ${databasePath}. Stop it first, or set DATA_DIR.`
      : `Another Pagemeter is already running on ${databasePath}: process ${pid}. Stop it first (kill ${pid}), or set DATA_DIR.`,
  );
}

/** One process at a time makes a backup of a database, or puts one in its place. As above. */
export function lockBackups(databasePath: string): () => void {
  return takeLock(
    `${followLink(databasePath)}.backup.lock`,
    (pid) =>
      `A backup of ${databasePath} is being made or restored by another process${pid === undefined ? '' : ` (${pid})`}. Try again when it is done.`,
  );
}

/** Resolves links to the real path of a database. A missing file keeps the given path. */
export function followLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * The lock is an exclusive transaction on a file of its own, held as long as the process lives; the operating system
 * drops it with the process, however that ends.
 */
export function takeLock(path: string, toRefusal: (pid: number | undefined) => string): () => void {
  const lock = new Database(path);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY'); // nothing is ever written, so there is no journal file
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (sqliteCode(error) !== 'SQLITE_BUSY') throw error;
    throw new Error(toRefusal(findLockHolder(path)));
  }
  return () => lock.close();
}
