import type { Analytics } from '../analytics/analytics.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Counters } from './counters.ts';
import { createEventsProbe } from './events-probe.ts';
import { readGauges } from './gauges.ts';
import type { HealthDeps } from './health.ts';
import { createProbe } from './probe.ts';
import { toPrometheusText } from './prometheus.ts';
import { createStatisticsWatch } from './statistics-watch.ts';

type Deps = Pick<HealthDeps, 'condition' | 'queue' | 'monotonicMs' | 'readDisk' | 'lastBackup'> & {
  database: Pick<OpenDatabase, 'db' | 'local'>;
  /** Path of the database, if it is a file. */
  path: string | undefined;
  /** See Storage. */
  storage: { analytics: Analytics; isInDatabase: boolean; ping: (() => Promise<void>) | undefined };
  counters: Counters;
  now: () => number;
  countStreams: () => number;
  countDroppedLines: () => number;
  onWarning: (message: string) => void;
};

/** The probes of the service, and the two documents made of them: the health and the text of /metrics. */
export function createOperations(deps: Deps) {
  const { database, path, storage, counters, monotonicMs, now, onWarning } = deps;
  const { db, local } = database;
  const probe = createProbe({ db, local, path, hasEvents: storage.isInDatabase, monotonicMs, now });
  const statistics = createStatisticsWatch({ db, analytics: storage.analytics, onWarning });
  const eventsProbe = storage.ping && createEventsProbe(storage.ping, monotonicMs);
  const health: HealthDeps = { ...deps, probe, statistics, eventsProbe };
  const startedMs = monotonicMs();
  return {
    health,
    statistics,
    metricsText: () =>
      toPrometheusText(counters, {
        ...readGauges({ health, path }),
        uptimeS: Math.floor((monotonicMs() - startedMs) / 1_000),
        openStreams: deps.countStreams(),
        logLinesDropped: deps.countDroppedLines(),
      }),
    close: probe.close,
  };
}
