import type { Health } from '../contract/health.ts';
import type { Condition } from './condition.ts';
import { isBelowFloor, isNearlyFull, type ReadDiskSpace } from './disk.ts';
import type { EventsProbe } from './events-probe.ts';
import type { Probe } from './probe.ts';
import type { StatisticsWatch } from './statistics-watch.ts';

/** How the last backup ended; undefined when none was made since the start. */
export type LastBackup = { finishedAtMs: number; ok: boolean; error?: string } | undefined;

export type HealthDeps = {
  condition: Condition;
  probe: Probe;
  /** Probe of the server that keeps the events; undefined where the database does. */
  eventsProbe: EventsProbe | undefined;
  statistics: StatisticsWatch;
  /** See Writer. */
  queue: {
    size: () => number;
    waitedMs: () => number;
    max: number;
    refusedAtMs: () => number | undefined;
  };
  monotonicMs: () => number;
  readDisk: ReadDiskSpace;
  lastBackup?: (() => LastBackup) | undefined;
};

/** Share of the queue beyond which senders will soon get 503. */
const QUEUE_SHARE_MAX = 0.9;
/** The one row of the probe may still fit where events no longer do. Senders try again within seconds. */
const REFUSED_MS = 10_000;

/**
 * Reads the health. `unavailable`: requests fail, or are about to. `degraded`: requests succeed, but something needs
 * attention. Failures are described in our own words, without paths, addresses or messages of other programs.
 */
export async function readHealth(deps: HealthDeps): Promise<Health> {
  const { condition, probe, eventsProbe, queue, lastBackup } = deps;
  const failures: string[] = [];
  const warnings: string[] = [];

  const database = condition.isFileGone
    ? { ok: false, latencyMs: 0, reason: 'its file was removed or replaced' }
    : await probe.run();
  if (!database.ok) failures.push(`The database does not work: ${database.reason}`);
  if (condition.isStopping) failures.push('The service is stopping');

  const events = await eventsProbe?.run();
  if (events && !events.ok) failures.push(`The server of the events does not work: ${events.reason}`);

  const queued = queue.size();
  const isQueueShort = queued < queue.max * QUEUE_SHARE_MAX;
  if (!isQueueShort) failures.push('Too many events wait for the disk');
  const refusedAtMs = queue.refusedAtMs();
  const isTaking = refusedAtMs === undefined || deps.monotonicMs() - refusedAtMs > REFUSED_MS;
  // A failure of the database, or of the server of the events, already explains the refusals.
  if (!isTaking && database.ok && events?.ok !== false) failures.push('The database refused the last events');

  const disk = deps.readDisk();
  const hasRoom = !isBelowFloor(disk);
  if (!hasRoom) failures.push('The disk is nearly full: events are refused');
  else if (disk && isNearlyFull(disk)) warnings.push('The disk is nearly full');

  const backup = lastBackup?.();
  if (backup && !backup.ok) warnings.push('The last backup failed');

  const isStuck = deps.statistics.isStuck();
  if (isStuck) warnings.push('The statistics do not follow the events');

  const behind = database.ok ? probe.behind() : undefined;
  return {
    status: failures.length > 0 ? 'unavailable' : warnings.length > 0 ? 'degraded' : 'ok',
    reasons: [...failures, ...warnings],
    checks: {
      database: { ok: database.ok, latencyMs: database.latencyMs },
      ...(events && {
        events: { ok: events.ok, engine: 'clickhouse' as const, latencyMs: events.latencyMs },
      }),
      ingest: { ok: isQueueShort && isTaking && hasRoom, queued, queueMax: queue.max },
      ...(disk && { disk: { ok: !isNearlyFull(disk), freeBytes: disk.freeBytes } }),
      ...(behind && {
        statistics: { ok: !isStuck, eventsBehind: behind.events, secondsBehind: behind.seconds },
      }),
      ...(backup && {
        backup: { ok: backup.ok, finishedAt: new Date(backup.finishedAtMs).toISOString() },
      }),
    },
  };
}
