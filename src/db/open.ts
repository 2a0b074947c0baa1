import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '@libsql/client/sqlite3';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import type { DatabaseTarget } from '../config.ts';
import { withBusyRetry } from './busy.ts';
import { LocalClient } from './local-client.ts';
import { type LocalDatabase, openLocalDatabase } from './local-database.ts';
import { migrate } from './migrate.ts';

/** A server that takes the connection and then is silent would be waited for without end. */
const REMOTE_PATIENCE_MS = 10_000;

/** Drizzle's face of the database. */
export type Db = LibSQLDatabase<Record<string, never>> & { $client: Client };

export type OpenDatabase = {
  db: Db;
  /** The raw connection under `db`; undefined for a remote database. */
  local: LocalDatabase | undefined;
  close(): void;
};

/**
 * Opens the database and brings its schema up to date.
 *
 * @throws Error naming the database and what SQLite or the server says, or that it is newer than this version
 */
export async function openDatabase(
  target: DatabaseTarget,
  durability: 'full' | 'normal',
): Promise<OpenDatabase> {
  let opened: OpenDatabase | undefined;
  try {
    opened = target.kind === 'remote' ? await openRemote(target) : openLocal(target, durability);
    const { $client } = opened.db;
    await withBusyRetry(() => migrate($client));
    return opened;
  } catch (error) {
    opened?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The database ${nameOf(target)} cannot be opened: ${reason}`, { cause: error });
  }
}

/** For people: a server's address without the credentials that may be in it. */
function nameOf(target: DatabaseTarget): string {
  if (target.kind === 'remote') return `at ${new URL(target.url).host}`;
  return target.kind === 'file' ? target.path : 'in memory';
}

function openLocal(
  target: { kind: 'memory' } | { kind: 'file'; path: string },
  durability: 'full' | 'normal',
): OpenDatabase {
  const path = target.kind === 'memory' ? ':memory:' : target.path;
  if (target.kind === 'file') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const local = openLocalDatabase(path, durability);
  const client = new LocalClient(local);
  return { db: drizzle(client), local, close: () => client.close() };
}

async function openRemote(target: { url: string; authToken: string | undefined }): Promise<OpenDatabase> {
  // Loaded only here: the HTTP client is not needed beside an embedded database.
  const [{ createClient }, { drizzle: drizzleRemote }] = await Promise.all([
    import('@libsql/client/http'),
    import('drizzle-orm/libsql/http'),
  ]);
  const client = createClient({
    url: target.url,
    ...(target.authToken && { authToken: target.authToken }),
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(REMOTE_PATIENCE_MS) }),
  });
  return { db: drizzleRemote(client), local: undefined, close: () => client.close() };
}
