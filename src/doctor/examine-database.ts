import { withDatabase } from '../backup/copy.ts';
import { toMiB } from '../backup/files.ts';
import { checkIntegrity, hasTable, readLastKey, readNumber, readSchemaVersion } from '../backup/verify.ts';
import { sqliteCode } from '../db/busy.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { examineSummaries } from './examine-summaries.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

const FAULTS_SHOWN_MAX = 3;
const FREE_SHARE_WARN = 0.25;
const FREE_BYTES_WARN = 64 * 1024 * 1024;
const RESTORE = 'Stop the service and restore the latest backup: pagemeter restore FILE --replace';

/** Reads all of the database as it is at one moment, beside a running service or without one. */
export function examineDatabase(path: string, nowMs: number): Finding[] {
  try {
    return withDatabase(path, (database) => {
      database.exec('BEGIN'); // everything below sees the same moment
      return examine(database, nowMs);
    });
  } catch (error) {
    const code = sqliteCode(error);
    const reason = code ?? (error instanceof Error ? error.message : String(error));
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT')
      return [fault('database', `${path} is damaged, or no database (${reason}).`, RESTORE)];
    return [fault('database', `${path} cannot be read: ${reason}.`, 'Look at its owner and its disk.')];
  }
}

function examine(database: LocalDatabase, nowMs: number): Finding[] {
  if (!hasTable(database, '__drizzle_migrations') || !hasTable(database, 'events'))
    return [fault('schema', 'It is not a database of Pagemeter.', 'Look at DATA_DIR and DATABASE_URL.')];
  const { applied, pending, isNewer } = readSchemaVersion(database);
  if (isNewer)
    return [fault('schema', 'A newer version of Pagemeter has changed the tables.', 'Update Pagemeter.')];
  const integrity = examineIntegrity(database);
  if (pending > 0)
    return [
      warn('schema', `${pending} changes of the tables are due.`, 'Start the service: it makes them.'),
      integrity,
    ];
  const found = [ok('schema', `Up to date: ${applied} changes of the tables are applied.`), integrity];
  // What is counted in a damaged file says nothing.
  if (integrity.level === 'fault') return found;
  return [
    ...found,
    examineReferences(database),
    examineCounters(database),
    ...examineSummaries(database, nowMs),
    examineFreePages(database),
  ];
}

function examineIntegrity(database: LocalDatabase): Finding {
  const faults = checkIntegrity(database);
  return faults.length === 0
    ? ok('integrity', 'Every page and index is sound.')
    : fault('integrity', faults.slice(0, FAULTS_SHOWN_MAX).join('; '), RESTORE);
}

function examineReferences(database: LocalDatabase): Finding {
  const rows = database.prepare('PRAGMA foreign_key_check').all();
  const orphans = readNumber(
    database,
    'SELECT count(*) FROM events WHERE website_key NOT IN (SELECT key FROM websites)',
  );
  if (rows.length === 0 && orphans === 0) return ok('references', 'Every row has what it refers to.');
  return fault(
    'references',
    `${rows.length} rows refer to something that is gone, ${orphans} events to no website.`,
    RESTORE,
  );
}

/** The counters are changed in the same transactions as the log. */
function examineCounters(database: LocalDatabase): Finding {
  const events = readNumber(database, 'SELECT count(*) FROM events');
  const wrong = readNumber(
    database,
    `SELECT count(*) FROM (
       SELECT 1 FROM (
         SELECT website_key, type, count AS n FROM event_counts
         UNION ALL SELECT website_key, type, -count(*) FROM events GROUP BY website_key, type
       ) GROUP BY website_key, type HAVING sum(n) <> 0)`,
  );
  const lastKey = readLastKey(database);
  const greatest = readNumber(database, 'SELECT coalesce(max(key), 0) FROM events');
  if (greatest > lastKey)
    return fault(
      'counters',
      `The log holds key ${greatest}, and ${lastKey} was the last given out.`,
      RESTORE,
    );
  return wrong === 0
    ? ok('counters', `${events} events, as many as the counters say.`)
    : fault('counters', `${wrong} counters differ from the ${events} events of the log.`, RESTORE);
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
