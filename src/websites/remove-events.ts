import { setTimeout as sleep } from 'node:timers/promises';
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { eventCounts, events } from '../db/schema.ts';

type Options = {
  db: Db;
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

/** Many events go in bounded steps that do not stall ingest (D15). */
export function createEventRemover({ db, stepRows, rest }: Options): EventRemover {
  let rows = stepRows;
  return async (websiteKey, beforeMs) => {
    for (let isMore = true; isMore; ) {
      const startedMs = performance.now();
      const removed = await removeStep(db, websiteKey, beforeMs, rows);
      const tookMs = performance.now() - startedMs;
      isMore = removed === rows;
      rows = clamp(Math.floor((rows * STEP_MS) / tookMs), Math.min(STEP_ROWS_MIN, stepRows), stepRows);
      await rest(clamp(tookMs, PAUSE_MS_MIN, PAUSE_MS_MAX));
    }
  };
}

/** @returns how many were removed: fewer than the limit when none is left */
async function removeStep(
  db: Db,
  websiteKey: number,
  beforeMs: number | undefined,
  limit: number,
): Promise<number> {
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
  const [, { rowsAffected }] = await db.batch([
    db
      .update(eventCounts)
      .set({ count: sql`${eventCounts.count} - (${counted})` })
      .where(eq(eventCounts.websiteKey, websiteKey)),
    db.delete(events).where(inArray(events.key, oldest)),
  ]);
  return rowsAffected;
}

/** Ends early with the signal. Does not keep the process from ending. */
export function pauseInBackground(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleep(ms, undefined, { ref: false, signal }).catch(() => {}); // it rejects only for the signal
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
