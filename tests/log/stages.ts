import { join } from 'node:path';
import type { Client } from '@libsql/client/sqlite3';
import { type LocalDatabase, openLocalDatabase } from '../../src/db/local-database.ts';
import { type Db, type OpenDatabase, openDatabase } from '../../src/db/open.ts';
import { openRemoteClient } from '../../src/db/remote-client.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { followLocal, followRemote, type LogFollower } from '../../src/log/follower.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { createRemoteLog } from '../../src/log/remote-log.ts';
import { createDataDir } from '../support/process.ts';
import { namespacesOf, startSqld } from '../support/sqld.ts';
import { addWebsite } from './events.ts';

/** A log with the websites 1 and 2, in a file or on a server. */
export type LogStage = {
  db: Db;
  log: EventLog;
  /** A follower of another process, or of another start. */
  follow(): Promise<LogFollower>;
  close(): Promise<void>;
};

export async function openFileStage(): Promise<LogStage & { path: string; local: LocalDatabase }> {
  const directory = createDataDir();
  const path = join(directory.path, 'pagemeter.db');
  const { db, local, close } = await openDatabase({ kind: 'file', path }, 'normal');
  if (!local) throw new Error('A file has a connection');
  await addWebsites(db);
  const closes: (() => void)[] = [close];
  return {
    db,
    local,
    path,
    log: createLocalLog(local),
    follow() {
      const own = openLocalDatabase(path, 'normal');
      closes.push(() => own.close());
      return Promise.resolve(followLocal(own));
    },
    async close() {
      for (const end of closes.reverse()) end();
      directory.remove();
    },
  };
}

export type ServerStage = LogStage & { url: string; connect(url: string): Promise<Client> };

/** Undefined where there is no build of the server for the machine. */
export async function startServer() {
  const sqld = await startSqld({ hasNamespaces: true });
  if (!sqld) return undefined;
  const createNamespace = namespacesOf(sqld.url, sqld.adminUrl);
  return {
    stop: sqld.stop,
    async open(): Promise<ServerStage> {
      const { url, remove } = await createNamespace();
      const database: OpenDatabase = await openDatabase(
        { kind: 'remote', url, authToken: undefined },
        'full',
      );
      await addWebsites(database.db);
      const clients: Client[] = [];
      async function connect(to: string): Promise<Client> {
        const client = await openRemoteClient({ url: to, authToken: undefined });
        clients.push(client);
        return client;
      }
      return {
        db: database.db,
        url,
        connect,
        log: createRemoteLog(database.db.$client),
        follow: async () => followRemote(await connect(url)),
        async close() {
          for (const client of clients) client.close();
          database.close();
          await remove();
        },
      };
    },
  };
}

async function addWebsites(db: Db): Promise<void> {
  for (const key of [1, 2]) await addWebsite(db, key);
}
