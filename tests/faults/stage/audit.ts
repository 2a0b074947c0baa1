import Database from 'libsql';
import { unpackUrl } from '../../../src/db/packed-address.ts';
import { bytesToUuid } from '../../../src/db/packed-id.ts';
import type { Ledger } from './ledger.ts';

const ROWS_A_STEP = 10_000;
const LOCK_PATIENCE_MS = 5_000;

/**
 * Compares the database file with what was sent and acknowledged. Reads while the service runs, so that it is
 * the service that recovered the file. Remembers what it has read: a row that disappears later is found by the count.
 */
export function createAudit(path: string, ledger: Ledger) {
  let lastKey = 0;
  const storedIds = new Set<string>();
  const storedUrls = new Set<string>();

  /** A message for each fault; empty when all is well. */
  async function audit(): Promise<string[]> {
    const faults = read();
    // libSQL closes the file only when its statements are collected. A connection that lingers would meet the next
    // start of the service, and keep it from recovering the file by itself.
    Bun.gc(true);
    await Bun.sleep(0);
    return faults;
  }
  return Object.assign(audit, {
    /** Unacknowledged events that the last audit read. */
    storedWithoutAnswer: () => [...storedIds].filter((id) => !ledger.acknowledged.has(id)).length,
  });

  function read(): string[] {
    const database = new Database(path);
    try {
      database.exec(`PRAGMA busy_timeout = ${LOCK_PATIENCE_MS}`);
      database.exec('PRAGMA query_only = ON');
      return [
        ...readNewRows(database),
        ...findLost(),
        ...compareCounts(database),
        ...checkIntegrity(database),
      ];
    } finally {
      database.close();
    }
  }

  function readNewRows(database: Database.Database): string[] {
    const faults: string[] = [];
    const select = database.prepare(
      'SELECT key, event_id, url FROM events WHERE key > ? ORDER BY key LIMIT ?',
    );
    for (;;) {
      // The columns named in the query.
      const rows = select.all([lastKey, ROWS_A_STEP]) as {
        key: number;
        event_id: ArrayBuffer;
        url: string;
      }[];
      for (const { key, event_id, url: stored } of rows) {
        const id = bytesToUuid(event_id);
        const url = unpackUrl(stored);
        if (ledger.urlOf(id) !== url) faults.push(`${id} is stored with ${url}, which was not sent`);
        if (storedIds.has(id) || storedUrls.has(url)) faults.push(`${id} is stored twice`);
        storedIds.add(id);
        storedUrls.add(url);
        lastKey = key;
      }
      if (rows.length < ROWS_A_STEP) break;
    }
    const { count } = database.prepare('SELECT count(*) AS count FROM events').get() as { count: number };
    if (count !== storedIds.size) faults.push(`${storedIds.size} rows were stored, ${count} are there`);
    return faults;
  }

  function findLost(): string[] {
    return [...ledger.acknowledged.keys()]
      .filter((id) => !storedIds.has(id))
      .map((id) => `${id} was acknowledged and is not stored`);
  }

  function compareCounts(database: Database.Database): string[] {
    const select = (sql: string) => JSON.stringify(database.prepare(sql).all());
    const kept = select('SELECT website_key, type, count FROM event_counts ORDER BY website_key, type');
    const counted = select(
      'SELECT website_key, type, count(*) AS count FROM events GROUP BY website_key, type ORDER BY website_key, type',
    );
    return kept === counted ? [] : [`event_counts holds ${kept}, the log ${counted}`];
  }

  function checkIntegrity(database: Database.Database): string[] {
    const result = JSON.stringify(database.prepare('PRAGMA integrity_check').all());
    return result === '[{"integrity_check":"ok"}]' ? [] : [`integrity_check says ${result}`];
  }
}
