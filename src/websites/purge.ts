import { and, asc, eq, isNotNull, isNull, notExists, or } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { eventCounts, events, websites } from '../db/schema.ts';
import { createEventRemover, PAUSE_MS_MIN, pauseInBackground, STEP_ROWS } from '../log/remove-events.ts';

type Options = {
  db: Db;
  /** Whether other processes derive figures from the same log. */
  isShared?: boolean;
  /** How many events one statement removes at most. */
  stepRows?: number;
  /** Waits, at most until the signal is given. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Told when the events of a website are gone: what was derived from them has to go as well. */
  forget?: (websiteKey: number) => Promise<void>;
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
 * Removes deleted websites in the background (D15): their events in bounded steps, then what was derived from them
 * and the row of the website itself. No event can arrive meanwhile, because the writer looks for the tombstone in
 * the transaction that it writes in. The tombstones are the list of what is to do, so a run goes on where the one
 * before was cut off.
 */
export function createPurger({
  db,
  isShared = false,
  stepRows = STEP_ROWS,
  pause = pauseInBackground,
  forget,
  onError,
}: Options): Purger {
  const store = createPurgeStore(db);
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWanted = false;
  let isRunning = false;
  let run = Promise.resolve();
  const removeEvents = createEventRemover({ db, isShared, stepRows, rest });

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
    for (;;) {
      const key = await store.findDeleted();
      if (key === undefined) return;
      await removeEvents(key);
      await forget?.(key);
      await store.removeWebsite(key);
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
    /** A deleted one, or one whose account went while it was being created. */
    async findDeleted(): Promise<number | undefined> {
      const [row] = await db
        .select({ key: websites.key })
        .from(websites)
        .where(or(isNotNull(websites.deletedAtMs), isNull(websites.userId)))
        .orderBy(asc(websites.key))
        .limit(1);
      return row?.key;
    },

    /** With the counts of its events. Unless one has arrived after all: then it is found once more. */
    async removeWebsite(key: number): Promise<void> {
      const itsEvents = db.select({ key: events.key }).from(events).where(eq(events.websiteKey, key));
      await db.batch([
        db.delete(eventCounts).where(and(eq(eventCounts.websiteKey, key), notExists(itsEvents))),
        db.delete(websites).where(and(eq(websites.key, key), notExists(itsEvents))),
      ]);
    },
  };
}
