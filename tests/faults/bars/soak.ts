import { statSync } from 'node:fs';
import type { BarOptions, BarResult } from '../bar.ts';
import { runAll } from '../stage/clients.ts';
import { memoryMb, openFileCount } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const CLIENTS = 8;
/** Some 150 events a second: a busy website of 13 million a day. */
const PAUSE_MS = Number(process.env.PAUSE_MS ?? 200);
const MINUTES = Number(process.env.MINUTES ?? 30);
/** A life between two kills. */
const LIFE_S = 120;
/** The last one is as long a part of the whole: what leaks is seen only in a life that is long. */
const LAST_LIFE_SHARE = 0.4;
/** Until then a life fills its caches, and memory is not looked at. */
const WARM_UP_S = 60;
const LOOK_S = 5;
const GROWTH_MB_A_MINUTE_MAX = 1;
/** Soon full of the present day: what grows beyond it is not a cache. */
const CACHE_MB = '8';
const LOG_MB_MAX = 64;
const FILES_MAX = 5;

type Look = { atMin: number; memoryMb: number; files: number; logMb: number };

/**
 * Half an hour of events, lists and figures, with a kill every two minutes but for a long life at the end. Memory is
 * held against time twice: from life to life at the same age, and within the long one. The collector lets it rise for
 * minutes and then takes it back, so the least of an earlier half is held against the least of the later one.
 */
export async function trySoak({ seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed, environment: { ANALYTICS_CACHE_MB: CACHE_MB } });
  const faults: string[] = [];
  const inLives: Look[] = [];
  let inLastLife: Look[] = [];
  let logMbMax = 0;
  const clients = stage.createClients(CLIENTS, { pauseMs: PAUSE_MS });
  const lastLifeS = MINUTES * 60 * LAST_LIFE_SHARE;
  const lives = Math.max(1, Math.round((MINUTES * 60 - lastLifeS) / LIFE_S));
  for (let life = 1; life <= lives + 1; life += 1) {
    const isLast = life > lives;
    const looks: Look[] = [];
    let isOver = false;
    const running = Promise.all([
      runAll(clients, stage.url(), () => false),
      readAlong(stage, () => isOver).catch(() => {}), // until it is killed
    ]);
    for (let second = 0; second < (isLast ? lastLifeS : LIFE_S); second += LOOK_S) {
      await Bun.sleep(LOOK_S * 1_000);
      const one = look(stage);
      logMbMax = Math.max(logMbMax, one.logMb);
      if (second >= WARM_UP_S) looks.push(one);
    }
    isOver = true;
    await stage.kill();
    await running;
    if (isLast) inLastLife = looks;
    else inLives.push(...looks);
    const files = looks.map((one) => one.files);
    if (Math.max(...files) - Math.min(...files) > FILES_MAX) faults.push(`life ${life}: open files ${files}`);
    await stage.start();
    faults.push(...(await stage.audit()).map((fault) => `life ${life}: ${fault}`));
  }
  faults.push(...(await stage.finish(clients)));
  const growths = { 'from life to life': growthOf(inLives), 'within a life': growthOf(inLastLife) };
  for (const [where, growth] of Object.entries(growths))
    if (!(growth <= GROWTH_MB_A_MINUTE_MAX))
      faults.push(`memory grows by ${growth.toFixed(1)} MB a minute ${where}`);
  if (logMbMax > LOG_MB_MAX) faults.push(`the write-ahead log reached ${logMbMax.toFixed(0)} MB`);
  const growth = Object.entries(growths).map(([where, one]) => `${one.toFixed(2)} MB a minute ${where}`);
  return {
    figure: `${lives} lives of ${LIFE_S} s and one of ${lastLifeS} s, ${stage.ledger.acknowledged.size} events acknowledged; memory ${growth.join(', ')} (at most ${Math.max(...inLastLife.map(({ memoryMb }) => memoryMb)).toFixed(0)} MB), write-ahead log at most ${logMbMax.toFixed(1)} MB, ${faults.length} faults`,
    faults,
  };
}

/** Reads as a dashboard and as a reader of events. */
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

/** MB a minute, from the least of the earlier half of the time to the least of the later one. */
function growthOf(looks: readonly Look[]): number {
  const [first, last] = [looks[0], looks.at(-1)];
  if (!first || !last) return Number.NaN; // a soak too short for a look
  const halfMin = (last.atMin - first.atMin) / 2;
  const leastOf = (isIn: (look: Look) => boolean) =>
    Math.min(...looks.filter(isIn).map(({ memoryMb }) => memoryMb));
  const middleMin = first.atMin + halfMin;
  return (leastOf(({ atMin }) => atMin >= middleMin) - leastOf(({ atMin }) => atMin < middleMin)) / halfMin;
}
