import type { Client } from '@libsql/client/sqlite3';
import { createEngine } from '../../src/analytics/embedded/engine.ts';
import { openLocalDatabase } from '../../src/db/local-database.ts';
import { truncateLog } from '../../src/db/truncate-log.ts';

/** Does the work of the engine's thread every ten seconds, in the file of a service that has ended. */
export async function followOn(path: string, server?: Client): Promise<void> {
  const database = openLocalDatabase(path, 'normal');
  const onError = (error: unknown) => {
    throw error;
  };
  const engine = createEngine({ database, server, cacheBytesMax: 1_000_000, onError });
  while (!(await engine.follow()));
  await engine.close();
  await truncateLog(database);
  database.close();
}
