import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { websites } from '../db/schema.ts';
import { createEventRemover, type EventRemover, PAUSE_MS_MIN, STEP_ROWS } from '../log/remover.ts';
import { pauseInBackground } from './pause.ts';

type Options = {
  db: Db;
  /** How many events one step removes at most. */
  stepRows?: number;
  /** In place of the one that removes from the database. */
  eventRemover?: EventRemover | undefined;
  /** Waits, at most until the signal is given. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Told when the events of a website are gone: whoever derives something from the log finds it there. */
  onRemoved?: () => void;
  /** Told of each failed step; it is tried again. */
  onError?: (error: unknown) => void;
};

type Purger = {
  /**
   * Says that there may be something to remove: after a deletion, and at start-up. Nobody needs to wait: resolves, and
   * never rejects, when nothing is left or the purger was closed.
   */
  wake(): Promise<void>;
  /** Resolves when the step at work is done; the database is not touched afterwards. */
  close(): Promise<void>;
};

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = 60_000;

/**
 * Removes deleted websites in the background: their events in bounded steps, then what was derived from them
 * and the row of the website itself. No event can arrive meanwhile, because the writer looks for the tombstone in
 * the transaction that it writes in. The tombstones are the list of what is to do, so a run goes on where the one
 * before was cut off.
 */
export function createPurger({
  db,
  stepRows = STEP_ROWS,
  eventRemover,
  pause = pauseInBackground,
  onRemoved,
  onError,
}: Options): Purger {
  const store = createPurgeStore(db);
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWanted = false;
  let isRunning = false;
  let run = Promise.resolve();
  const remover = eventRemover ?? createEventRemover({ db, stepRows, rest });

  function wake(): Promise<void> {
    isWanted = true;
    if (isRunning || signal.aborted) return run;
    isRunning = true;
    run = work();
    return run;
  }

  async function close(): Promise<void> {
    stopping.abort();
    await run;
  }

  /** Never rejects: hardly anybody waits for it. */
  async function work(): Promise<void> {
    for (let retryMs = RETRY_MS_MIN; isWanted && !signal.aborted; ) {
      try {
        isWanted = false;
        await rest(PAUSE_MS_MIN); // the answer to the deletion goes first
        await removeAll();
        retryMs = RETRY_MS_MIN;
      } catch (error) {
        isWanted = true;
        if (!signal.aborted) onError?.(error);
        await pause(retryMs, signal);
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      }
    }
    isRunning = false;
  }

  /** @throws what a step throws, and an AbortError once it is closed */
  async function removeAll(): Promise<void> {
    await store.deleteOwnerless();
    for (;;) {
      const key = await store.findDeleted();
      if (key === undefined) return;
      await remover.removeAll(key);
      await store.removeWebsite(key);
      onRemoved?.();
    }
  }

  async function rest(ms: number): Promise<void> {
    await pause(ms, signal);
    signal.throwIfAborted();
  }

  return { wake, close };
}

function createPurgeStore(db: Db) {
  return {
    /** Those whose account went while they were being created. */
    async deleteOwnerless(): Promise<void> {
      await db
        .update(websites)
        .set({ deletedAtMs: sql`unixepoch() * 1000` })
        .where(and(isNull(websites.userId), isNull(websites.deletedAtMs)));
    },

    async findDeleted(): Promise<number | undefined> {
      const [row] = await db
        .select({ key: websites.key })
        .from(websites)
        .where(isNotNull(websites.deletedAtMs))
        .orderBy(asc(websites.key))
        .limit(1);
      return row?.key;
    },

    async removeWebsite(key: number): Promise<void> {
      await db.delete(websites).where(eq(websites.key, key));
    },
  };
}
