import { rmSync } from 'node:fs';
import { isDatabaseRefusal } from '../../db/busy.ts';
import type { LocalDatabase } from '../../db/local-database.ts';
import { openDatabase } from '../../db/open.ts';

/**
 * Opens the file in which a process keeps what it derives from a log on a server. It has all tables, but only those of the
 * statistics are used. A file that cannot be read, or that a newer version wrote, is deleted: everything in it can be
 * derived from the log.
 */
export async function openStatistics(path: string): Promise<LocalDatabase> {
  try {
    return await open(path);
  } catch (error) {
    if (isDatabaseRefusal(error)) throw error;
    for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`, { force: true });
    return open(path);
  }
}

async function open(path: string): Promise<LocalDatabase> {
  const { local } = await openDatabase({ kind: 'file', path }, 'normal');
  if (!local) throw new Error('A file is a local database.');
  return local;
}
