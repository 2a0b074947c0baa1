import { existsSync, statSync } from 'node:fs';
import { BUSY_PATIENCE_MS } from './busy.ts';
import type { LocalDatabase } from './local-database.ts';
import { findSchemaFault } from './schema-fault.ts';

/** Marks a file as ours (`PRAGMA application_id`): "pgmt". */
const APPLICATION_ID = 0x70676d74;
const WRITABLE = 0o222;

/**
 * Up to this size all of the file is checked, which takes 5 ms a MiB; above it, the tables without which nothing works,
 * which are small. (2.8 GB would take 14 s.)
 */
const CHECKED_BYTES_MAX = 32 * 1024 * 1024;
const ESSENTIAL_TABLES = ['users', 'logins', 'api_keys', 'websites', 'event_counts', 'analytics_state'];

/**
 * Before the file is opened, because opening makes one that is not there.
 *
 * @param mustHoldData why the file cannot be new; undefined when it may be
 * @throws Error with the rest of a sentence that begins with the database
 */
export function requireUsableFile(path: string, mustHoldData: string | undefined): void {
  const file = statSync(path, { throwIfNoEntry: false });
  if (mustHoldData !== undefined && (!file || (file.size === 0 && !existsSync(`${path}-wal`))))
    throw new Error(`it ${file ? 'is empty' : 'is not there'}, ${mustHoldData}`);
  // Also for root, who could write anyway: the mode was set on purpose.
  if (file?.isFile() && (file.mode & WRITABLE) === 0) throw new Error('the file is read-only');
}

/**
 * Checks whether a database is ours and, as far as a short look shows, sound.
 *
 * @throws Error with a sentence
 */
export function examineDatabase(
  database: LocalDatabase,
  sizeBytes: number,
  mustHoldData: string | undefined,
): void {
  // Nothing is served yet, so a neighbour who holds the file for a moment is waited for inside SQLite.
  database.exec(`PRAGMA busy_timeout = ${BUSY_PATIENCE_MS}`);
  try {
    examine(database, sizeBytes, mustHoldData);
  } finally {
    database.exec('PRAGMA busy_timeout = 0');
  }
}

function examine(database: LocalDatabase, sizeBytes: number, mustHoldData: string | undefined): void {
  const foreign = findForeignSign(database);
  if (foreign !== undefined) throw new Error(foreign);
  const tables = readTables(database);
  if (tables.size === 0) {
    if (mustHoldData !== undefined) throw new Error(`it is empty, ${mustHoldData}`);
    return;
  }
  const fault = findSchemaFault(database);
  if (fault !== undefined) throw new Error(fault);
  const checks = sizeBytes <= CHECKED_BYTES_MAX ? ['1'] : ESSENTIAL_TABLES.filter((name) => tables.has(name));
  for (const check of checks) {
    const found = readPragma(database, `quick_check(${check})`);
    if (found !== 'ok') throw new Error(`it is damaged; restore a backup (${oneLine(String(found))})`);
  }
}

/** Returns evidence that a database is another program's, as the rest of a sentence. */
export function findForeignSign(database: LocalDatabase): string | undefined {
  const applicationId = readPragma(database, 'application_id');
  if (applicationId !== 0 && applicationId !== APPLICATION_ID)
    return `it belongs to another program (application_id ${applicationId})`;
  const tables = readTables(database);
  if (tables.size > 0 && !tables.has('__drizzle_migrations')) return 'it holds the tables of another program';
  return undefined;
}

function readTables(database: LocalDatabase): Set<string> {
  const statement = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const rows = statement.all([]) as { name: string }[]; // the one column of the statement
  return new Set(rows.map(({ name }) => name));
}

/** Needs a transaction around it: on a file that was made by an earlier version it is a write. */
export function markAsOurs(database: LocalDatabase): void {
  if (readPragma(database, 'application_id') !== APPLICATION_ID)
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
}

function readPragma(database: LocalDatabase, name: string): unknown {
  // `all` runs to the end; after `get` the statement would keep reading, and the log could not be checkpointed.
  // One row with one column, whatever its name.
  const [row] = database.prepare(`PRAGMA ${name}`).all([]) as Record<string, unknown>[];
  return row && Object.values(row)[0];
}

/** SQLite's report has several. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
