import { ConnectionPool } from '@libsql/client/sqlite3';
import Database from 'libsql';
import { BUSY_PATIENCE_MS } from './busy.ts';

/**
 * The one SQLite connection of this process. All statements run to completion before the event loop turns, and no
 * transaction stays open across an `await`, so one connection serves the API, the writer and Drizzle alike.
 */

export type LocalDatabase = Database.Database;

/** The settings of each connection, with their reasons. `path` is a file or `:memory:`. */
export function openLocalDatabase(path: string, durability: 'full' | 'normal'): LocalDatabase {
  const database = new Database(path);
  routeTransactionControl(database);
  // Nothing is served yet, so a file that another process holds for a moment is waited for inside SQLite.
  database.exec(`PRAGMA busy_timeout = ${BUSY_PATIENCE_MS}`);
  if (path !== ':memory:') database.exec('PRAGMA journal_mode = WAL'); // readers never wait for the writer
  // FULL: the log is synced at each commit, so an acknowledged event survives a power cut. NORMAL: at checkpoints.
  database.exec(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  database.exec('PRAGMA foreign_keys = ON');
  database.exec('PRAGMA trusted_schema = OFF'); // a schema calls functions without side effects only
  // Deleted data is overwritten with zeros, in free pages too. Ingest only appends, so it costs nothing there.
  database.exec('PRAGMA secure_delete = ON');
  // Bounds the write-ahead log: 1,000 pages of 4 KiB, copied into the database by the commit that passes it.
  // Measured at 64 connections: 31,000 requests/s, with 300 or 500 pages 28,000, with 2,000 28,000, with 8,000 26,000.
  database.exec('PRAGMA wal_autocheckpoint = 1000');
  database.exec('PRAGMA journal_size_limit = 67108864');
  database.exec('PRAGMA cache_size = -8192'); // 8 MiB
  database.exec('PRAGMA temp_store = MEMORY');
  // From here on a wait inside SQLite would block the event loop; writers wait outside of it (withBusyRetry).
  database.exec('PRAGMA busy_timeout = 0');
  return database;
}

/** Brings the write-ahead log into the file first, so that the file alone is the whole database. */
function closeLocalDatabase(database: LocalDatabase): void {
  if (!database.open) return;
  if (database.memory) return void database.close();
  Bun.gc(true); // finishes statements that returned one row: they would keep reading, and keep the log in use
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Another process reads: the log stays, and the next start merges it.
  }
  database.close();
}

const TRANSACTION_CONTROL = /^\s*(BEGIN|COMMIT|END|ROLLBACK|SAVEPOINT|RELEASE)\b/i;

/**
 * Works around a bug of libSQL: a *prepared* BEGIN that finds the database locked stays unfinished until a garbage
 * collection, and until then every later write on the connection is reported as done but is not. `exec` finishes the
 * statement either way, so transaction control goes through it.
 */
function routeTransactionControl(database: LocalDatabase): void {
  const prepare = database.prepare.bind(database);
  // The declared type is conditional on the parameters' type, which a plain function cannot follow.
  database.prepare = ((sql: string) =>
    TRANSACTION_CONTROL.test(sql)
      ? controlStatement(database, sql)
      : prepare(sql)) as typeof database.prepare;
}

function controlStatement(database: LocalDatabase, sql: string): Database.Statement {
  const statement = {
    safeIntegers: () => statement,
    raw: () => {
      throw new TypeError('This statement returns no data.');
    },
    run: () => {
      database.exec(sql);
      return { changes: 0, lastInsertRowid: 0 };
    },
  };
  // The three methods that @libsql/client calls on a statement that returns no rows.
  return statement as unknown as Database.Statement;
}

/** Hands the one connection to every caller of @libsql/client. */
export class SharedConnection extends ConnectionPool {
  readonly #database: LocalDatabase;

  constructor(database: LocalDatabase) {
    super('', {}, 1); // the parent opens nothing by itself: acquire is ours
    this.#database = database;
  }
  override acquire(): Promise<LocalDatabase> {
    return Promise.resolve(this.#database);
  }
  override acquireSync(): LocalDatabase {
    return this.#database;
  }
  override release(): void {
    // A batch that failed half-way leaves its transaction open.
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }
  override close(): void {
    closeLocalDatabase(this.#database);
  }
}
