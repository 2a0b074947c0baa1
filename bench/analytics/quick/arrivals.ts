import type { Analytics } from '../../../src/analytics/analytics.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { FIVE_WEBSITES, generateTraffic } from '../../../src/demo/traffic.ts';
import { createLocalLog } from '../../../src/log/local-log.ts';
import { DAY_MS, LARGEST } from '../questions.ts';
import { END_MS, toStored } from './load.ts';
import { panels } from './questions.ts';

const EVENTS_PER_S = 2_000;
const EVERY_MS = 10;
const MEASURE_MS = 6_000;
const PAUSE_MS = 100;

/**
 * Asks for thirty days, the day that grows among them, while events arrive. @returns how long each answer took
 */
export async function askDuringArrivals(path: string, analytics: Analytics): Promise<number[]> {
  const database = await openDatabase({ kind: 'file', path }, 'normal');
  const { local } = database;
  if (!local) throw new Error('A file is a local database.');
  const log = createLocalLog(local);
  const events = inventArrivals();
  const startedAtMs = performance.now();
  let stored = 0;
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAtMs) * EVENTS_PER_S) / 1_000);
    log.append(events.slice(stored, due));
    stored = due;
    analytics.wake();
  }, EVERY_MS);
  const latenciesMs: number[] = [];
  const question = panels(LARGEST, 30, 'no filter', END_MS + DAY_MS);
  while (performance.now() - startedAtMs < MEASURE_MS) {
    const askedAtMs = performance.now();
    await analytics.query(question);
    latenciesMs.push(performance.now() - askedAtMs);
    await Bun.sleep(PAUSE_MS);
  }
  clearInterval(timer);
  database.close();
  return latenciesMs;
}

/** Twice as many as are needed, one after the other on the day after the traffic. */
function inventArrivals() {
  const count = (2 * EVENTS_PER_S * MEASURE_MS) / 1_000;
  const options = { seed: 2, websites: FIVE_WEBSITES, days: 1, events: count, endMs: END_MS + DAY_MS };
  return [...generateTraffic(options)].map((event, index) => ({
    ...toStored(event),
    createdAtMs: END_MS + Math.floor((index * 1_000) / EVENTS_PER_S),
  }));
}
