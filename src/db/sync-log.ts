import { open } from 'node:fs/promises';
import { createQueue } from '../process/queue.ts';
import type { LocalDatabase } from './local-database.ts';

/**
 * Brings what the connection has committed since the last time onto the disk, of a file whose commits do not wait for
 * it (`DURABILITY=normal`). It is the write-ahead log that is synced, by the runtime's own threads, so no request waits;
 * a checkpoint would sync it as well, and then write pages and sync them on the event loop. After a power cut SQLite
 * takes in all that is whole in the log, and what lies before a sync is. (SQLite locks no part of the log file, so that
 * it is opened and closed once more takes no lock away.)
 *
 * @returns a function that resolves with whether there was something to sync, and rejects when the disk cannot; what was
 *          committed before it was called is on the disk then
 */
export function createLogSync(database: LocalDatabase, path: string): () => Promise<boolean> {
  const readChanges = database.prepare('SELECT total_changes() AS changes');
  let syncedChanges = 0;
  const oneAtATime = createQueue();
  let next: Promise<boolean> | undefined;

  async function sync(): Promise<boolean> {
    if (!database.open) return false;
    // `all` runs to the end; `get` would go on reading. The statement names this one column.
    const [row] = readChanges.all([]) as { changes: number }[];
    const changes = row?.changes ?? 0; // of this connection: what the statistics write can be derived again, and erasures sync themselves
    if (changes === syncedChanges) return false;
    const log = await open(`${path}-wal`);
    try {
      await log.datasync();
    } finally {
      await log.close();
    }
    syncedChanges = changes;
    return true;
  }

  // One runs and one waits for all who ask in the meantime: the running one may have begun before their commits.
  return () => {
    next ??= oneAtATime(() => {
      next = undefined;
      return sync();
    });
    return next;
  };
}
