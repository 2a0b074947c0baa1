import { createClient } from '@libsql/client/http';

/** Erased events of each cycle: as many as two transactions of an erasure take. */
export const SPAM = 1_500;
const RETRY_MS = 20;
const VISITORS = 40;
const PAGE = '/spam';

type Owner = { token: string; websiteId: string };

/**
 * Events that are erased by a filter while everything else continues, so that a log without them is a log from which
 * neither too much nor too little was taken.
 *
 * @param serverUrl of the server itself: what is about to be erased gets there without faults
 */
export function createSpam(serverUrl: string, { token, websiteId }: Owner) {
  const server = createClient({ url: serverUrl });
  const key = '(SELECT key FROM websites WHERE id = ?)';

  return { store, erase, close: () => server.close() };

  /** One a second, of visitors who do nothing else. */
  async function store(): Promise<void> {
    await server.batch(
      [
        {
          sql: `INSERT INTO events (event_id, website_key, created_at_ms, type, url, session_id, visitor_id)
                  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${SPAM})
                  SELECT randomblob(16), ${key}, ? - i * 1000, 0, 'https://example.com${PAGE}', 's', 'spam' || (i % ${VISITORS}) FROM n`,
          args: [websiteId, Date.now()],
        },
        {
          sql: `UPDATE event_counts SET count = count + ${SPAM} WHERE type = 0 AND website_key = ${key}`,
          args: [websiteId],
        },
      ],
      'write',
    );
  }

  /**
   * Asks until it is said to be done, whatever happens on the way.
   *
   * @param url of a process, which may be another one after a restart
   */
  async function erase(url: () => string): Promise<string[]> {
    for (;;) {
      const status = await ask(url()).catch(() => undefined);
      if (status === 200) return [];
      if (status !== undefined && status !== 503) return [`an erasure was answered ${status}`];
      await Bun.sleep(RETRY_MS);
    }
  }

  async function ask(url: string): Promise<number> {
    const response = await fetch(`${url}/api/v1/websites/${websiteId}/erasures`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ period: '7d', filters: [['is', 'page', [PAGE]]], events: SPAM }),
    });
    await response.arrayBuffer(); // an answer counts when it has arrived whole
    return response.status;
  }
}
