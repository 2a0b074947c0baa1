import { readdirSync, statSync } from 'node:fs';
import { version } from '../../package.json';
import type { HealthDeps } from './health.ts';
import type { Gauges } from './prometheus.ts';

/** Reads the current gauges from the parts of the service. */
export function readGauges({
  health,
  path,
}: {
  health: HealthDeps;
  path: string | undefined;
}): Omit<Gauges, 'uptimeS' | 'openStreams' | 'logLinesDropped'> {
  const { queue, probe, eventsProbe, readDisk, lastBackup } = health;
  return {
    residentBytes: process.memoryUsage.rss(),
    queued: queue.size(),
    queueMax: queue.max,
    ingestLagS: queue.waitedMs() / 1_000,
    behind: probe.behind(),
    events: eventsProbe?.last(),
    engine: eventsProbe ? 'clickhouse' : 'embedded',
    databaseBytes: path === undefined ? undefined : sizeOf(path) + sizeOf(`${path}-wal`),
    diskFreeBytes: readDisk()?.freeBytes,
    lastBackup: lastBackup?.(),
    version,
    process: readProcess(),
  };
}

function readProcess(): Gauges['process'] {
  const { user, system } = process.cpuUsage(); // microseconds
  return {
    residentBytes: process.memoryUsage.rss(),
    startedAtS: Math.round((Date.now() - process.uptime() * 1_000) / 1_000),
    cpuS: (user + system) / 1_000_000,
    openFiles: countOpenFiles(),
  };
}

/** Counts them on Linux; undefined elsewhere. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
