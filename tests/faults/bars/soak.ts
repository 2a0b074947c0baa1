import { statSync } from 'node:fs';
import type { BarOptions, BarResult } from '../bar.ts';
import { runAll } from '../stage/clients.ts';
import { memoryMb, openFileCount } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const CLIENTS = 8;
const PAUSE_MS = 10;
const MINUTES = Number(process.env.MINUTES ?? 30);
/** A life between two kills; its first half minute fills the caches and is not looked at. */
const LIFE_S = 120;
const WARM_UP_S = 30;
const LOOK_S = 5;
const GROWTH_MB_A_MINUTE_MAX = 1;
const LOG_MB_MAX = 64;
const FILES_MAX = 5;

type Look = { atMin: number; memoryMb: number; files: number; logMb: number };

/** Half an hour of events, lists and figures, with a kill every two minutes. */
export async function trySoak({ seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed });
  const faults: string[] = [];
  const slopes: number[] = [];
  let logMbMax = 0;
  const clients = stage.createClients(CLIENTS, { pauseMs: PAUSE_MS });
  const lives = Math.max(1, Math.round((MINUTES * 60) / LIFE_S));
  for (let life = 1; life <= lives; life += 1) {
    const looks: Look[] = [];
    let isOver = false;
    const running = Promise.all([
      runAll(clients, stage.url(), () => false),
      readAlong(stage, () => isOver).catch(() => {}), // until it is killed
    ]);
    for (let second = 0; second < LIFE_S; second += LOOK_S) {
      await Bun.sleep(LOOK_S * 1_000);
      if (second >= WARM_UP_S) looks.push(look(stage));
    }
    isOver = true;
    await stage.kill();
    await running;
    slopes.push(slopeOf(looks));
    logMbMax = Math.max(logMbMax, ...looks.map(({ logMb }) => logMb));
    const files = looks.map((one) => one.files);
    if (Math.max(...files) - Math.min(...files) > FILES_MAX) faults.push(`life ${life}: open files ${files}`);
    await stage.start();
    faults.push(...(await stage.audit()).map((fault) => `life ${life}: ${fault}`));
  }
  faults.push(...(await stage.finish(clients)));
  const slope = slopes.toSorted((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? Number.NaN;
  if (!(slope <= GROWTH_MB_A_MINUTE_MAX)) faults.push(`memory grows by ${slope.toFixed(1)} MB a minute`);
  if (logMbMax > LOG_MB_MAX) faults.push(`the write-ahead log reached ${logMbMax.toFixed(0)} MB`);
  return {
    figure: `${lives} lives of ${LIFE_S} s, ${stage.ledger.acknowledged.size} events acknowledged; memory ${slope.toFixed(2)} MB a minute in the median life, write-ahead log at most ${logMbMax.toFixed(1)} MB, ${faults.length} faults`,
    faults,
  };
}

/** What a dashboard asks, and a reader of events. */
async function readAlong(stage: Stage, isOver: () => boolean): Promise<void> {
  const { id, trackingCode } = stage.website;
  while (!isOver()) {
    await stage.call('GET', `/websites/${id}/stats?period=today`, stage);
    await stage.call('GET', `/events?trackingCode=${trackingCode}`, stage);
    await Bun.sleep(500);
  }
}

function look(stage: Stage): Look {
  return {
    atMin: performance.now() / 60_000,
    memoryMb: memoryMb(stage.pid(), 'VmRSS'),
    files: openFileCount(stage.pid()),
    logMb: statSync(`${stage.databasePath}-wal`).size / 1024 / 1024,
  };
}

/** Of the least squares through memory and time. */
function slopeOf(looks: readonly Look[]): number {
  const mean = (pick: (look: Look) => number) =>
    looks.reduce((sum, one) => sum + pick(one), 0) / looks.length;
  const time = mean(({ atMin }) => atMin);
  const memory = mean((one) => one.memoryMb);
  const over = looks.reduce((sum, one) => sum + (one.atMin - time) * (one.memoryMb - memory), 0);
  return over / looks.reduce((sum, { atMin }) => sum + (atMin - time) ** 2, 0);
}
