import { existsSync } from 'node:fs';
import type { Client } from '@libsql/client/sqlite3';
import { readPosition } from '../analytics/embedded/examine.ts';
import { statisticsPath } from '../analytics/embedded/open.ts';
import { withDatabase } from '../backup/copy.ts';
import { isDatabaseRefusal, sqliteCode } from '../db/busy.ts';
import { toSchemaVersion } from '../db/migrate.ts';
import { openRemoteClient, type RemoteTarget } from '../db/remote-client.ts';
import { EVENTS_AFTER, LOG_QUESTIONS } from '../log/examination.ts';
import { type Finding, fault, ok, warn } from './finding.ts';
import { judgeCounters, judgeIntegrity, judgeReferences, judgeSchema } from './judge.ts';

const RESTORE = "Restore the server's latest backup.";

/**
 * Examines a database on a server while other processes use it, and its statistics on this machine. Changes nothing. Each
 * query has the same time limit as those of the service.
 */
export async function examineServer(target: RemoteTarget, dataDir: string): Promise<Finding[]> {
  const client = await openRemoteClient(target);
  try {
    const reached = await examineSchema(client, new URL(target.url).host);
    if (reached.level !== 'ok') return [reached];
    return [
      reached,
      await look('integrity', async () => {
        const { rows } = await client.execute('PRAGMA quick_check');
        return judgeIntegrity(
          rows.map((row) => String(row[0])).filter((line) => line !== 'ok'),
          RESTORE,
        );
      }),
      await look('references', async () => {
        const { rows } = await client.execute('PRAGMA foreign_key_check');
        return judgeReferences(
          { broken: rows.length, orphans: await readOne(client, LOG_QUESTIONS.orphans) },
          RESTORE,
        );
      }),
      await look('counters', () => examineCounters(client)),
      await look('erasures', () => examineErasures(client)),
      await look('statistics', () => examineStatistics(client, statisticsPath(dataDir))),
    ];
  } finally {
    client.close();
  }
}

async function examineSchema(client: Client, host: string): Promise<Finding> {
  try {
    const { rows } = await client.execute('SELECT created_at FROM __drizzle_migrations ORDER BY created_at');
    return judgeSchema(toSchemaVersion(rows.map((row) => Number(row[0]))));
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such table'))
      return warn('schema', `The server at ${host} has no tables.`, 'Start the service: it makes them.');
    // @libsql/client says `HTTP status 401` and the like; nothing else of its message is for people.
    const reason = sqliteCode(error) ?? String(error).match(/HTTP status \d+/)?.[0];
    return fault(
      'database',
      `The server at ${host} does not answer as it should${reason ? ` (${reason})` : ''}.`,
      'Look at DATABASE_URL, DATABASE_AUTH_TOKEN, and the server.',
    );
  }
}

/** Compares the counters with the events in one transaction, because events keep arriving. */
async function examineCounters(client: Client): Promise<Finding> {
  const results = await client.batch(
    [LOG_QUESTIONS.events, LOG_QUESTIONS.wrongCounters, LOG_QUESTIONS.greatestKey, LOG_QUESTIONS.lastKey],
    'read',
  );
  const [events = 0, wrong = 0, greatest = 0, lastKey = 0] = results.map(({ rows }) => Number(rows[0]?.[0]));
  return judgeCounters({ events, wrong, greatest, lastKey }, RESTORE);
}

async function examineErasures(client: Client): Promise<Finding> {
  const lists = await readOne(client, LOG_QUESTIONS.orderedErasures);
  return lists === 0
    ? ok('erasures', 'None was cut off.')
    : warn(
        'erasures',
        `An erasure is running: ${lists} lists of events are left.`,
        'A process of the service does it; look again later.',
      );
}

/** Examines the statistics of this DATA_DIR: other processes have their own. */
async function examineStatistics(client: Client, path: string): Promise<Finding> {
  if (!existsSync(path))
    return warn(
      'statistics',
      `There are no statistics at ${path}.`,
      'The first report of the service builds them.',
    );
  const { log: followed, checkpoint } = withDatabase(path, readPosition);
  const log = await readOne(client, LOG_QUESTIONS.logId);
  if (followed !== log)
    return warn(
      'statistics',
      'They are of another database.',
      'The next report of the service rebuilds them.',
    );
  const lastKey = await readOne(client, LOG_QUESTIONS.lastKey);
  if (checkpoint > lastKey)
    return fault(
      'statistics',
      `They claim to hold event ${checkpoint}; the last of the log is ${lastKey}.`,
      'Stop the service and run: pagemeter rebuild',
    );
  const { rows } = await client.execute({
    sql: EVENTS_AFTER,
    args: [checkpoint],
  });
  return ok(
    'statistics',
    `They follow the log; ${Number(rows[0]?.[0])} events are still to be written down.`,
  );
}

async function readOne(client: Client, sql: string): Promise<number> {
  const { rows } = await client.execute(sql);
  return Number(rows[0]?.[0]);
}

async function look(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    if (!isDatabaseRefusal(error)) throw error;
    return warn(
      check,
      'The server took too long to say, or went away.',
      'Run it again when less is going on.',
    );
  }
}
