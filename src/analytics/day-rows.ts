import type { LocalDatabase } from '../db/local-database.ts';

type Blob = { data: Uint8Array<ArrayBuffer> };

export type DayRows = ReturnType<typeof createDayRows>;

/** The statements on `day_blocks` and `day_columns`. Rows have the columns that their statements name. */
export function createDayRows(database: LocalDatabase) {
  const days = database.prepare(
    'SELECT day FROM day_blocks WHERE website_key = ? AND day BETWEEN ? AND ? ORDER BY day',
  );
  const block = database.prepare('SELECT data FROM day_blocks WHERE website_key = ? AND day = ?');
  const shortBlock = database.prepare(
    'SELECT data FROM day_blocks WHERE website_key = ? AND day = ? AND length(data) <= ?',
  );
  const untilKey = database.prepare(
    'SELECT until_key AS untilKey FROM day_blocks WHERE website_key = ? AND day = ?',
  );
  const column = database.prepare(
    'SELECT data FROM day_columns WHERE website_key = ? AND day = ? AND name = ?',
  );
  const names = database.prepare(
    'SELECT name FROM day_columns WHERE website_key = ? AND day = ? AND name >= ? AND name < ? ORDER BY name',
  );
  const daysWith = database.prepare(
    'SELECT day FROM day_columns WHERE website_key = ? AND name = ? ORDER BY day',
  );
  const daysWithSome = database.prepare(
    'SELECT DISTINCT day FROM day_columns WHERE website_key = ? AND name >= ? AND name < ? ORDER BY day',
  );
  const writeBlock = database.prepare(
    'INSERT INTO day_blocks (website_key, day, until_key, data) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET until_key = excluded.until_key, data = excluded.data',
  );
  const writeColumn = database.prepare(
    'INSERT INTO day_columns (website_key, day, name, data) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET data = excluded.data',
  );
  const removeBlock = database.prepare('DELETE FROM day_blocks WHERE website_key = ? AND day = ?');
  const removeColumn = database.prepare(
    'DELETE FROM day_columns WHERE website_key = ? AND day = ? AND name = ?',
  );
  const removeColumns = database.prepare(
    'DELETE FROM day_columns WHERE website_key = ? AND day = ? AND (name < ? OR name >= ?)',
  );

  return {
    days(websiteKey: number, fromDay: number, toDay: number): number[] {
      const rows = days.all([websiteKey, fromDay, toDay]) as { day: number }[];
      return rows.map(({ day }) => day);
    },
    block: (websiteKey: number, day: number) => (block.get([websiteKey, day]) as Blob | undefined)?.data,
    /** The same unless it is longer. */
    shortBlock: (websiteKey: number, day: number, bytesMax: number) =>
      (shortBlock.get([websiteKey, day, bytesMax]) as Blob | undefined)?.data,
    /** 0 when there is no block. */
    untilKey(websiteKey: number, day: number): number {
      const row = untilKey.get([websiteKey, day]) as { untilKey: number } | undefined;
      return row?.untilKey ?? 0;
    },
    column: (websiteKey: number, day: number, name: string) =>
      (column.get([websiteKey, day, name]) as Blob | undefined)?.data,
    /** Those from one up to, without, another. */
    names(websiteKey: number, day: number, [from, to]: [from: string, to: string]): string[] {
      const rows = names.all([websiteKey, day, from, to]) as { name: string }[];
      return rows.map(({ name }) => name);
    },
    daysWith(websiteKey: number, name: string): number[] {
      const rows = daysWith.all([websiteKey, name]) as { day: number }[];
      return rows.map(({ day }) => day);
    },
    /** With names from one up to, without, another. */
    daysWithSome(websiteKey: number, [from, to]: [from: string, to: string]): number[] {
      const rows = daysWithSome.all([websiteKey, from, to]) as { day: number }[];
      return rows.map(({ day }) => day);
    },
    writeBlock: (websiteKey: number, day: number, until: number, data: Uint8Array) =>
      void writeBlock.run([websiteKey, day, until, data]),
    writeColumn: (websiteKey: number, day: number, name: string, data: Uint8Array) =>
      void writeColumn.run([websiteKey, day, name, data]),
    removeColumn: (websiteKey: number, day: number, name: string) =>
      void removeColumn.run([websiteKey, day, name]),
    /** Block and columns, but for those with names from one up to, without, another. */
    remove(websiteKey: number, day: number, [from, to]: [from: string, to: string] = ['', '']): void {
      removeBlock.run([websiteKey, day]);
      removeColumns.run([websiteKey, day, from, to]);
    },
  };
}
