import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Client } from '@libsql/client/sqlite3';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { drizzle } from 'drizzle-orm/libsql/sqlite3';
import type { DatabaseTarget } from '../settings/database.ts';
import { withBusyRetry } from './busy.ts';
import { examineDatabase, markAsOurs, requireUsableFile } from './examine.ts';
import { inTransaction } from './in-transaction.ts';
import { LocalClient } from './local-client.ts';
import { type LocalDatabase, openLocalDatabase } from './local-database.ts';
import { type BeforeMigrating, migrate } from './migrate.ts';
import { openRemoteClient, type RemoteTarget } from './remote-client.ts';
import { createLogSync } from './sync-log.ts';

/** Drizzle's face of the database. */
export type Db = LibSQLDatabase<Record<string, never>> & { $client: Client };

export type OpenDatabase = {
  db: Db;
  /** The raw connection under `db`; undefined for a remote database. */
  local: LocalDatabase | undefined;
  /** Brings the latest commits onto the disk; undefined where each does so itself, or no file is ours. */
  syncLog: (() => Promise<boolean>) | undefined;
  close(): void;
};

type OpenOptions = {
  /** Reason why the file must exist already, as a clause after a comma; undefined when it may be new. */
  mustHoldData?: string | undefined;
  beforeMigrating?: BeforeMigrating | undefined;
};

/**
 * Opens the database and brings its schema up to date, which is on the disk afterwards with either durability: the
 * secret is made next, and says at the next start that there must be a database.
 *
 * @throws Error naming the database and what SQLite or the server says, that it is newer than this version, damaged,
 *         read-only, another program's, or empty although it must not be
 */
export async function openDatabase(
  target: DatabaseTarget,
  durability: 'full' | 'normal',
  { mustHoldData, beforeMigrating }: OpenOptions = {},
): Promise<OpenDatabase> {
  let opened: OpenDatabase | undefined;
  try {
    if (target.kind === 'file') requireUsableFile(target.path, mustHoldData);
    opened = target.kind === 'remote' ? await openRemote(target) : openLocal(target, durability);
    const { db, local } = opened;
    if (local && target.kind === 'file') examineDatabase(local, statSync(target.path).size, mustHoldData);
    await withBusyRetry(() => migrate(db.$client, beforeMigrating));
    if (local) await withBusyRetry(() => inTransaction(local, 'write', () => markAsOurs(local)));
    if (local && durability === 'normal') local.exec('PRAGMA synchronous = NORMAL');
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
  const local = openLocalDatabase(path, 'full'); // until its tables are there
  const client = new LocalClient(local);
  const isSyncedLater = target.kind === 'file' && durability === 'normal';
  const syncLog = isSyncedLater ? createLogSync(local, path) : undefined;
  return { db: drizzle(client), local, syncLog, close: () => client.close() };
}

async function openRemote(target: RemoteTarget): Promise<OpenDatabase> {
  const client = await openRemoteClient(target);
  const { drizzle: drizzleRemote } = await import('drizzle-orm/libsql/http');
  return { db: drizzleRemote(client), local: undefined, syncLog: undefined, close: () => client.close() };
}
