import { DAY_MS } from '../vocabulary/durations.ts';
import { createSteps, type StepOptions } from './removal-steps.ts';

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

const THOSE = 'FROM events WHERE website_key = ? AND created_at_ms < ?';
const OLDEST = `SELECT key ${THOSE} ORDER BY created_at_ms, key LIMIT ?`;

export function createEventRemover(options: StepOptions): EventRemover {
  const { $client: client } = options.db;
  const takeSteps = createSteps(options);

  const remove = (websiteKey: number, beforeDay: number | null) =>
    takeSteps((rows) => removeStep(websiteKey, beforeDay, rows));

  /** @returns whether some are left */
  async function removeStep(websiteKey: number, beforeDay: number | null, rows: number): Promise<boolean> {
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
