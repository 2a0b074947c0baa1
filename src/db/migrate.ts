import type { Client } from '@libsql/client/sqlite3';
import { MIGRATIONS } from './migrations.ts';

export const NEWEST_KNOWN_MS = MIGRATIONS.at(-1)?.createdAtMs ?? 0;

/** The table that drizzle-kit's own migrator keeps, in the same form. */
export const CREATE_JOURNAL =
  'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)';

/** Hook before the tables change; receives the number of applied migrations. It rejects to prevent the change. */
export type BeforeMigrating = (schema: { applied: number }) => Promise<void>;

const NEWER = 'The database was written by a newer version of Pagemeter; update Pagemeter to open it.';

/** How many changes of the tables a database has seen, and whether this version knows more, or fewer. */
export type SchemaVersion = { applied: number; pending: number; isNewer: boolean };

/** @param journal instants of the migrations that the database has seen, ascending */
export function toSchemaVersion(journal: readonly number[]): SchemaVersion {
  const appliedUntilMs = journal.at(-1) ?? 0;
  return {
    applied: journal.length,
    pending: MIGRATIONS.filter(({ createdAtMs }) => createdAtMs > appliedUntilMs).length,
    isNewer: appliedUntilMs > NEWEST_KNOWN_MS,
  };
}

/**
 * Applies the migrations of drizzle/ that this database has not seen, all in one transaction that takes the write
 * lock before it looks, so two processes that start together apply each migration once. (Drizzle's own migrator
 * looks first and locks later.)
 *
 * @param beforeFirst called before the tables of a non-empty database change, while no other process can write to it
 * @returns how many were applied
 * @throws Error when the database was written by a newer version
 */
export async function migrate(client: Client, beforeFirst?: BeforeMigrating): Promise<number> {
  const transaction = await client.transaction('write');
  try {
    await transaction.execute(CREATE_JOURNAL);
    const last = await transaction.execute('SELECT max(created_at) AS at FROM __drizzle_migrations');
    const appliedUntilMs = Number(last.rows[0]?.at ?? 0);
    if (appliedUntilMs > NEWEST_KNOWN_MS) throw new Error(NEWER);
    const pending = MIGRATIONS.filter(({ createdAtMs }) => createdAtMs > appliedUntilMs);
    if (appliedUntilMs > 0 && pending.length > 0)
      await beforeFirst?.({ applied: MIGRATIONS.length - pending.length });
    for (const { statements, hash, createdAtMs } of pending) {
      for (const statement of statements) await transaction.execute(statement);
      await transaction.execute({
        sql: 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)',
        args: [hash, createdAtMs],
      });
    }
    await transaction.commit();
    return pending.length;
  } finally {
    transaction.close();
  }
}
