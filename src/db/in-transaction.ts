import type { LocalDatabase } from './local-database.ts';

/**
 * All or nothing. Without an `await` between BEGIN and COMMIT, so nothing else of this process can come in between.
 *
 * @throws what `work` throws, and SQLITE_BUSY while another connection writes (see withBusyRetry)
 */
export function inTransaction<Result>(
  database: LocalDatabase,
  mode: 'read' | 'write',
  work: () => Result,
): Result {
  database.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE'); // by exec, never prepared: see local-database
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
