import { statSync } from 'node:fs';
import { openLocalDatabase } from '../../src/db/local-database.ts';

export type Sizes = { fileBytes: number; parts: { name: string; bytes: number }[] };

/** Measures the file without a service on it, so that nothing is left in the write-ahead log. */
export function measureSizes(file: string): Sizes {
  const database = openLocalDatabase(file, 'normal');
  const rows = database
    .prepare(
      `SELECT tbl_name AS owner, type, pgsize AS bytes
       FROM (SELECT name, pgsize FROM dbstat WHERE aggregate = 1) JOIN sqlite_schema USING (name)`,
    )
    .all([]) as { owner: string; type: string; bytes: number }[]; // the columns of the statement
  database.close();
  const fileBytes = statSync(file).size;
  const named = rows.map(({ owner, type, bytes }) => ({ name: partOf(owner, type), bytes }));
  const parts = ['log', 'indexes of the log', 'segments', 'dictionaries'].map((name) => ({
    name,
    bytes: named.reduce((sum, row) => (row.name === name ? sum + row.bytes : sum), 0),
  }));
  const others = fileBytes - parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return { fileBytes, parts: [...parts, { name: 'others and free pages', bytes: others }] };
}

function partOf(owner: string, type: string): string | undefined {
  if (owner === 'events') return type === 'index' ? 'indexes of the log' : 'log';
  if (owner.startsWith('segment')) return 'segments';
  return owner === 'terms' || owner === 'visitors' ? 'dictionaries' : undefined;
}
