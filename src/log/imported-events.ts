import type { Db } from '../db/open.ts';
import { uuidToBytes } from '../db/packed-id.ts';
import { toRuns } from './key-list.ts';
import { createSteps, type StepOptions } from './removal-steps.ts';

/** Events that imports added, wherever the log is kept. */
export type ImportedEvents = {
  /** Counts the events that an import added and that are still there. */
  count(importKey: number): Promise<number>;
  /** Counts those of these ids (UUIDs) that are stored. */
  countStored(ids: readonly string[]): Promise<number>;
  /** Removes the events that an import added, once no more can be appended. Continues what was interrupted. */
  remove(importKey: number): Promise<void>;
};

const THOSE = 'FROM events WHERE import_key = ? ORDER BY key LIMIT ?';

/** In the order of their keys, so that a step holds neighbours in the table and in the segments. */
export function createImportedEvents(options: StepOptions): ImportedEvents {
  const { $client: client }: Db = options.db;
  const takeSteps = createSteps(options);

  async function removeStep(importKey: number, rows: number): Promise<boolean> {
    const those = [importKey, rows];
    const results = await client.batch(
      [
        {
          sql: `UPDATE event_counts SET count = count - (SELECT count(*) FROM (SELECT website_key, type ${THOSE}) AS gone
            WHERE gone.website_key = event_counts.website_key AND gone.type = event_counts.type)
            WHERE website_key IN (SELECT website_key ${THOSE})`,
          args: [...those, ...those],
        },
        {
          sql: `INSERT INTO removals (website_key, events, removed_at_ms)
            SELECT website_key, ${toRuns(`SELECT own.key FROM (SELECT key, website_key ${THOSE}) AS own WHERE own.website_key = found.website_key`)},
              unixepoch() * 1000 FROM (SELECT DISTINCT website_key FROM (SELECT website_key ${THOSE})) AS found`,
          args: [...those, ...those],
        },
        { sql: `DELETE FROM events WHERE key IN (SELECT key ${THOSE})`, args: those },
      ],
      'write',
    );
    return results.at(-1)?.rowsAffected === rows;
  }

  return {
    async count(importKey) {
      const sql = 'SELECT count(*) FROM events WHERE import_key = ?';
      const { rows } = await client.execute({ sql, args: [importKey] });
      return Number(rows[0]?.[0] ?? 0);
    },
    async countStored(ids) {
      const { rows } = await client.execute({
        sql: `SELECT count(*) FROM events WHERE event_id IN (${ids.map(() => '?').join(', ')})`,
        args: ids.map(uuidToBytes),
      });
      return Number(rows[0]?.[0] ?? 0);
    },
    remove: (importKey) => takeSteps((rows) => removeStep(importKey, rows)),
  };
}
