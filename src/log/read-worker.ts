import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import { sqliteExtendedCode } from '../db/busy.ts';
import { LocalClient } from '../db/local-client.ts';
import { openLocalDatabase } from '../db/local-database.ts';
import type { ThreadAnswer, ThreadCall, ThreadSetup } from '../process/threads.ts';
import type { ReadRequest, ReadSetup } from './reader.ts';
import { listEvents } from './store.ts';

/** The thread behind createWorkerReader, with a connection of its own. */
declare const self: Worker;

self.onmessage = ({ data: { setup } }: MessageEvent<ThreadSetup<ReadSetup>>) => {
  const client = openClient(setup.path);
  const db = drizzle(client);

  self.onmessage = async ({ data: { id, request } }: MessageEvent<ThreadCall<ReadRequest>>) => {
    if (request === 'close') {
      client.close();
      self.postMessage({ id } satisfies ThreadAnswer);
      process.exit(); // ends this thread
    }
    const answer: ThreadAnswer = await listEvents(db, request).then(
      (value) => ({ id, value }),
      (error: unknown) => ({ id, error: { message: String(error), code: sqliteExtendedCode(error) } }),
    );
    self.postMessage(answer);
  };
};

function openClient(path: string): LocalClient {
  const database = openLocalDatabase(path, 'full');
  database.exec('PRAGMA query_only = ON');
  return new LocalClient(database);
}
