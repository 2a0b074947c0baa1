import Database from 'libsql';
import type { BarOptions, BarResult } from '../bar.ts';
import { type Answered, runAll } from '../stage/clients.ts';
import { memoryMb, percentile, probe, resetMemoryPeak } from '../stage/measure.ts';
import { openStage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

/** They rest 0.8 s between two requests: 500 requests/s while the service keeps up, 2,000 events when it does not. */
const CLIENTS = 400;
const PAUSE_MS = 800;
const QUEUE_MAX = 1_000;
const MEMORY_MB_MAX = 64;
const READ_MS_MAX = 500;

/** The database is locked while clients go on sending; the queue holds as much as it may. */
export async function tryBackpressure({ isLong, seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed, environment: { INGEST_QUEUE_MAX: String(QUEUE_MAX) } });
  const answers: Answered[] = [];
  const clients = stage.createClients(CLIENTS, {
    observe: (answer) => answer && answers.push(answer),
    pauseMs: PAUSE_MS,
  });
  let isOver = false;
  const running = runAll(clients, stage.url(), () => isOver);
  await Bun.sleep(1_000);
  await resetMemoryPeak(stage.pid());
  const memoryBeforeMb = memoryMb(stage.pid(), 'VmRSS');
  const { url, website, token } = { ...stage, url: stage.url() };
  const ping = probe(() => fetch(`${url}/api/ping`));
  const list = probe(() =>
    fetch(`${url}/api/v1/events?trackingCode=${website.trackingCode}`, {
      headers: { Authorization: `Bearer ${token}` },
    }),
  );
  const lock = new Database(stage.databasePath);
  lock.exec('PRAGMA busy_timeout = 5000');
  lock.exec('BEGIN IMMEDIATE');
  const lockedAtMs = performance.now();
  await Bun.sleep(isLong ? 5_000 : 1_500);
  await until(() => answers.find(({ status }) => status !== 201)); // until the queue is full
  lock.exec('ROLLBACK');
  const releasedAtMs = performance.now();
  lock.close();
  await Bun.sleep(500);
  await Promise.all([ping.stop(), list.stop()]);
  const grownMb = memoryMb(stage.pid(), 'VmHWM') - memoryBeforeMb;
  isOver = true;
  await running;

  const faults = [...ping.faults, ...list.faults];
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, retryAfter } of refused)
    if (status !== 503 || retryAfter === null)
      faults.push(`a refusal was ${status} with Retry-After ${retryAfter}`);
  const early = answers.filter(
    ({ status, atMs, tookMs }) => status === 201 && atMs > lockedAtMs && atMs + tookMs < releasedAtMs,
  );
  if (early.length > 0) faults.push(`${early.length} events were acknowledged while the database was locked`);
  faults.push(...(await stage.finish(clients)));
  const slowestMs = percentile([...ping.tookMs, ...list.tookMs], 1);
  if (isLong && slowestMs > READ_MS_MAX) faults.push(`a read took ${slowestMs.toFixed(0)} ms`);
  if (isLong && grownMb > MEMORY_MB_MAX) faults.push(`memory grew by ${grownMb.toFixed(0)} MB`);
  if (refused.length === 0) faults.push('nothing was refused: the queue never met its bound');
  return {
    figure: `${refused.length} of ${answers.length} requests refused with 503, ${stage.ledger.acknowledged.size} events acknowledged, slowest read ${slowestMs.toFixed(0)} ms, memory +${grownMb.toFixed(0)} MB, ${faults.length} faults`,
    faults,
  };
}
