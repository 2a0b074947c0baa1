import { setTimeout as sleep } from 'node:timers/promises';
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { eventCounts, events, removals } from '../db/schema.ts';

type Options = {
  db: Db;
  /** Says in `removals` what it has removed, for the other processes that derive figures from the log. */
  isShared: boolean;
  /** How many events one statement removes at most. */
  stepRows: number;
  /** Waits between steps; rejects when it is time to stop. */
  rest: (ms: number) => Promise<void>;
};

/** Removes the events of a website, or those before an instant, oldest first. Resolves when none is left. */
type EventRemover = (websiteKey: number, beforeMs?: number) => Promise<void>;

export const STEP_ROWS = 2_000;
const STEP_ROWS_MIN = 100;
/** A statement holds the event loop. One that takes longer than this is followed by a smaller one. */
const STEP_MS = 25;
/** A step is followed by a pause of its own length, within these: ingest gets half of the time or more. */
export const PAUSE_MS_MIN = 5;
const PAUSE_MS_MAX = 1_000;
const DAY_MS = 86_400_000;

/** Many events go in bounded steps that do not stall ingest (D15). */
export function createEventRemover({ db, isShared, stepRows, rest }: Options): EventRemover {
  let rows = stepRows;
  return async (websiteKey, beforeMs) => {
    for (let isMore = true; isMore; ) {
      const startedMs = performance.now();
      const removed = await removeStep(db, { websiteKey, beforeMs, limit: rows, isShared });
      const tookMs = performance.now() - startedMs;
      isMore = removed === rows;
      rows = clamp(Math.floor((rows * STEP_MS) / tookMs), Math.min(STEP_ROWS_MIN, stepRows), stepRows);
      await rest(clamp(tookMs, PAUSE_MS_MIN, PAUSE_MS_MAX));
    }
  };
}

type Step = { websiteKey: number; beforeMs: number | undefined; limit: number; isShared: boolean };

/** @returns how many were removed: fewer than the limit when none is left */
async function removeStep(db: Db, { websiteKey, beforeMs, limit, isShared }: Step): Promise<number> {
  const oldest = db
    .select({ key: events.key })
    .from(events)
    .where(
      and(
        eq(events.websiteKey, websiteKey),
        beforeMs === undefined ? undefined : lt(events.createdAtMs, beforeMs),
      ),
    )
    .orderBy(asc(events.createdAtMs), asc(events.key))
    .limit(limit);
  const counted = db
    .select({ count: sql`count(*)` })
    .from(events)
    .where(and(inArray(events.key, oldest), eq(events.type, eventCounts.type)));
  const countDown = db
    .update(eventCounts)
    .set({ count: sql`${eventCounts.count} - (${counted})` })
    .where(eq(eventCounts.websiteKey, websiteKey));
  const remove = db.delete(events).where(inArray(events.key, oldest));
  if (!isShared) return (await db.batch([countDown, remove]))[1].rowsAffected;
  const beforeDay = beforeMs === undefined ? null : Math.ceil(beforeMs / DAY_MS);
  const record = db.insert(removals).values({ websiteKey, beforeDay, removedAtMs: Date.now() });
  return (await db.batch([countDown, remove, record]))[1].rowsAffected;
}

/** Ends early with the signal. Does not keep the process from ending. */
export function pauseInBackground(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleep(ms, undefined, { ref: false, signal }).catch(() => {}); // it rejects only for the signal
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
