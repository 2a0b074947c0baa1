import type { Db } from '../db/open.ts';
import { DAY_MS } from '../vocabulary/durations.ts';

type Options = {
  db: Db;
  /** How many events one step removes at most. */
  stepRows: number;
  /** Waits between steps; rejects when it is time to stop. */
  rest: (ms: number) => Promise<void>;
};

/**
 * Removes many events in bounded steps that do not stall ingest, oldest first. The last step writes to `removals`: derived
 * tables must not lack existing events, but may contain removed ones for a while.
 */
export type EventRemover = {
  hasBefore(websiteKey: number, beforeDay: number): Promise<boolean>;
  /** The events of a website before a UTC day (days since 1970). Resolves when none is left. */
  removeBefore(websiteKey: number, beforeDay: number): Promise<void>;
  /** Removes all events of a website, and their counts, once no more can be appended. */
  removeAll(websiteKey: number): Promise<void>;
};

export const STEP_ROWS = 2_000;
const STEP_ROWS_MIN = 100;
/** A step holds the lock that ingest needs. One that takes longer than this is followed by a smaller one. */
const STEP_MS = 25;
/** A step is followed by a pause of its own length, within these: ingest gets half of the time or more. */
export const PAUSE_MS_MIN = 5;
const PAUSE_MS_MAX = 1_000;

const THOSE = 'FROM events WHERE website_key = ? AND created_at_ms < ?';
const OLDEST = `SELECT key ${THOSE} ORDER BY created_at_ms, key LIMIT ?`;

export function createEventRemover({ db, stepRows, rest }: Options): EventRemover {
  const { $client: client } = db;
  let rows = stepRows;

  async function remove(websiteKey: number, beforeDay: number | null): Promise<void> {
    for (let isMore = true; isMore; ) {
      const startedMs = performance.now();
      isMore = await removeStep(websiteKey, beforeDay);
      const tookMs = performance.now() - startedMs;
      rows = clamp(Math.floor((rows * STEP_MS) / tookMs), Math.min(STEP_ROWS_MIN, stepRows), stepRows);
      await rest(clamp(tookMs, PAUSE_MS_MIN, PAUSE_MS_MAX));
    }
  }

  /** @returns whether some are left */
  async function removeStep(websiteKey: number, beforeDay: number | null): Promise<boolean> {
    const those = [websiteKey, toMs(beforeDay)];
    const results = await client.batch(
      [
        {
          sql: `UPDATE event_counts SET count = count -
            (SELECT count(*) FROM events WHERE key IN (${OLDEST}) AND events.type = event_counts.type) WHERE website_key = ?`,
          args: [...those, rows, websiteKey],
        },
        { sql: `DELETE FROM events WHERE key IN (${OLDEST})`, args: [...those, rows] },
        {
          sql: `INSERT INTO removals (website_key, before_day, removed_at_ms)
            SELECT ?, ?, unixepoch() * 1000 WHERE NOT EXISTS (SELECT 1 ${THOSE})`,
          args: [websiteKey, beforeDay, ...those],
        },
      ],
      'write',
    );
    return results.at(-1)?.rowsAffected === 0;
  }

  return {
    async hasBefore(websiteKey, beforeDay) {
      const args = [websiteKey, toMs(beforeDay)];
      return (await client.execute({ sql: `SELECT 1 ${THOSE} LIMIT 1`, args })).rows.length > 0;
    },
    removeBefore: remove,
    async removeAll(websiteKey) {
      await remove(websiteKey, null);
      await client.execute({ sql: 'DELETE FROM event_counts WHERE website_key = ?', args: [websiteKey] });
    },
  };
}

function toMs(beforeDay: number | null): number {
  return beforeDay === null ? Number.MAX_SAFE_INTEGER : beforeDay * DAY_MS;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
