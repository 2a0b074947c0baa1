import { statfsSync } from 'node:fs';
import type { Health } from '../contract/health.ts';
import type { Condition } from './condition.ts';
import type { Probe } from './probe.ts';

/** How the last backup ended; undefined when none was made since the start. */
export type LastBackup = { finishedAtMs: number; ok: boolean; error?: string } | undefined;

export type HealthDeps = {
  condition: Condition;
  probe: Probe;
  /** See Writer. */
  queue: { size: () => number; max: number; refusedAtMs: () => number | undefined };
  monotonicMs: () => number;
  /** Directory of the database file, if it is one. */
  directory: string | undefined;
  lastBackup?: (() => LastBackup) | undefined;
};

/** Warned of below a hundredth of the volume, of a large one below a GiB. */
const FREE_SHARE_MIN = 0.01;
const FREE_BYTES_MIN = 1024 ** 3;
/** Beyond it senders are about to be told to come back. */
const QUEUE_SHARE_MAX = 0.9;
/** The one row of the probe may still fit where events no longer do. Senders try again within seconds. */
const REFUSED_MS = 10_000;

/**
 * `unavailable`: requests fail, or are about to. `degraded`: all is answered, and somebody should look. Says what is
 * wrong in words of ours, never a path, an address or a message of another program.
 */
export async function readHealth(deps: HealthDeps): Promise<Health> {
  const { condition, probe, queue, lastBackup } = deps;
  const failures: string[] = [];
  const warnings: string[] = [];

  const database = condition.isFileGone
    ? { ok: false, latencyMs: 0, reason: 'its file was removed or replaced' }
    : await probe.run();
  if (!database.ok) failures.push(`The database does not work: ${database.reason}`);
  if (condition.isStopping) failures.push('The service is stopping');

  const queued = queue.size();
  const isQueueShort = queued < queue.max * QUEUE_SHARE_MAX;
  if (!isQueueShort) failures.push('Too many events wait for the disk');
  const refusedAtMs = queue.refusedAtMs();
  const isTaking = refusedAtMs === undefined || deps.monotonicMs() - refusedAtMs > REFUSED_MS;
  // Where the database does not work, that is why it refused them.
  if (!isTaking && database.ok) failures.push('The database refused the last events');

  const disk = deps.directory === undefined ? undefined : readDisk(deps.directory);
  if (disk && !disk.ok) warnings.push('The disk is nearly full');

  const backup = lastBackup?.();
  if (backup && !backup.ok) warnings.push('The last backup failed');

  const behind = database.ok ? probe.behind() : undefined;
  return {
    status: failures.length > 0 ? 'unavailable' : warnings.length > 0 ? 'degraded' : 'ok',
    reasons: [...failures, ...warnings],
    checks: {
      database: { ok: database.ok, latencyMs: database.latencyMs },
      ingest: { ok: isQueueShort && isTaking, queued, queueMax: queue.max },
      ...(disk && { disk }),
      ...(behind && {
        statistics: { ok: true, eventsBehind: behind.events, secondsBehind: behind.seconds },
      }),
      ...(backup && {
        backup: { ok: backup.ok, finishedAt: new Date(backup.finishedAtMs).toISOString() },
      }),
    },
  };
}

export function readDisk(directory: string): { ok: boolean; freeBytes: number } | undefined {
  try {
    const { bavail, bsize, blocks } = statfsSync(directory);
    const freeBytes = bavail * bsize;
    return { ok: freeBytes >= Math.min(blocks * bsize * FREE_SHARE_MIN, FREE_BYTES_MIN), freeBytes };
  } catch {
    return undefined; // the directory is gone: the database says so
  }
}
