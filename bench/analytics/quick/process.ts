import { readFileSync } from 'node:fs';
import { openAnalytics } from '../../../src/analytics/embedded/open.ts';
import { lockInstance } from '../../../src/db/instance-lock.ts';
import { LARGEST } from '../questions.ts';
import { askDuringArrivals } from './arrivals.ts';
import { loadLog } from './load.ts';
import { listQuestions, panels } from './questions.ts';

/**
 * One part of the quick bench, in a process of its own so that its memory is its own. Prints its figures as JSON.
 *
 *   bun bench/analytics/quick/process.ts PART FILE NUMBER
 */

export type Part = 'load' | 'derive' | 'first' | 'rounds' | 'concurrent';
/** Latencies of one kind of question: how long each answer took. */
export type Latencies = { name: string; tookMs: number[] };
export type PartFigures = { latencies: Latencies[]; peakBytes: number };

const [part, path = '', number = '0'] = process.argv.slice(2);
const latencies = await measure(part as Part, Number(number)); // its only caller is run.ts
const peakBytes = Number(readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\s+(\d+) kB/)?.[1]) * 1024;
const figures: PartFigures = { latencies, peakBytes };
console.log(JSON.stringify(figures));

async function measure(name: Part, count: number): Promise<Latencies[]> {
  if (name === 'load') {
    const { storingMs } = await loadLog(path, count);
    return [{ name, tookMs: [storingMs] }];
  }
  const unlock = lockInstance(path); // two that derive from one log would store its events twice
  const startedAtMs = performance.now();
  const target = { kind: 'file' as const, path };
  const analytics = openAnalytics({ target, local: undefined, dataDir: '', onError: console.error });
  try {
    if (name === 'rounds') return await askInRounds(analytics, count);
    if (name === 'concurrent') return [{ name, tookMs: await askDuringArrivals(path, analytics) }];
    await untilAnswered(() => analytics.query(panels(LARGEST, count, 'no filter')));
    return [{ name, tookMs: [performance.now() - startedAtMs] }];
  } finally {
    await analytics.close();
    unlock();
  }
}

/** Deriving a new file may take longer than the minute a request waits. */
async function untilAnswered(ask: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'SERVICE_UNAVAILABLE') throw error;
    }
  }
}

/** All questions in turn, so that a busy minute of the machine meets them all. */
async function askInRounds(
  analytics: ReturnType<typeof openAnalytics>,
  rounds: number,
): Promise<Latencies[]> {
  const asked = listQuestions().map((question) => ({ ...question, tookMs: [] as number[] }));
  for (const { ask } of asked) await ask(analytics); // what is read for the first time
  for (let round = 0; round < rounds; round += 1)
    for (const { ask, tookMs } of asked) {
      const startedAtMs = performance.now();
      await ask(analytics);
      tookMs.push(performance.now() - startedAtMs);
    }
  return asked.map(({ name, tookMs }) => ({ name, tookMs }));
}
