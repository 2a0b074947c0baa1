import type { InStatement } from '@libsql/client/sqlite3';

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
