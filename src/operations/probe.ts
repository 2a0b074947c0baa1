import Database from 'libsql';
import { sqliteExtendedCode, withBusyRetry } from '../db/busy.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import type { Db } from '../db/open.ts';

export type ProbeResult = { ok: boolean; latencyMs: number; reason?: string };
export type Probe = {
  /** Whether the database takes a write and gives it back. */
  run(): Promise<ProbeResult>;
  /** Events of the log that no summary on disk holds; undefined where there are no summaries. */
  eventsBehind(): number | undefined;
  close(): void;
};

/** A monitor may ask as often as it likes: each probe is a synced write. */
const EVERY_MS = 2_000;
const PATIENCE_MS = 1_000;

type Options = {
  db: Db;
  local: LocalDatabase | undefined;
  /** Of the file, if it is one. */
  path: string | undefined;
  monotonicMs: () => number;
};

/**
 * Writes a row through the connection of the service and, of a file, reads it through another one: a connection that
 * reports commits which nobody else can see has been met (see local-database).
 */
export function createProbe({ db, local, path, monotonicMs }: Options): Probe {
  let last: { atMs: number; result: Promise<ProbeResult> } | undefined;
  let witness: LocalDatabase | undefined;
  let count = 0;

  async function probe(): Promise<ProbeResult> {
    const startedMs = performance.now();
    const latencyMs = () => Math.round((performance.now() - startedMs) * 10) / 10;
    try {
      const isSeen = local ? await withBusyRetry(() => writeAndRead(local), PATIENCE_MS) : await reach();
      return isSeen
        ? { ok: true, latencyMs: latencyMs() }
        : { ok: false, latencyMs: latencyMs(), reason: 'what was written is not there' };
    } catch (error) {
      const code = sqliteExtendedCode(error) ?? 'unreachable';
      return { ok: false, latencyMs: latencyMs(), reason: `it refuses to be written: ${code}` };
    }
  }

  function writeAndRead(database: LocalDatabase): boolean {
    count += 1;
    database.exec('BEGIN IMMEDIATE'); // by exec, never prepared: see local-database
    try {
      database
        .prepare("INSERT OR REPLACE INTO analytics_state (name, value) VALUES ('probe', ?)")
        .run([count]);
      database.exec('COMMIT');
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
    if (path === undefined) return true;
    witness ??= new Database(path, { readonly: true });
    // The statement names this one column. `all` runs to the end; `get` would go on reading.
    const rows = witness.prepare("SELECT value FROM analytics_state WHERE name = 'probe'").all([]);
    return (rows as { value: number }[])[0]?.value === count;
  }

  async function reach(): Promise<boolean> {
    await db.$client.execute('SELECT 1');
    return true;
  }

  return {
    run() {
      const nowMs = monotonicMs();
      if (!last || nowMs - last.atMs >= EVERY_MS) last = { atMs: nowMs, result: probe() };
      return last.result;
    },
    eventsBehind() {
      if (!local) return undefined;
      // Two looks at the end of an index. Keys of removed events count, so it is at most this.
      const [row] = local.prepare(BEHIND).all([]) as { behind: number }[];
      return Math.max(row?.behind ?? 0, 0);
    },
    close() {
      witness?.close();
      witness = undefined;
    },
  };
}

const BEHIND = `SELECT coalesce((SELECT max(key) FROM events), 0)
  - coalesce((SELECT value FROM analytics_state WHERE name = 'checkpoint'), 0) AS behind`;
