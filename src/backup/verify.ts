import { statSync } from 'node:fs';
import { sqliteCode } from '../db/busy.ts';
import { findForeignSign } from '../db/examine.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { type SchemaVersion, toSchemaVersion } from '../db/migrate.ts';
import { readNumber } from '../db/read-number.ts';
import { findSchemaFault } from '../db/schema-fault.ts';
import { LOG_QUESTIONS, readLastKey } from '../log/examination.ts';
import { withDatabase } from './copy.ts';
import { readSaidSize } from './said-size.ts';

/** Content of a sound copy. `lastKey`: the last key that its log has assigned. */
export type CopyContent = { schema: SchemaVersion; websites: number; events: number; lastKey: number };

const TABLES = ['__drizzle_migrations', 'event_counts', 'events', 'users', 'websites'];
const FAULTS_SHOWN_MAX = 3;

/**
 * Opens a copy and reads all of it: that it is a database of ours, as the start judges it, whole, of a version that is
 * known here, and holds as many events as its own counters say (they are changed in the same transactions as the log).
 *
 * @param name what the sentence calls it
 * @param pace `quick` leaves out whether each index agrees with its table: a tenth of the time
 * @throws Error with a sentence that says what is wrong
 */
export function verifyCopy(path: string, name: string, pace: 'quick' | 'full' = 'full'): CopyContent {
  requireAllBytes(path, name);
  try {
    return withDatabase(path, (database) => verify(database, name, pace));
  } catch (error) {
    const code = sqliteCode(error);
    if (code === 'SQLITE_NOTADB') throw new Error(`${name} is not a database.`);
    if (code === 'SQLITE_CORRUPT') throw new Error(`${name} is damaged.`);
    throw error;
  }
}

function verify(database: LocalDatabase, name: string, pace: 'quick' | 'full'): CopyContent {
  const foreign = findForeignSign(database);
  if (foreign !== undefined) throw new Error(`${name} is not a database of Pagemeter: ${foreign}.`);
  const missing = TABLES.filter((table) => !hasTable(database, table));
  if (missing.length > 0)
    throw new Error(`${name} is not a database of Pagemeter: it has no table ${missing[0]}.`);
  const schema = readSchemaVersion(database);
  if (schema.isNewer)
    throw new Error(`${name} was written by a newer version of Pagemeter; update Pagemeter first.`);
  if (schema.applied === 0)
    throw new Error(`${name} is damaged: it does not say which changes its tables have seen.`);
  const schemaFault = findSchemaFault(database);
  if (schemaFault !== undefined) throw new Error(`${name} cannot be trusted: ${schemaFault}.`);
  const faults = checkIntegrity(database, pace);
  if (faults.length > 0)
    throw new Error(`${name} is damaged: ${faults.slice(0, FAULTS_SHOWN_MAX).join('; ')}.`);
  const count = (sql: string) => readNumber(database, sql);
  const events = count(LOG_QUESTIONS.events);
  const counted = count(LOG_QUESTIONS.counted);
  if (events !== counted)
    throw new Error(`${name} is damaged: it holds ${events} events, and its counters say ${counted}.`);
  return { schema, websites: count('SELECT count(*) FROM websites'), events, lastKey: readLastKey(database) };
}

/** SQLite would call a file that is cut off damaged, and not say why. @throws Error with a sentence */
export function requireAllBytes(path: string, name: string): void {
  const { size } = statSync(path);
  if (size === 0) throw new Error(`${name} is empty.`);
  const saidBytes = readSaidSize(path) ?? 0;
  if (size < saidBytes)
    throw new Error(
      `${name} is cut off: it lacks ${saidBytes - size} of its ${saidBytes} bytes. Copy it once more.`,
    );
}

export function hasTable(database: LocalDatabase, name: string): boolean {
  return (
    readNumber(database, `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?`, [name]) > 0
  );
}

export function readSchemaVersion(database: LocalDatabase): SchemaVersion {
  // The one column of the query. Bounded by the number of migrations.
  const rows = database
    .prepare('SELECT created_at AS at FROM __drizzle_migrations ORDER BY created_at')
    .all() as { at: number }[];
  return toSchemaVersion(rows.map(({ at }) => Number(at)));
}

/** Every page and, unless it is to be quick, every index against its table. @returns what is wrong, in SQLite's words */
export function checkIntegrity(database: LocalDatabase, pace: 'quick' | 'full' = 'full'): string[] {
  const check = pace === 'quick' ? 'PRAGMA quick_check' : 'PRAGMA integrity_check';
  const rows = database.prepare(check).raw().all() as string[][]; // one column of text
  return rows.flat().filter((line) => line !== 'ok');
}
