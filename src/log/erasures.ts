import { setTimeout as sleep } from 'node:timers/promises';
import type { LogConnection, Statement } from './connection.ts';
import { keysIn, toKeyLists } from './key-list.ts';

/** A list is followed by a pause of its own length, within these: those who append get half of the time. */
const PAUSE_MS_MIN = 4; // longer than ingest pauses (INGEST_PAUSE_MS): it must meet the lock free once
const PAUSE_MS_MAX = 1_000;

const FIRST = 'FROM erasures ORDER BY key LIMIT 1';
const WEBSITE = `(SELECT website_key ${FIRST})`;
/** The sign keeps SQLite from the index on websites. */
const THOSE = `key IN (${keysIn(`(SELECT events ${FIRST})`)}) AND +website_key = ${WEBSITE}`;

/** Takes the first list: its events go, their counts, and the list, which becomes a removal. */
const TAKE_FIRST: Statement[] = [
  `UPDATE event_counts SET count = count -
    (SELECT count(*) FROM events WHERE ${THOSE} AND +events.type = event_counts.type) WHERE website_key = ${WEBSITE}`,
  `DELETE FROM events WHERE ${THOSE}`,
  `INSERT INTO removals (website_key, events, removed_at_ms) SELECT website_key, events, unixepoch() * 1000 ${FIRST}`,
  'DELETE FROM erasures WHERE key = (SELECT min(key) FROM erasures)',
  // In this transaction and not before it: a replica may not know yet what was written just now.
  'SELECT count(*) FROM erasures',
].map((sql) => ({ sql, args: [] }));

/**
 * Erases single events. All keys are recorded at once, as lists; then each list is deleted with its events in a transaction
 * of its own, and becomes a removal that followers of the log read.
 *
 * The lists contain everything needed to continue, so any process can: after a crash, or when the one that ordered the
 * erasure has ended. Two at the same time do no harm: each takes the next list.
 */
export function createErasures({ write }: LogConnection) {
  async function order(websiteKey: number, keys: readonly number[]): Promise<void> {
    if (keys.length === 0) return;
    await write(
      toKeyLists(keys).map((list) => ({
        sql: 'INSERT INTO erasures (website_key, events) VALUES (?, ?)',
        args: [websiteKey, list],
      })),
    );
  }

  async function carryOut(deadlineMs: number): Promise<boolean> {
    for (;;) {
      const startedMs = performance.now();
      const results = await write(TAKE_FIRST);
      const endedMs = performance.now();
      if (Number(results.at(-1)?.[0]?.[0] ?? 0) === 0) return true;
      if (endedMs > deadlineMs) return false;
      await sleep(Math.min(Math.max(endedMs - startedMs, PAUSE_MS_MIN), PAUSE_MS_MAX));
    }
  }

  return { order, carryOut };
}
