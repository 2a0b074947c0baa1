import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, InStatement } from '@libsql/client/sqlite3';
import { sendPatiently } from '../db/send-patiently.ts';
import type { KeysByDay } from './collect-selected.ts';
import { keysIn, toKeyLists } from './key-lists.ts';
import { removeWhere } from './remote-erase.ts';

/** A step is followed by a pause of its own length, up to this: those who write get half of the time. */
const PAUSE_MS_MAX = 1_000;
const FIRST = 'FROM erasures ORDER BY key LIMIT 1';

/**
 * Erasures by a filter in the log on a server. What goes is written down there at once, as lists of keys; then each
 * list goes in a transaction of its own, with its events, and becomes a record from which every process learns of it.
 *
 * The lists are all that is needed to go on, so whoever finds one may: the process that ordered it, after a lost
 * connection, or any other when that one is gone. Both at the same time do no harm, nor does an attempt whose answer
 * was lost and that is made again: it takes the next list, or finds none.
 */
export function createRemoteErasures(client: Client) {
  /** From here on these events go, whatever happens. */
  async function order(websiteKey: number, byDay: KeysByDay): Promise<void> {
    const statements = toKeyLists(byDay).map((events) => ({
      sql: 'INSERT INTO erasures (website_key, events) VALUES (?, ?)',
      args: [websiteKey, events],
    }));
    await sendPatiently(() => client.batch(statements, 'write'));
  }

  /** @returns false when the deadline came before the last list */
  async function carryOut(deadlineMs: number): Promise<boolean> {
    for (;;) {
      const startedMs = performance.now();
      const results = await sendPatiently(() => client.batch(takeFirst(), 'write'));
      const endedMs = performance.now();
      if (Number(results.at(-1)?.rows[0]?.rest ?? 0) === 0) return true;
      if (endedMs > deadlineMs) return false;
      await sleep(Math.min(endedMs - startedMs, PAUSE_MS_MAX));
    }
  }

  return { order, carryOut };
}

function takeFirst(): InStatement[] {
  return [
    ...removeWhere(
      { sql: `(SELECT website_key ${FIRST})`, args: [] },
      { sql: `key IN (${keysIn(`(SELECT events ${FIRST})`)})`, args: [] },
    ),
    {
      sql: `INSERT INTO removals (website_key, events, removed_at_ms) SELECT website_key, events, ? ${FIRST}`,
      args: [Date.now()],
    },
    { sql: 'DELETE FROM erasures WHERE key = (SELECT min(key) FROM erasures)', args: [] },
    // In this batch and not before it: a replica may not know yet what was written just now.
    { sql: 'SELECT count(*) AS rest FROM erasures', args: [] },
  ];
}

/** Notices work that nobody seems to be doing: the first list is the same for a while. */
export function createStallWatch(patienceMs: number, nowMs = () => performance.now()) {
  let seen: { list: number | undefined; sinceMs: number } | undefined;
  return (list: number | undefined): boolean => {
    if (list !== seen?.list) seen = { list, sinceMs: nowMs() };
    return list !== undefined && nowMs() - (seen?.sinceMs ?? nowMs()) > patienceMs;
  };
}
