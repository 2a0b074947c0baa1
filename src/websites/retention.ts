import { and, asc, isNotNull, isNull } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { websites } from '../db/schema.ts';
import { DAY_MS } from '../durations.ts';
import { createEventRemover, type EventRemover, STEP_ROWS } from '../log/remover.ts';
import { pauseInBackground } from './pause.ts';

type Options = {
  db: Db;
  now: () => number;
  /** Told when events were removed: whoever derives something from the log finds it there. */
  onRemoved?: () => void;
  /** Told of a run that failed; the next one begins anew. */
  onError: (error: unknown) => void;
  /** How many events one step removes at most. */
  stepRows?: number;
  /** In place of the one that removes from the database. */
  eventRemover?: EventRemover | undefined;
  /** Waits, at most until the signal is given. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

type Retention = {
  /** Removes what is older than websites keep. Resolves when all of it is gone; a run at work is waited for. */
  run(): Promise<void>;
  /** Resolves when the step at work is done; the database is not touched afterwards. */
  close(): Promise<void>;
};

/**
 * Removes events that are older than their website keeps. Whole UTC days go, up to a day later than asked: the log
 * says what was removed by such days.
 */
export function createRetention(options: Options): Retention {
  const { db, now, onRemoved, onError, stepRows = STEP_ROWS } = options;
  const { pause = pauseInBackground } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const remover = options.eventRemover ?? createEventRemover({ db, stepRows, rest });
  let running: Promise<void> | undefined;

  async function rest(ms: number): Promise<void> {
    await pause(ms, signal);
    signal.throwIfAborted();
  }

  async function work(): Promise<void> {
    const nowMs = now();
    for (const { key, retentionDays } of await findBounded(db)) {
      signal.throwIfAborted();
      const beforeDay = Math.floor(nowMs / DAY_MS) - (retentionDays ?? 0);
      if (!(await remover.hasBefore(key, beforeDay))) continue;
      await remover.removeBefore(key, beforeDay);
      onRemoved?.();
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
