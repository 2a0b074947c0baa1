import Database from 'libsql';
import { readPosition, readProbe, writeProbe } from '../analytics/embedded/examine.ts';
import { sqliteExtendedCode, withBusyRetry } from '../db/busy.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import type { Db } from '../db/open.ts';
import { readBacklog } from '../log/examination.ts';

export type ProbeResult = { ok: boolean; latencyMs: number; reason?: string };
/** `seconds`: the age of the event that was stored first among them, by its own time; 0 without events. */
type Behind = { events: number; seconds: number };
export type Probe = {
  /** Whether the database takes a write and gives it back. */
  run(): Promise<ProbeResult>;
  /** Events that no segment on disk holds; undefined where the statistics are not in the database. */
  behind(): Behind | undefined;
  close(): void;
};

/** A monitor may ask as often as it likes: each probe is a synced write. */
const EVERY_MS = 2_000;
const PATIENCE_MS = 1_000;

type Options = {
  db: Db;
  local: LocalDatabase | undefined;
  /** Path of the database, if it is a file. */
  path: string | undefined;
  /** The events, and the statistics of them, are in the database. */
  hasEvents: boolean;
  monotonicMs: () => number;
  now: () => number;
};

/**
 * Writes a row through the service's connection and, for a file, reads it through another one: a connection that reports
 * commits which no other connection sees has occurred (see local-database).
 */
export function createProbe({ db, local, path, hasEvents, monotonicMs, now }: Options): Probe {
  let last: { atMs: number; result: Promise<ProbeResult> } | undefined;
  let witness: LocalDatabase | undefined;
  let count = 0;

  async function probe(): Promise<ProbeResult> {
    const startedMs = performance.now();
    const latencyMs = () => Math.round((performance.now() - startedMs) * 10) / 10;
    try {
      const isSeen = local
        ? await withBusyRetry(() => writeAndRead(local), { patienceMs: PATIENCE_MS })
        : await reach();
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
    inTransaction(database, 'write', () => writeProbe(database, count));
    if (path === undefined) return true;
    witness ??= new Database(path, { readonly: true });
    return readProbe(witness) === count;
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
    behind() {
      if (!local || !hasEvents) return undefined;
      const { events, firstAtMs = now() } = readBacklog(local, readPosition(local).checkpoint);
      return { events, seconds: Math.max(Math.floor((now() - firstAtMs) / 1_000), 0) };
    },
    close() {
      witness?.close();
      witness = undefined;
    },
  };
}
