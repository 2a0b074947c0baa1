import { createClient } from '@libsql/client/http';
import { unpackUrl } from '../../../src/db/packed-address.ts';
import { bytesToUuid } from '../../../src/db/packed-id.ts';
import type { Ledger } from './ledger.ts';

const ROWS_A_STEP = 5_000;

/** Compares the log on a libSQL server with what was sent and acknowledged; the counterpart of audit for a file. */
export function createRemoteAudit(url: string, ledger: Ledger) {
  const client = createClient({ url });
  const storedIds = new Set<string>();
  const storedUrls = new Set<string>();
  let lastKey = 0;

  return {
    /** A message for each fault; empty when all is well. */
    async audit(): Promise<string[]> {
      return [...(await readNewRows()), ...findLost(), ...(await compareCounts())];
    },
    storedCount: () => storedIds.size,
    close: () => client.close(),
  };

  async function readNewRows(): Promise<string[]> {
    const faults: string[] = [];
    for (;;) {
      const { rows } = await client.execute({
        sql: 'SELECT key, event_id, url FROM events WHERE key > ? ORDER BY key LIMIT ?',
        args: [lastKey, ROWS_A_STEP],
      });
      for (const row of rows) {
        const id = bytesToUuid(row.event_id as ArrayBuffer); // a blob
        const url = unpackUrl(String(row.url));
        if (ledger.urlOf(id) !== url) faults.push(`${id} is stored with ${url}, which was not sent`);
        if (storedIds.has(id) || storedUrls.has(url)) faults.push(`${id} is stored twice`);
        storedIds.add(id);
        storedUrls.add(url);
        lastKey = Number(row.key);
      }
      if (rows.length < ROWS_A_STEP) break;
    }
    const { rows } = await client.execute('SELECT count(*) AS count FROM events');
    if (rows[0]?.count !== storedIds.size)
      faults.push(`${storedIds.size} rows were stored, ${rows[0]?.count} are there`);
    return faults;
  }

  function findLost(): string[] {
    return [...ledger.acknowledged.keys()]
      .filter((id) => !storedIds.has(id))
      .map((id) => `${id} was acknowledged and is not stored`);
  }

  async function compareCounts(): Promise<string[]> {
    const results = await client.batch(
      [
        'SELECT website_key, type, count FROM event_counts ORDER BY website_key, type',
        'SELECT website_key, type, count(*) AS count FROM events GROUP BY website_key, type ORDER BY website_key, type',
      ],
      'read',
    );
    const [kept, counted] = results.map(({ rows }) =>
      JSON.stringify(rows.map((row) => [row[0], row[1], row[2]])),
    );
    return kept === counted ? [] : [`event_counts holds ${kept}, the log ${counted}`];
  }
}
