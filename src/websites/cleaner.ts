import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { imports, websites } from '../db/schema.ts';
import { createImportedEvents, type ImportedEvents } from '../log/imported-events.ts';
import { PAUSE_MS_MIN, STEP_ROWS } from '../log/removal-steps.ts';
import { createEventRemover, type EventRemover } from '../log/remover.ts';
import { createSums } from '../sums/store.ts';
import { withSums } from '../sums/with-sums.ts';
import { DAY_MS, MINUTE_MS } from '../vocabulary/durations.ts';
import { pauseInBackground } from './pause.ts';

type Options = {
  db: Db;
  now: () => number;
  /** How many events one step removes at most. */
  stepRows?: number;
  /** Replaces the default, which removes from the database. */
  eventRemover?: EventRemover | undefined;
  imported?: ImportedEvents | undefined;
  /** Waits, at most until the signal is given. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Called when events of a website were removed: the log lists the removal for derived tables. */
  onRemoved?: () => void;
  /** Called for each failed step, which is tried again. */
  onError: (error: unknown) => void;
};

type Cleaner = {
  /**
   * Starts a run, after a deletion, at start-up, and every hour. Callers need not wait: it never rejects, and resolves when
   * everything is removed or the cleaner was closed.
   */
  wake(): Promise<void>;
  /** Resolves when the step at work is done; the database is not touched afterwards. */
  close(): Promise<void>;
};

const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = MINUTE_MS;

/**
 * Removes in the background, in bounded steps: first deleted websites, then undone imports, then events that are older
 * than their website keeps. One after the other, because each leaves ingest half of the time.
 */
export function createCleaner(options: Options): Cleaner {
  const { db, now, stepRows = STEP_ROWS, pause = pauseInBackground, onRemoved, onError } = options;
  const store = createCleanerStore(db);
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Aborted: there may be something to remove. */
  let woken = new AbortController();
  let isRunning = false;
  let run = Promise.resolve();
  const remover = options.eventRemover ?? createEventRemover({ db, stepRows, rest });
  const sums = createSums({ db, stepRows, rest });
  const imported = withSums(options.imported ?? createImportedEvents({ db, stepRows, rest }), sums);

  function wake(): Promise<void> {
    woken.abort();
    if (isRunning || signal.aborted) return run;
    isRunning = true;
    run = work();
    return run;
  }

  async function close(): Promise<void> {
    stopping.abort();
    await run;
  }

  /** Runs until nothing is left. Never rejects: most callers do not wait for it. */
  async function work(): Promise<void> {
    for (let retryMs = RETRY_MS_MIN; woken.signal.aborted && !signal.aborted; ) {
      woken = new AbortController();
      await pause(PAUSE_MS_MIN, signal); // the answer to the deletion goes first
      const areDone = [await isDone(removeDeleted), await isDone(removeUndone), await isDone(removeOld)];
      if (areDone.every(Boolean)) {
        retryMs = RETRY_MS_MIN;
      } else {
        await pause(retryMs, AbortSignal.any([signal, woken.signal])); // a new deletion does not wait for it
        woken.abort();
        retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
      }
    }
    isRunning = false;
  }

  async function isDone(remove: () => Promise<void>): Promise<boolean> {
    try {
      signal.throwIfAborted();
      await remove();
      return true;
    } catch (error) {
      if (!signal.aborted) onError(error);
      return false;
    }
  }

  /**
   * Removes the events of each deleted website, then the derived data and its row. No event can arrive in between, because
   * the writer checks the tombstone in its own transaction. The tombstones are the list of pending work, so a run continues
   * where an interrupted one stopped.
   */
  async function removeDeleted(): Promise<void> {
    await store.deleteOwnerless();
    for (;;) {
      const key = await store.findDeleted();
      if (key === undefined) return;
      await remover.removeAll(key);
      await sums.removeAll(key);
      await store.removeWebsite(key);
      onRemoved?.();
    }
  }

  /** Carries out undos that were ordered, also of a process that has ended. */
  async function removeUndone(): Promise<void> {
    for (;;) {
      const key = await store.findUndone();
      if (key === undefined) return;
      await imported.remove(key);
      await store.removeImport(key);
      onRemoved?.();
    }
  }

  /** Whole UTC days go, up to a day later than asked: the log says what was removed by such days. */
  async function removeOld(): Promise<void> {
    const today = Math.floor(now() / DAY_MS);
    for (const key of await store.listBounded()) {
      if (woken.signal.aborted) return; // websites deleted since go before the next one
      signal.throwIfAborted();
      const retentionDays = await store.findRetention(key); // it may keep more since the list was made
      if (retentionDays === null) continue;
      const beforeDay = today - retentionDays;
      if (!(await remover.hasBefore(key, beforeDay))) continue;
      await remover.removeBefore(key, beforeDay);
      onRemoved?.();
    }
  }

  async function rest(ms: number): Promise<void> {
    await pause(ms, signal);
    signal.throwIfAborted();
  }

  return { wake, close };
}

function createCleanerStore(db: Db) {
  return {
    /** Deletes websites whose account was deleted while they were being created. */
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

    async findUndone(): Promise<number | undefined> {
      const [row] = await db
        .select({ key: imports.key })
        .from(imports)
        .where(eq(imports.state, 'undoing'))
        .orderBy(asc(imports.key))
        .limit(1);
      return row?.key;
    },

    async removeImport(key: number): Promise<void> {
      await db.delete(imports).where(eq(imports.key, key));
    },

    /** Keys of websites with a retention period, unbounded: an account has few websites. */
    async listBounded(): Promise<number[]> {
      const rows = await db
        .select({ key: websites.key })
        .from(websites)
        .where(and(isNotNull(websites.retentionDays), isNull(websites.deletedAtMs)))
        .orderBy(asc(websites.key));
      return rows.map(({ key }) => key);
    },

    /** Null: it keeps everything, or is gone. */
    async findRetention(key: number): Promise<number | null> {
      const [row] = await db
        .select({ retentionDays: websites.retentionDays })
        .from(websites)
        .where(eq(websites.key, key));
      return row?.retentionDays ?? null;
    },
  };
}
