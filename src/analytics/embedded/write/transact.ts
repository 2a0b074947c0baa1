import { INGEST_PAUSE_MS, withBusyRetry } from '../../../db/busy.ts';
import { inTransaction } from '../../../db/in-transaction.ts';
import type { LocalDatabase } from '../../../db/local-database.ts';
import { discardYoung } from '../../../process/garbage.ts';
import { createStates, STATES } from './state.ts';

/**
 * Runs work in one transaction, waiting while another connection writes. It is synchronous between BEGIN and COMMIT.
 *
 * @param afterwards runs synchronously after the commit; code that awaits the promise runs later
 */
export function transact(
  database: LocalDatabase,
  work: () => void,
  afterwards: () => void = () => {},
): Promise<void> {
  return withBusyRetry(() => {
    inTransaction(database, 'write', work);
    afterwards();
  });
}

/**
 * Forces earlier commits to disk. Otherwise this connection does not wait for the disk, as derived data can be derived
 * again. Erased data, however, must not return after a power failure.
 */
export async function syncCommits(database: LocalDatabase): Promise<void> {
  database.exec('PRAGMA synchronous = FULL');
  try {
    const states = createStates(database);
    await transact(database, () => states.write(STATES.synced, 1));
  } finally {
    database.exec('PRAGMA synchronous = NORMAL');
  }
}

/** Rows per transaction: a few milliseconds, so that ingest hardly waits. */
const ROWS_A_TRANSACTION = 500;
const WRITE_GARBAGE_BYTES = 1_000;
/** Pause between transactions, longer than that of ingest, which must find the lock free once in between. */
const BETWEEN_MS = 2 * INGEST_PAUSE_MS;

/** Runs many small writes in several short transactions. Each must be idempotent. */
export async function transactInSteps(database: LocalDatabase, writes: Iterable<() => void>): Promise<void> {
  let step: (() => void)[] = [];
  const commit = () =>
    transact(database, () => {
      for (const write of step) write();
    });
  for (const write of writes) {
    step.push(write);
    if (step.length < ROWS_A_TRANSACTION) continue;
    await commit();
    step = [];
    discardYoung(ROWS_A_TRANSACTION * WRITE_GARBAGE_BYTES);
    await Bun.sleep(BETWEEN_MS);
  }
  if (step.length > 0) await commit();
}
