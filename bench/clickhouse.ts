import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Analytics } from '../src/analytics/analytics.ts';
import { createClickHouseAnalytics } from '../src/analytics/clickhouse/engine.ts';
import { openAnalytics } from '../src/analytics/embedded/open.ts';
import { sql } from '../src/log/clickhouse/sql.ts';
import { DAY_MS, LARGEST } from './analytics/questions.ts';
import { END_MS, keyOf } from './analytics/quick/load.ts';
import { listQuestions } from './analytics/quick/questions.ts';
import { loadBoth } from './clickhouse/load.ts';
import { listOutcomes } from './clickhouse/outcomes.ts';
import { askPanelsByHand } from './clickhouse/panels-by-hand.ts';
import { serveKept } from './clickhouse/serve.ts';
import { milliseconds, printMachine } from './report.ts';

/**
 * The engine of ClickHouse as the tests have it (chdb, one statement at a time) and the embedded engine, on the same
 * events. Both are loaded once, and asked each time.
 */

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    /** Days of the questions: a month and a quarter. */
    days: { type: 'string', default: '30,90' },
    /** Text that the names of the selected questions contain. */
    only: { type: 'string', default: '' },
  },
});
const events = Number(values.events);
const [month = 30, quarter = 90] = values.days.split(',').map(Number);
const folder = join(tmpdir(), `pagemeter-bench-clickhouse-${events}`);
const [file, remembered] = [join(folder, 'events.db'), join(folder, 'loaded.json')];

mkdirSync(folder, { recursive: true });
const { server, pid, stop } = await serveKept(join(folder, 'clickhouse'));
await printMachine(`bun bench/clickhouse.ts --events ${events} --rounds ${values.rounds}`);
if (!existsSync(remembered)) writeFileSync(remembered, await loadBoth(server, { file, events }));
console.log(readFileSync(remembered, 'utf8'));
await printSizes();
await printAnswers();
await server.close();
await stop();

async function printSizes(): Promise<void> {
  const tables = await server.read<[table: string, bytes: number]>(
    sql`SELECT table, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()
      GROUP BY table ORDER BY bytes DESC`,
  );
  const columns = await server.read<[name: string, bytes: number]>(
    sql`SELECT name, sum(data_compressed_bytes) AS bytes FROM system.columns
      WHERE database = currentDatabase() AND table IN ('events', 'event_ids') GROUP BY name ORDER BY bytes DESC LIMIT 16`,
  );
  console.log('bytes an event:');
  for (const sizes of [tables, columns])
    console.log(`  ${sizes.map(([name, bytes]) => `${name} ${(bytes / events).toFixed(1)}`).join(', ')}`);
}

/** Deriving a new file may take longer than the minute a request waits. */
async function untilDerived(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const isDone = await ask().then(
      () => true,
      (error: unknown) => {
        if ((error as { code?: string }).code !== 'SERVICE_UNAVAILABLE') throw error;
        return false;
      },
    );
    if (isDone) return;
  }
}

/** Accepts a time-out after a minute, as a service would see it; other errors are thrown. */
function isRefused(error: unknown): false {
  if ((error as { code?: string }).code !== 'SERVER_ERROR') throw error;
  console.log(error instanceof Error ? String(error.cause).slice(0, 300) : error);
  return false;
}

/** The server keeps running queries whose client has left. */
async function untilIdle(): Promise<void> {
  for (let minute = 0; minute < 15; minute += 1)
    if (await server.read(sql`SELECT 1`).catch(() => undefined)) return;
  throw new Error('The server does not answer any more.');
}

function peakMiB(process: number | 'self'): number {
  const status = readFileSync(`/proc/${process}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}

/** The least of each. All are asked in each round, so that a busy minute meets them all. */
async function printAnswers(): Promise<void> {
  const target = { kind: 'file' as const, path: file };
  const open = () => openAnalytics({ target, local: undefined, dataDir: '', onError: console.error });
  let opened: Analytics | undefined;
  const embedded = () => {
    opened ??= open();
    return opened;
  };
  const clickHouse = createClickHouseAnalytics({ server, now: Date.now });
  const byHand = [month, quarter].map((days) => ({
    name: `ten panels, ${days} days, by hand`,
    ask: () =>
      askPanelsByHand(server, { websiteKey: keyOf(LARGEST), fromMs: END_MS - days * DAY_MS, toMs: END_MS }),
  }));
  const both = [...listQuestions(month, quarter), ...listOutcomes(month)].flatMap(({ name, ask }) => [
    { name: `${name}, embedded`, ask: () => ask(embedded()) },
    { name: `${name}, ClickHouse`, ask: () => ask(clickHouse) },
  ]);
  const asked = [...byHand, ...both].filter(({ name }) => name.includes(values.only));
  if (asked.some(({ name }) => name.endsWith('embedded')))
    await untilDerived(() => listQuestions()[0]?.ask(embedded()) ?? Promise.resolve());
  const leastMs = new Map<string, number>();
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const { name, ask } of asked) {
      const startedMs = performance.now();
      const isAnswered = await ask().then(() => true, isRefused);
      if (!isAnswered) await untilIdle();
      const tookMs = performance.now() - startedMs;
      console.log(`${name}: ${milliseconds(tookMs)}${isAnswered ? '' : ', too late'}`);
      leastMs.set(name, Math.min(leastMs.get(name) ?? tookMs, tookMs));
    }
  if (Number(values.rounds) > 1) console.log('The least of each:');
  if (Number(values.rounds) > 1)
    for (const [name, ms] of leastMs) console.log(`${name}: ${milliseconds(ms)}`);
  await opened?.close();
  for (const [name, process] of [
    ['bench and file', 'self'],
    ['ClickHouse', pid],
  ] as const)
    console.log(`memory at most, ${name}: ${peakMiB(process)} MiB`);
}
