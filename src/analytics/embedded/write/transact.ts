import { INGEST_PAUSE_MS, withBusyRetry } from '../../../db/busy.ts';
import { inTransaction } from '../../../db/in-transaction.ts';
import type { LocalDatabase } from '../../../db/local-database.ts';
import { discardYoung } from '../../../process/garbage.ts';
import { createStates, STATES } from './state.ts';

/**
 * All or nothing, with patience while another connection writes. Without an `await` between BEGIN and COMMIT.
 *
 * @param afterwards run at once when it is committed: whoever awaits the promise goes on after others
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
 * Afterwards all that was committed is on the disk. This connection does not wait for that otherwise: what is derived can
 * be derived again, but what was erased must not come back with a power cut.
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

/** Rows in one transaction: a few milliseconds, so that ingest hardly waits. */
const ROWS_A_TRANSACTION = 500;
const WRITE_GARBAGE_BYTES = 1_000;
/** Longer than ingest pauses: it must meet the lock free once between two transactions. */
const BETWEEN_MS = 2 * INGEST_PAUSE_MS;

/** Runs many small writes in several short transactions. Each of them must be harmless when run again. */
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
