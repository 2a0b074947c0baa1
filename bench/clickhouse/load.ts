import { rmSync, statSync } from 'node:fs';
import { derive } from '../../src/analytics/clickhouse/derived.ts';
import { openDatabase } from '../../src/db/open.ts';
import { FIVE_WEBSITES, generateTraffic } from '../../src/demo/traffic.ts';
import { createClickHouseLog } from '../../src/log/clickhouse/event-log.ts';
import { toRow } from '../../src/log/clickhouse/rows.ts';
import type { EventsServer } from '../../src/log/clickhouse/server.ts';
import { sql } from '../../src/log/clickhouse/sql.ts';
import type { NewEvent } from '../../src/log/event.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { GROUP_LIMITS } from '../../src/storage/clickhouse.ts';
import { END_MS, insertWebsites, toStored } from '../analytics/quick/load.ts';

const GROUP = GROUP_LIMITS.eventsMax;
/** Made ahead, so that making them is not measured. */
const BATCH = 20 * GROUP;
const DAYS = 90;

/** Stores the same events on ClickHouse and in a file. @returns what it took, for people */
export async function loadBoth(
  server: EventsServer,
  { file, events }: { file: string; events: number },
): Promise<string> {
  for (const table of [sql`events`, sql`event_ids`]) await server.command(sql`TRUNCATE TABLE ${table}`);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  const database = await openDatabase({ kind: 'file', path: file }, 'normal');
  const { local } = database;
  if (!local) throw new Error('A file is a local database.');
  insertWebsites(local);
  const embedded = createLocalLog(local);
  const clickHouse = createClickHouseLog({
    server,
    findLive: async (keys) => new Set(keys),
    findRunning: () => Promise.resolve(new Set()),
    derive,
    isShared: false,
    now: Date.now,
  });
  const storing = { clickHouseMs: 0, embeddedMs: 0 };
  let ceiling: string | undefined;
  for (const batch of batches(events)) {
    const groups = Array.from({ length: Math.ceil(batch.length / GROUP) }, (_, index) =>
      batch.slice(index * GROUP, (index + 1) * GROUP),
    );
    ceiling ??= rateOf(batch.length, await insertAlone(server, groups));
    const startedMs = performance.now();
    const rest = groups.values();
    const append = async () => {
      for (const group of rest) await clickHouse.append(group);
    };
    await Promise.all(Array.from({ length: GROUP_LIMITS.atOnce }, append));
    const halfMs = performance.now();
    for (const group of groups) embedded.append(group);
    storing.clickHouseMs += halfMs - startedMs;
    storing.embeddedMs += performance.now() - halfMs;
  }
  database.close();
  for (const table of [sql`events`, sql`event_ids`]) await server.command(sql`OPTIMIZE TABLE ${table} FINAL`);
  const rate = (ms: number) => rateOf(events, ms);
  return `stored in groups of ${GROUP}: ClickHouse ${rate(storing.clickHouseMs)} (rows alone, made ahead, one insert after the other: ${ceiling}), embedded ${rate(storing.embeddedMs)}; the file's log ${(statSync(file).size / events).toFixed(1)} bytes an event`;
}

function rateOf(events: number, ms: number): string {
  return `${Math.round(events / (ms / 1_000))}/s`;
}

function* batches(events: number): Generator<NewEvent[]> {
  let batch: NewEvent[] = [];
  for (const event of generateTraffic({
    seed: 1,
    websites: FIVE_WEBSITES,
    days: DAYS,
    events,
    endMs: END_MS,
  })) {
    batch.push(toStored(event));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Inserts at the server's maximum rate: nothing is looked up, derived or written as JSON meanwhile. @returns ms */
async function insertAlone(server: EventsServer, groups: readonly NewEvent[][]): Promise<number> {
  await server.command(sql`CREATE OR REPLACE TABLE ceiling AS events`);
  const inserts = groups.map((group) =>
    server.toInsert(
      'ceiling',
      group.map((event, index) => toRow(event, index, derive)),
    ),
  );
  const startedMs = performance.now();
  for (const insert of inserts) await insert();
  const tookMs = performance.now() - startedMs;
  await server.command(sql`DROP TABLE ceiling SYNC`);
  return tookMs;
}
