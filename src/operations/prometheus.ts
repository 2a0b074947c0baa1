import { COMMIT_BOUNDS_S, type Counters, ROUTE_GROUPS, STATUS_CLASSES } from './counters.ts';

/** Values that are read at the moment of the request. */
export type Gauges = {
  uptimeS: number;
  residentBytes: number;
  queued: number;
  queueMax: number;
  ingestLagS: number;
  openStreams: number;
  logLinesDropped: number;
  behind: { events: number; seconds: number } | undefined;
  /** Engine that keeps the events and computes the reports. */
  engine: 'embedded' | 'clickhouse';
  /** The last look at their server; undefined without one, or before the first. */
  events: { ok: boolean; latencyMs: number } | undefined;
  databaseBytes: number | undefined;
  diskFreeBytes: number | undefined;
  lastBackup: { finishedAtMs: number; ok: boolean } | undefined;
  version: string;
  /** `openFiles`: undefined where the system does not say. */
  process: { residentBytes: number; startedAtS: number; cpuS: number; openFiles: number | undefined };
};

type Sample = [labels: string, value: number];

/** The text format of Prometheus, 0.0.4. Names end in their unit; all begin with `pagemeter_`. */
export function toPrometheusText(counters: Counters, gauges: Gauges): string {
  const lines: string[] = [];
  function add(type: 'counter' | 'gauge', name: string, help: string, samples: readonly Sample[]): void {
    lines.push(`# HELP pagemeter_${name} ${help}`, `# TYPE pagemeter_${name} ${type}`);
    for (const [labels, value] of samples) lines.push(`pagemeter_${name}${labels} ${value}`);
  }
  function addGauge(name: string, help: string, value: number | undefined): void {
    if (value !== undefined) add('gauge', name, help, [['', value]]);
  }

  add('gauge', 'info', 'Always 1.', [[`{version="${gauges.version}"}`, 1]]);
  const runtime = `bun="${Bun.version}",os="${process.platform}",arch="${process.arch}"`;
  add('gauge', 'build_info', 'What runs; always 1.', [[`{version="${gauges.version}",${runtime}}`, 1]]);
  add('gauge', 'events_engine_info', 'What keeps the events; always 1.', [
    [`{engine="${gauges.engine}"}`, 1],
  ]);
  addGauge('uptime_seconds', 'Since the start.', gauges.uptimeS);
  addGauge('resident_memory_bytes', 'Memory of the process.', gauges.residentBytes);
  const requests = ROUTE_GROUPS.flatMap((group) =>
    STATUS_CLASSES.map(
      (name, index): Sample => [`{group="${group}",status="${name}"}`, counters.requests[group][index] ?? 0],
    ),
  );
  add('counter', 'requests_total', 'Answered requests by kind of route.', requests);
  add(
    'counter',
    'events_total',
    'Submitted events; stored includes bots and repeats, unavailable is answered 503.',
    [
      ['{outcome="stored"}', counters.events.stored],
      ['{outcome="refused"}', counters.events.refused],
      ['{outcome="unavailable"}', counters.events.unavailable],
    ],
  );
  add('counter', 'bot_events_total', 'Stored events of bots.', [['', counters.events.bots]]);
  addHistogram(lines, 'request_seconds', 'Time from the head of a request to its answer.', counters.answers);
  addHistogram(lines, 'commit_seconds', 'Time of a transaction of events.', counters.commits);
  const limits = Object.entries(counters.limitsHit).map(
    ([name, hits]): Sample => [`{limit="${name}"}`, hits],
  );
  add('counter', 'limits_hit_total', 'Requests answered 429.', limits);
  add('counter', 'login_failures_total', 'Wrong passwords and unknown accounts.', [
    ['', counters.loginFailures],
  ]);
  add('counter', 'log_lines_dropped_total', 'Lines of the request log that were left out.', [
    ['', gauges.logLinesDropped],
  ]);
  addGauge('ingest_queue_events', 'Events that wait for the disk.', gauges.queued);
  addGauge('ingest_queue_max_events', 'Beyond it senders are answered 503.', gauges.queueMax);
  addGauge('ingest_lag_seconds', 'How long the first of those that wait has waited.', gauges.ingestLagS);
  addGauge('open_streams', 'Live streams that are open.', gauges.openStreams);
  const { behind } = gauges;
  addGauge('statistics_behind_events', 'Events that no segment on disk holds yet.', behind?.events);
  addGauge('statistics_behind_seconds', 'Age of the first of them; 0 without any.', behind?.seconds);
  const { events } = gauges;
  addGauge('events_server_up', '1 when the server of the events answered last.', events && Number(events.ok));
  addGauge('events_server_latency_seconds', 'What its answer took.', events && events.latencyMs / 1_000);
  addGauge('database_bytes', 'The database file with its log.', gauges.databaseBytes);
  addGauge('disk_free_bytes', 'Free where the database is.', gauges.diskFreeBytes);
  const { lastBackup } = gauges;
  addGauge(
    'last_backup_timestamp_seconds',
    'When the last backup ended.',
    lastBackup && lastBackup.finishedAtMs / 1_000,
  );
  addGauge('last_backup_success', '1 when the last backup succeeded.', lastBackup && Number(lastBackup.ok));
  addProcess(lines, gauges);
  return `${lines.join('\n')}\n`;
}

/** Under the names that dashboards for Prometheus know, of every client library. */
function addProcess(lines: string[], { process }: Gauges): void {
  const metrics: [type: string, name: string, help: string, value: number | undefined][] = [
    ['gauge', 'resident_memory_bytes', 'Resident memory size in bytes.', process.residentBytes],
    [
      'gauge',
      'start_time_seconds',
      'Start time of the process since unix epoch in seconds.',
      process.startedAtS,
    ],
    ['counter', 'cpu_seconds_total', 'Total user and system CPU time spent in seconds.', process.cpuS],
    ['gauge', 'open_fds', 'Number of open file descriptors.', process.openFiles],
  ];
  for (const [type, name, help, value] of metrics)
    if (value !== undefined)
      lines.push(
        `# HELP process_${name} ${help}`,
        `# TYPE process_${name} ${type}`,
        `process_${name} ${value}`,
      );
}

function addHistogram(
  lines: string[],
  suffix: string,
  help: string,
  { counts, sum, count }: Counters['commits'],
): void {
  const name = `pagemeter_${suffix}`;
  lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} histogram`);
  let below = 0;
  COMMIT_BOUNDS_S.forEach((bound, index) => {
    below += counts[index] ?? 0;
    lines.push(`${name}_bucket{le="${bound}"} ${below}`);
  });
  lines.push(`${name}_bucket{le="+Inf"} ${count}`, `${name}_sum ${sum}`, `${name}_count ${count}`);
}
