import { withBusyRetry } from '../db/busy.ts';
import type { LocalDatabase } from '../db/local-database.ts';

/** All or nothing, with patience while another connection writes. Without an `await` between BEGIN and COMMIT. */
export function transact(database: LocalDatabase, work: () => void): Promise<void> {
  return withBusyRetry(() => {
    database.exec('BEGIN IMMEDIATE'); // by exec, never prepared: see local-database
    try {
      work();
      database.exec('COMMIT');
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  });
}

/** Rows in one transaction: a few milliseconds, so that ingest hardly waits. */
const ROWS_A_TRANSACTION = 500;

/** Runs many small writes in several short transactions. Each of them must be harmless when run again. */
export async function transactInSteps(
  database: LocalDatabase,
  writes: readonly (() => void)[],
): Promise<void> {
  for (let start = 0; start < writes.length; start += ROWS_A_TRANSACTION)
    await transact(database, () => {
      for (const write of writes.slice(start, start + ROWS_A_TRANSACTION)) write();
    });
}
