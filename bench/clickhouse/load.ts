import { rmSync, statSync } from 'node:fs';
import { derive } from '../../src/analytics/clickhouse/derived.ts';
import { openDatabase } from '../../src/db/open.ts';
import { FIVE_WEBSITES, generateTraffic } from '../../src/demo/traffic.ts';
import { createClickHouseLog } from '../../src/log/clickhouse/event-log.ts';
import type { EventsServer } from '../../src/log/clickhouse/server.ts';
import { sql } from '../../src/log/clickhouse/sql.ts';
import type { NewEvent } from '../../src/log/event.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { END_MS, insertWebsites, toStored } from '../analytics/quick/load.ts';

const GROUP = 10_000;
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
    derive,
    isShared: false,
    now: Date.now,
  });
  const storing = { clickHouseMs: 0, embeddedMs: 0 };
  let group: NewEvent[] = [];
  for (const event of generateTraffic({
    seed: 1,
    websites: FIVE_WEBSITES,
    days: DAYS,
    events,
    endMs: END_MS,
  })) {
    group.push(toStored(event));
    if (group.length < GROUP) continue;
    const startedMs = performance.now();
    await clickHouse.append(group);
    const halfMs = performance.now();
    embedded.append(group);
    storing.clickHouseMs += halfMs - startedMs;
    storing.embeddedMs += performance.now() - halfMs;
    group = [];
  }
  database.close();
  for (const table of [sql`events`, sql`event_ids`]) await server.command(sql`OPTIMIZE TABLE ${table} FINAL`);
  const rate = (ms: number) => `${Math.round(events / (ms / 1_000))}/s`;
  return `stored in groups of ${GROUP}: ClickHouse ${rate(storing.clickHouseMs)}, embedded ${rate(storing.embeddedMs)}; the file's log ${(statSync(file).size / events).toFixed(1)} bytes an event`;
}
