import type { InStatement } from '@libsql/client/sqlite3';

type Newer = { visitorId: string | Buffer; afterKey: number };

/**
 * The removal of events from the log on a server, with their counts, in one transaction.
 *
 * @param newer for the last step of a visitor: also what has arrived since the keys were collected, and the record
 *              from which the other processes learn of it
 */
export function eraseStatements(websiteKey: number, keys: readonly number[], newer?: Newer): InStatement[] {
  const website = { sql: '?', args: [websiteKey] };
  const own = { sql: 'key IN (SELECT value FROM json_each(?))', args: [JSON.stringify(keys)] };
  if (!newer) return removeWhere(website, own);
  const { visitorId, afterKey } = newer;
  return [
    ...removeWhere(website, own),
    // The sign keeps SQLite from the index on websites: few events are that new.
    ...removeWhere(website, { sql: 'key > ? AND visitor_id = ?', args: [afterKey, visitorId] }),
    {
      sql: 'INSERT INTO removals (website_key, visitor_id, removed_at_ms) VALUES (?, ?, ?)',
      args: [websiteKey, visitorId, Date.now()],
    },
  ];
}

type Fragment = { sql: string; args: (string | number | Buffer)[] };

/** The events of a website for which a condition holds, and their counts. */
export function removeWhere(website: Fragment, condition: Fragment): InStatement[] {
  const those = `${condition.sql} AND +website_key = ${website.sql}`;
  const args = [...condition.args, ...website.args];
  return [
    {
      sql: `UPDATE event_counts SET count = count -
              (SELECT count(*) FROM events WHERE ${those} AND +events.type = event_counts.type)
            WHERE website_key = ${website.sql}`,
      args: [...args, ...website.args],
    },
    { sql: `DELETE FROM events WHERE ${those}`, args },
  ];
}
