import { and, asc, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { events, websites } from '../db/schema.ts';
import { createEventRemover, pauseInBackground, STEP_ROWS } from '../log/remove-events.ts';

type Options = {
  db: Db;
  /** Whether other processes derive figures from the same log. */
  isShared?: boolean;
  now: () => number;
  /** Told before events of a website are removed: those before an instant. */
  forget: (request: { websiteKey: number; beforeMs: number }) => Promise<void>;
  /** Told of a run that failed; the next one begins anew. */
  onError: (error: unknown) => void;
  /** How many events one statement removes at most. */
  stepRows?: number;
  /** Waits, at most until the signal is given. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

type Retention = {
  /** Removes what is older than websites keep. Resolves when all of it is gone; a run at work is waited for. */
  run(): Promise<void>;
  /** Resolves when the step at work is done; the database is not touched afterwards. */
  close(): Promise<void>;
};

const DAY_MS = 86_400_000;

/**
 * Removes events that are older than their website keeps. Whole UTC days go, up to a day later than asked: the
 * analytics keeps its summaries by such days, so none of them has to be made anew.
 */
export function createRetention(options: Options): Retention {
  const { db, isShared = false, now, forget, onError, stepRows = STEP_ROWS } = options;
  const { pause = pauseInBackground } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const removeEvents = createEventRemover({ db, isShared, stepRows, rest });
  let running: Promise<void> | undefined;

  async function rest(ms: number): Promise<void> {
    await pause(ms, signal);
    signal.throwIfAborted();
  }

  async function work(): Promise<void> {
    const nowMs = now();
    for (const { key, retentionDays } of await findBounded(db)) {
      signal.throwIfAborted();
      const beforeMs = (Math.floor(nowMs / DAY_MS) - (retentionDays ?? 0)) * DAY_MS;
      if (!(await hasEventsBefore(db, key, beforeMs))) continue;
      // First: cut off in between, the next run finds events that are too old, and says so again.
      await forget({ websiteKey: key, beforeMs });
      await removeEvents(key, beforeMs);
    }
  }

  return {
    run() {
      running ??= work()
        .catch((error) => {
          if (!signal.aborted) onError(error);
        })
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Without a limit: an account has few websites, and the list is only of those that keep less than everything. */
function findBounded(db: Db) {
  return db
    .select({ key: websites.key, retentionDays: websites.retentionDays })
    .from(websites)
    .where(and(isNotNull(websites.retentionDays), isNull(websites.deletedAtMs)))
    .orderBy(asc(websites.key));
}

async function hasEventsBefore(db: Db, websiteKey: number, beforeMs: number): Promise<boolean> {
  const [row] = await db
    .select({ key: events.key })
    .from(events)
    .where(and(eq(events.websiteKey, websiteKey), lt(events.createdAtMs, beforeMs)))
    .orderBy(asc(events.createdAtMs))
    .limit(1);
  return row !== undefined;
}
