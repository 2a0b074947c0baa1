import { withDatabase } from '../backup/copy.ts';
import { toMiB } from '../backup/files.ts';
import { checkIntegrity, hasTable, readSchemaVersion } from '../backup/verify.ts';
import { sqliteCode } from '../db/busy.ts';
import { findForeignSign } from '../db/examine.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { readNumber } from '../db/read-number.ts';
import { findSchemaFault } from '../db/schema-fault.ts';
import { LOG_QUESTIONS, readLastKey } from '../log/examination.ts';
import { examineStatistics } from './examine-statistics.ts';
import { type Finding, fault, ok, warn } from './finding.ts';
import { judgeCounters, judgeIntegrity, judgeReferences, judgeSchema } from './judge.ts';

const FREE_SHARE_WARN = 0.25;
const FREE_BYTES_WARN = 64 * 1024 * 1024;
const RESTORE = 'Stop the service and restore the latest backup: pagemeter restore FILE --replace';

/** Reads a snapshot of the whole database, with or without a running service. */
export function examineDatabase(path: string): Finding[] {
  try {
    return withDatabase(path, (database) => {
      database.exec('BEGIN'); // everything below sees the same moment
      return examine(database);
    });
  } catch (error) {
    const code = sqliteCode(error);
    const reason = code ?? (error instanceof Error ? error.message : String(error));
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
      return [fault('database', `${path} is damaged, or no database (${reason}).`, RESTORE)];
    return [fault('database', `${path} cannot be read: ${reason}.`, 'Look at its owner and its disk.')];
  }
}

function examine(database: LocalDatabase): Finding[] {
  const foreign =
    findForeignSign(database) ?? (hasTable(database, 'events') ? undefined : 'it has no events');
  if (foreign !== undefined)
    return [
      fault('schema', `It is not a database of Pagemeter: ${foreign}.`, 'Look at DATA_DIR and DATABASE_URL.'),
    ];
  const schema = judgeSchema(readSchemaVersion(database));
  if (schema.level === 'fault') return [schema];
  const schemaFault = findSchemaFault(database);
  if (schemaFault !== undefined)
    return [fault('schema', `It was changed by another program: ${schemaFault}.`, RESTORE)];
  const found = [schema, judgeIntegrity(checkIntegrity(database), RESTORE)];
  if (schema.level === 'warn') return found;
  // Counts in a damaged file mean nothing.
  if (found.some(({ level }) => level === 'fault')) return found;
  const broken = database.prepare('PRAGMA foreign_key_check').all().length;
  const read = (sql: string) => readNumber(database, sql);
  return [
    ...found,
    judgeReferences({ broken, orphans: read(LOG_QUESTIONS.orphans) }, RESTORE),
    judgeCounters(
      {
        events: read(LOG_QUESTIONS.events),
        wrong: read(LOG_QUESTIONS.wrongCounters),
        greatest: read(LOG_QUESTIONS.greatestKey),
        lastKey: readLastKey(database),
      },
      RESTORE,
    ),
    ...examineStatistics(database),
    examineFreePages(database),
  ];
}

function examineFreePages(database: LocalDatabase): Finding {
  const pages = readNumber(database, 'PRAGMA page_count');
  const free = readNumber(database, 'PRAGMA freelist_count');
  const pageBytes = readNumber(database, 'PRAGMA page_size');
  const share = pages === 0 ? 0 : free / pages;
  const message = `${toMiB(free * pageBytes)} of ${toMiB(pages * pageBytes)} MiB are free for new events.`;
  return share > FREE_SHARE_WARN && free * pageBytes > FREE_BYTES_WARN
    ? warn(
        'free pages',
        message,
        'To give the space back: stop the service, make a backup, restore it with --replace.',
      )
    : ok('free pages', message);
}
