import { createSteps, type StepOptions } from '../log/removal-steps.ts';
import {
  type DailySum,
  SUM_FAMILY_NAMES,
  SUM_FIGURES,
  type SumFamily,
  type SumFigures,
} from '../vocabulary/sums.ts';

/**
 * Days that are read at once: between two reads, other requests are answered. With a thousand pages a day a read takes
 * 25 ms, and took 98 with 31 days.
 */
const DAYS_A_READ = 7;

export type SumRow = SumFigures & { day: number; names: (string | null)[] };
type Range = { websiteKey: number; family: SumFamily; fromDay: number; toDay: number };

const COLUMNS = 'visitors, visits, pageviews, bounces, duration_s';

/**
 * SQL of imported sums, which lie in the database wherever the events are kept. A sum belongs to the import that came with
 * it first.
 */
export function createSums({ db, stepRows, rest }: StepOptions) {
  const { $client: client } = db;
  const takeSteps = createSteps({ stepRows, rest });

  async function removeWhere(column: 'import_key' | 'website_key', key: number): Promise<void> {
    const found = await client.execute({
      sql: `SELECT 1 FROM import_sums WHERE ${column} = ? LIMIT 1`,
      args: [key],
    });
    if (found.rows.length === 0) return; // most imports have events instead
    const sql = `DELETE FROM import_sums WHERE key IN (SELECT key FROM import_sums WHERE ${column} = ? LIMIT ?)`;
    return takeSteps(async (rows) => {
      const { rowsAffected } = await client.execute({ sql, args: [key, rows] });
      return rowsAffected === rows;
    });
  }

  return {
    /** Adds sums that are not stored yet. @returns how many; undefined when the import is not running any more */
    async append(
      websiteKey: number,
      importKey: number,
      sums: readonly DailySum[],
    ): Promise<number | undefined> {
      const isRunning = "EXISTS (SELECT 1 FROM imports WHERE key = ? AND state = 'running')";
      const values = SUM_FIGURES.map((name) => `value ->> '${name}'`).join(', ');
      const [added, found] = await client.batch(
        [
          {
            sql: `INSERT OR IGNORE INTO import_sums (import_key, website_key, family, day, names, ${COLUMNS})
              SELECT ?, ?, value ->> 'family', value ->> 'day', value -> 'names', ${values}
              FROM json_each(?) WHERE ${isRunning}`,
            args: [importKey, websiteKey, JSON.stringify(sums), importKey],
          },
          { sql: `SELECT ${isRunning}`, args: [importKey] },
        ],
        'write',
      );
      return Number(found?.rows[0]?.[0]) === 1 ? added?.rowsAffected : undefined;
    },

    /** Counts those that are stored, by whichever import. */
    async countStored(websiteKey: number, sums: readonly DailySum[]): Promise<number> {
      const { rows } = await client.execute({
        sql: `SELECT count(*) FROM json_each(?) AS asked JOIN import_sums AS stored
          ON stored.website_key = ? AND stored.family = asked.value ->> 'family'
          AND stored.day = asked.value ->> 'day' AND stored.names = asked.value -> 'names'`,
        args: [JSON.stringify(sums), websiteKey],
      });
      return Number(rows[0]?.[0] ?? 0);
    },

    async count(importKey: number): Promise<number> {
      const sql = 'SELECT count(*) FROM import_sums WHERE import_key = ?';
      const { rows } = await client.execute({ sql, args: [importKey] });
      return Number(rows[0]?.[0] ?? 0);
    },

    /** Removes what an import has added, in steps. */
    remove: (importKey: number) => removeWhere('import_key', importKey),

    /** Removes all of a website, in steps. */
    removeAll: (websiteKey: number) => removeWhere('website_key', websiteKey),

    /** Returns the first day of each family that a website has sums of. */
    async findFirstDays(websiteKey: number): Promise<Map<SumFamily, number>> {
      const { rows } = await client.execute({
        sql: `SELECT value, (SELECT min(day) FROM import_sums WHERE website_key = ? AND family = families.value)
          FROM json_each(?) AS families`,
        args: [websiteKey, JSON.stringify(SUM_FAMILY_NAMES)],
      });
      // In the order of the names that were given.
      const days = SUM_FAMILY_NAMES.map((family, index) => [family, rows[index]?.[1]] as const);
      return new Map(days.filter((each): each is [SumFamily, number] => typeof each[1] === 'number'));
    },

    /** Reads sums of whole days, some at a time. @param byDay false: the days of a read are added up */
    async *read({ websiteKey, family, fromDay, toDay }: Range, byDay: boolean): AsyncGenerator<SumRow[]> {
      const sums = COLUMNS.split(', ').map((name) => `sum(${name})`);
      for (let from = fromDay; from < toDay; from += DAYS_A_READ) {
        const { rows } = await client.execute({
          sql: `SELECT day, names, ${byDay ? COLUMNS : sums.join(', ')} FROM import_sums
            WHERE website_key = ? AND family = ? AND day >= ? AND day < ? ${byDay ? '' : 'GROUP BY names'}`,
          args: [websiteKey, family, from, Math.min(from + DAYS_A_READ, toDay)],
        });
        yield rows.map((row) => ({
          day: Number(row[0]),
          names: JSON.parse(String(row[1])) as (string | null)[], // as they were stored
          visitors: Number(row[2]),
          visits: Number(row[3]),
          pageviews: Number(row[4]),
          bounces: Number(row[5]),
          durationS: Number(row[6]),
        }));
        await Bun.sleep(0);
      }
    },
  };
}

export type Sums = ReturnType<typeof createSums>;
