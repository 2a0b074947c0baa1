import { DERIVED_COLUMNS, derive } from '../src/analytics/clickhouse/derived.ts';
import { createClickHouseAnalytics } from '../src/analytics/clickhouse/engine.ts';
import { FIVE_WEBSITES, generateTraffic } from '../src/demo/traffic.ts';
import { createClickHouseLog } from '../src/log/clickhouse/event-log.ts';
import { openEventsServer } from '../src/log/clickhouse/open.ts';
import { sql } from '../src/log/clickhouse/sql.ts';
import type { NewEvent } from '../src/log/event.ts';
import { startClickHouse } from '../tests/support/clickhouse.ts';
import { askPanelsByHand } from './analytics/clickhouse-panels.ts';
import { DAY_MS, LARGEST } from './analytics/questions.ts';
import { END_MS, keyOf, toStored } from './analytics/quick/load.ts';
import { listQuestions } from './analytics/quick/questions.ts';

/**
 * The engine of ClickHouse as the tests have it (chdb, one statement after the other): what storing events takes, what
 * they take on the disk, and what the panels of a dashboard take. `bun bench/clickhouse.ts [EVENTS]`
 */

const EVENTS = Number(Bun.argv[2] ?? 1_000_000);
const GROUP = 10_000;
const TIMES = 3;
const DAYS = 90;

const clickHouse = await startClickHouse();
const server = await openEventsServer(
  { url: await clickHouse.createDatabase(), caFile: undefined },
  DERIVED_COLUMNS,
);
const log = createClickHouseLog({
  server,
  findLive: async (keys) => new Set(keys),
  derive,
  isShared: false,
  now: Date.now,
});

let storingMs = 0;
let group: NewEvent[] = [];
for (const event of generateTraffic({
  seed: 1,
  websites: FIVE_WEBSITES,
  days: DAYS,
  events: EVENTS,
  endMs: END_MS,
})) {
  group.push(toStored(event));
  if (group.length < GROUP) continue;
  const startedMs = performance.now();
  await log.append(group);
  storingMs += performance.now() - startedMs;
  group = [];
}
console.log(`${Math.round(EVENTS / (storingMs / 1_000))} events a second, in groups of ${GROUP}`);

await server.command(sql`OPTIMIZE TABLE events FINAL`);
await server.command(sql`OPTIMIZE TABLE event_ids FINAL`);
const sizes = await server.read<[table: string, bytes: number]>(
  sql`SELECT table, sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table`,
);
for (const [table, bytes] of sizes) console.log(`${table}: ${(bytes / EVENTS).toFixed(1)} bytes an event`);

const columns = await server.read<[name: string, bytes: number]>(
  sql`SELECT name, data_compressed_bytes AS bytes FROM system.columns
    WHERE database = currentDatabase() AND table IN ('events', 'event_ids') ORDER BY bytes DESC LIMIT 40`,
);
console.log(columns.map(([name, bytes]) => `${name} ${(bytes / EVENTS).toFixed(1)}`).join(', '));

async function time(name: string, ask: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < TIMES; run += 1) {
    const startedMs = performance.now();
    await ask();
    times.push(performance.now() - startedMs);
  }
  console.log(`${name}: ${Math.round(Math.min(...times))} ms`);
}

const analytics = createClickHouseAnalytics({ server, now: Date.now });
if (Bun.argv[3] !== 'sizes') {
  for (const { name, ask } of listQuestions()) await time(name, () => ask(analytics));
  for (const days of [30, 90]) {
    const range = { websiteKey: keyOf(LARGEST), fromMs: END_MS - days * DAY_MS, toMs: END_MS };
    await time(`ten panels, ${days} days, by hand`, () => askPanelsByHand(server, range));
  }
}
await server.close();
await clickHouse.stop();
