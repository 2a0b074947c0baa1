import { existsSync, readFileSync, statSync } from 'node:fs';
import type { Analytics, Breakdown, Filter, Query } from '../src/analytics/analytics.ts';
import { openAnalytics } from '../src/analytics/open.ts';
import { openDatabase } from '../src/db/open.ts';
import { FIVE_WEBSITES, generateTraffic } from '../src/demo/traffic.ts';
import { toNewEvent } from '../src/demo/traffic-event.ts';
import type { NewEvent } from '../src/events/event.ts';
import { createLocalLog } from '../src/events/local-log.ts';

/**
 * Loads invented traffic through the real log writer, lets the engine follow it, and asks what a dashboard asks.
 *
 *   bun bench/analytics.ts [--events 10000000] [--file /tmp/bench.db] [--rounds 15]
 *
 * A file that exists already is asked only, not loaded again.
 */
const DAY_MS = 86_400_000;
const DAYS = 90;
const END_MS = Date.UTC(2026, 0, 1);
const GROUP = 500;

const options = readOptions();
if (process.argv.includes('--load')) {
  await load();
  process.exit();
}
// In a process of its own, so that its memory is not taken for the engine's.
if (!existsSync(options.file))
  Bun.spawnSync([process.execPath, import.meta.path, '--load', ...process.argv.slice(2)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
const database = await openDatabase({ kind: 'file', path: options.file }, 'normal');
if (!database.local) throw new Error('The bench needs a local database.');
const { local } = database;
const analytics = openAnalytics({
  target: { kind: 'file', path: options.file },
  local,
  onError: (error) => console.error(error),
});
await follow(analytics);
reportSizes();
for (const website of [0, FIVE_WEBSITES.length - 1]) await askDashboards(website);
await askHeadlines();
await askLists();
console.log(`process: ${megabytes(readRss('VmRSS'))} now, ${megabytes(readRss('VmHWM'))} at most`);
await analytics.close();
database.close();

async function load(): Promise<void> {
  const database = await openDatabase({ kind: 'file', path: options.file }, 'normal');
  if (!database.local) throw new Error('The bench needs a local database.');
  const { local } = database;
  const websites = FIVE_WEBSITES.map(({ domain }, index) => ({ key: index + 1, domain }));
  for (const { key, domain } of websites)
    local.exec(
      `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
       VALUES (${key}, 'w${key}', '${domain}', '${domain}', '${domain}', '', 'pm-${key}', 0, 0)`,
    );
  const log = createLocalLog(local);
  let group: NewEvent[] = [];
  let writingMs = 0;
  const traffic = generateTraffic({
    seed: 1,
    websites: FIVE_WEBSITES,
    days: DAYS,
    events: options.events,
    endMs: END_MS,
  });
  for (const event of traffic) {
    // The log looks at nothing of a website but its key.
    const website = { key: event.website + 1 } as NewEvent['website'];
    group.push(toNewEvent(event, website));
    if (group.length === GROUP) flush();
  }
  flush();
  console.log(
    `load: ${options.events.toLocaleString('en')} events, ${Math.round(options.events / (writingMs / 1_000)).toLocaleString('en')} events/s in groups of ${GROUP}`,
  );
  database.close();

  function flush(): void {
    const startedMs = performance.now();
    log.append(group);
    writingMs += performance.now() - startedMs;
    group = [];
  }
}

async function follow(engine: Analytics): Promise<void> {
  const startedMs = performance.now();
  await engine.freshness();
  const tookS = (performance.now() - startedMs) / 1_000;
  console.log(
    `follow: ${tookS.toFixed(1)} s, ${Math.round(options.events / tookS).toLocaleString('en')} events/s`,
  );
}

function reportSizes(): void {
  local.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const tables = ['day_blocks', 'day_columns'].map((table) => {
    // The statement names this one column.
    const row = local.prepare(`SELECT sum(length(data)) AS bytes FROM ${table}`).get() as { bytes: number };
    return `${table} ${(row.bytes / options.events).toFixed(1)}`;
  });
  const rows = ['terms', 'visitors'].map((table) => {
    const row = local.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number };
    return `${table} ${row.count.toLocaleString('en')} rows`;
  });
  const bytes = statSync(options.file).size;
  console.log(
    `file: ${megabytes(bytes)}, ${(bytes / options.events).toFixed(1)} bytes an event (${tables.join(', ')}, ${rows.join(', ')})`,
  );
}

/** Ten panels: totals, series, pages, entries, sources, channels, countries, browsers, systems, devices. */
function dashboard(website: number, days: number, filter: Filter | undefined): Query {
  const fromMs = END_MS - days * DAY_MS;
  const breakdowns = (
    ['page', 'entryPage', 'source', 'channel', 'country', 'browser', 'os', 'deviceType'] as const
  ).map((dimension): Breakdown => ({ dimension, limit: 10 }));
  return {
    websiteKey: website + 1,
    fromMs,
    toMs: END_MS,
    totals: true,
    series: { bounds: Array.from({ length: days + 1 }, (_, day) => fromMs + day * DAY_MS) },
    breakdowns,
    ...(filter && { filter }),
  };
}

async function askDashboards(website: number): Promise<void> {
  const is = (dimension: 'country' | 'deviceType' | 'browser', value: string): Filter => ({
    op: 'match',
    dimension,
    operator: 'is',
    values: [value],
  });
  const filters: [string, Filter | undefined][] = [
    ['no filter', undefined],
    ['country', is('country', 'DE')],
    [
      'three filters',
      {
        op: 'and',
        filters: [is('country', 'DE'), is('deviceType', 'desktop'), is('browser', 'Chrome')],
      },
    ],
  ];
  for (const days of [7, 30, 90])
    for (const [name, filter] of filters) {
      const request = dashboard(website, days, filter);
      const { totals } = await analytics.query(request);
      await report(
        `${FIVE_WEBSITES[website]?.domain} ${days} d, ten panels, ${name} (${totals?.pageviews.toLocaleString('en')} pageviews, ${totals?.visitors.toLocaleString('en')} visitors)`,
        () => analytics.query(request),
      );
    }
}

async function askHeadlines(): Promise<void> {
  const websiteKeys = FIVE_WEBSITES.map((_, index) => index + 1);
  for (const days of [7, 30, 90])
    await report(`headlines of five websites ${days} d`, () =>
      analytics.headlines({ websiteKeys, fromMs: END_MS - days * DAY_MS, toMs: END_MS }),
    );
}

async function askLists(): Promise<void> {
  const month = { websiteKey: 1, fromMs: END_MS - 30 * DAY_MS, toMs: END_MS, limit: 50, offset: 0 };
  await report('realtime', () => analytics.realtime({ websiteKey: 1, nowMs: END_MS - 1, limit: 10 }));
  await report('sessions 30 d', () => analytics.sessions(month));
  await report('visitors 30 d', () => analytics.visitors(month));
  await report('pages 30 d', () => analytics.pages(month));
  await report('custom events 30 d', () => analytics.customEvents(month));
  await report('property keys 30 d', () => analytics.propertyKeys(month));
}

async function report(name: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const startedMs = performance.now();
    await ask();
    times.push(performance.now() - startedMs);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(1);
  console.log(`${name}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, least ${at(0)} ms`);
}

/** In bytes, from the kernel's own account of this process with all of its threads. */
function readRss(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(status.match(new RegExp(`${field}:\\s+(\\d+)`))?.[1] ?? 0) * 1_024;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MiB`;
}

function readOptions(): { events: number; file: string; rounds: number } {
  const read = (name: string, fallback: string) => {
    const index = process.argv.indexOf(`--${name}`);
    return index < 0 ? fallback : (process.argv[index + 1] ?? fallback);
  };
  const events = Number(read('events', '10000000'));
  return {
    events,
    file: read('file', `/tmp/pagemeter-bench-${events}.db`),
    rounds: Number(read('rounds', '15')),
  };
}
