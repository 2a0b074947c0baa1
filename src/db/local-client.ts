import type { InArgs, InStatement, ResultSet, TransactionMode } from '@libsql/client/sqlite3';
import { Sqlite3Client } from '@libsql/client/sqlite3';
import { sqliteCode, withBusyRetry } from './busy.ts';
import { type LocalDatabase, SharedConnection } from './local-database.ts';

const READS_ONLY = /^\s*(SELECT|PRAGMA|EXPLAIN)\b/i;

/**
 * The client that Drizzle works through: one shared connection, and patience when another process holds the lock.
 *
 * A prepared statement that fails with SQLITE_BUSY stays half-run in libSQL, and later writes on the connection are
 * then reported as done but not committed. So a write runs inside a transaction whose BEGIN IMMEDIATE is the one
 * statement that can meet the lock, and that one goes through `exec` (see local-database).
 */
export class LocalClient extends Sqlite3Client {
  constructor(database: LocalDatabase) {
    super(new SharedConnection(database), 'number');
  }

  override async execute(statement: InStatement | string, args?: InArgs): Promise<ResultSet> {
    const { sql, args: given = [] } = typeof statement === 'string' ? { sql: statement, args } : statement;
    if (READS_ONLY.test(sql)) return withBusyRetry(() => this.#read(sql, given));
    const [result] = await this.batch([{ sql, args: given }], 'write');
    if (!result) throw new Error('A batch of one statement returned no result.');
    return result;
  }

  /** All or nothing. Takes the write lock at the start, so that it cannot fail half-way for want of it. */
  override batch(
    statements: Array<InStatement | [string, InArgs?]>,
    mode: TransactionMode = 'write',
  ): Promise<Array<ResultSet>> {
    return withBusyRetry(() => super.batch(statements, mode));
  }

  async #read(sql: string, args: InArgs): Promise<ResultSet> {
    try {
      return await super.execute({ sql, args });
    } catch (error) {
      // Rare in WAL mode (recovery, VACUUM). Collecting the statement is what finishes it.
      if (sqliteCode(error) === 'SQLITE_BUSY') Bun.gc(true);
      throw error;
    }
  }
}
