import Database from 'libsql';
import type { LocalDatabase } from './local-database.ts';
import { CREATE_JOURNAL, NEWEST_KNOWN_MS } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

type Entry = { type: string; name: string; sql: string | null };

/** Tables of SQLite itself: counters of keys, and what ANALYZE has found. */
const INTERNAL = /^sqlite_(sequence|stat\d)$/;
/** It may be of drizzle-kit's own migrator, which writes it in other words. */
const JOURNAL = '__drizzle_migrations';

/**
 * Finds where a schema differs from what its migrations made, as the rest of a sentence: a trigger, view, virtual table or
 * column of another program would run or be read with the rights of the service. A database of a newer version is not
 * judged.
 */
export function findSchemaFault(database: LocalDatabase): string | undefined {
  const [journal] = database.prepare(`SELECT max(created_at) AS at FROM ${JOURNAL}`).all([]) as {
    at: number;
  }[]; // always one row
  const appliedUntilMs = Number(journal?.at ?? 0);
  if (appliedUntilMs > NEWEST_KNOWN_MS) return undefined;
  const found = readSchema(database);
  const expected = expectSchema(appliedUntilMs);
  for (const { type, name, sql } of found) {
    const own = expected.get(name);
    expected.delete(name);
    if (own?.type !== type)
      return `it has ${type === 'index' ? 'an' : 'a'} ${type} ${name}, which Pagemeter does not make`;
    if (normalize(own.sql) !== normalize(sql) && !(name === JOURNAL && isTable(sql)))
      return `its ${type} ${name} is not as Pagemeter makes it`;
  }
  const [missing] = expected.values();
  return missing && `it lacks the ${missing.type} ${missing.name}`;
}

function readSchema(database: LocalDatabase): Entry[] {
  // The columns that the statement names.
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema').all([]) as Entry[];
  return rows.filter(({ name }) => !INTERNAL.test(name));
}

function expectSchema(appliedUntilMs: number): Map<string, Entry> {
  const model = new Database(':memory:');
  try {
    model.exec(CREATE_JOURNAL);
    for (const { createdAtMs, statements } of MIGRATIONS)
      if (createdAtMs <= appliedUntilMs) model.exec(statements.join(';\n'));
    return new Map(readSchema(model).map((entry) => [entry.name, entry]));
  } finally {
    model.close();
  }
}

/** Renaming a table changes the quotes in its text, in some versions of SQLite. */
function normalize(sql: string | null): string | undefined {
  return sql?.replace(/\s+|["`]/g, '').toLowerCase();
}

function isTable(sql: string | null): boolean {
  return /^create table\b/i.test(sql ?? '');
}
