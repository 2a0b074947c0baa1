import { constants, copyFileSync, rmSync } from 'node:fs';
import { type Load, type LoadedServer, runLoad, type Sample } from '../ingest/run-load.ts';
import { FLOOD } from '../ingest/servers.ts';
import { median, medianRatio } from '../statistics.ts';
import type { Loaded } from './load.ts';
import { BREAKDOWNS, DAY_MS, LARGEST } from './questions.ts';
import { call, type Service, startService } from './service.ts';

/** Ingest without and with questions that are asked every half second. */
export type Concurrent = { loads: ConcurrentLoad[]; peakBytes: number };
type ConcurrentLoad = {
  name: string;
  /** Its p99 says something of the service: not so when all connections are kept busy with more than it takes. */
  isP99Targeted: boolean;
  /** Events a second with the questions, as a part of those without it: the median of the pairs. */
  share: number;
  alone: Latency;
  concurrent: Latency;
  /** Median of the answers. */
  answerMs: number;
  /** The most memory up to its end, earlier loads included. */
  peakBytes: number;
};
type Latency = { eventsPerS: number; p99Ms: number };

const EVERY_MS = 500;
const CONNECTIONS = 64;
/** More than a hundred million events a day. */
const STEADY_EVENTS_PER_S = 2_000;
const BATCH = 10;

type Options = {
  alternations: number;
  measureMs: number;
  /** Paths of goals, funnels and the like, which take the dashboard's place in one of the loads. */
  outcomes: readonly string[];
};
/** Asks one question. @param turn how many were asked before */
type Ask = (turn: number) => Promise<unknown>;

/** On a copy of the file, so that the file stays what was loaded. */
export async function measureConcurrent(
  loaded: Loaded,
  { alternations, measureMs, outcomes }: Options,
): Promise<Concurrent> {
  const copy = `${loaded.file}.concurrent`;
  copyFileSync(loaded.file, copy, constants.COPYFILE_FICLONE);
  const service = await startService(copy, FLOOD);
  const base = { connections: CONNECTIONS, measureMs };
  const steady = `${STEADY_EVENTS_PER_S.toLocaleString('en')} events/s`;
  const batches = { ...base, eventsARequest: BATCH };
  const steadyLoad = { ...base, eventsARequest: 1, requestsPerS: STEADY_EVENTS_PER_S };
  const dashboard: Ask = () => askDashboard(service, loaded);
  const outcome: Ask = (turn) => call(service, outcomes[turn % outcomes.length] ?? '', loaded);
  const loads: [name: string, load: Load, ask: Ask, isP99Targeted: boolean][] = [
    [`${steady}, one by one`, steadyLoad, dashboard, true],
    [`${steady}, one by one, with outcomes`, steadyLoad, outcome, true],
    [`${steady}, batches of ten`, { ...batches, requestsPerS: STEADY_EVENTS_PER_S / BATCH }, dashboard, true],
    ['as many as it takes, one by one', { ...base, eventsARequest: 1 }, dashboard, true],
    // 64 connections with ten events each are 27 ms of work at 24,000 events/s, with or without a dashboard.
    ['as many as it takes, batches of ten', batches, dashboard, false],
  ];
  const server = { ...service, trackingCode: loaded.websites[LARGEST]?.trackingCode ?? '' };
  await dashboard(0); // starts the thread of the statistics
  const results: ConcurrentLoad[] = [];
  for (const [name, load, ask, isP99Targeted] of loads)
    results.push({
      name,
      isP99Targeted,
      ...(await alternate(server, load, ask, alternations)),
      peakBytes: service.peakRssBytes(),
    });
  const peakBytes = service.peakRssBytes();
  await service.end();
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(copy + suffix, { force: true });
  return { loads: results, peakBytes };
}

async function alternate(
  server: LoadedServer,
  load: Load,
  ask: Ask,
  alternations: number,
): Promise<Omit<ConcurrentLoad, 'name' | 'isP99Targeted' | 'peakBytes'>> {
  const alone: Sample[] = [];
  const concurrent: Sample[] = [];
  const answersMs: number[] = [];
  await runLoad(server, load); // warm-up
  for (let round = 0; round < alternations; round += 1) {
    // The second of a pair finds the file grown by the first, so they take turns in that too.
    const order = round % 2 === 0 ? [alone, concurrent] : [concurrent, alone];
    for (const samples of order) {
      const watcher = samples === concurrent ? watch(ask) : undefined;
      samples.push(await runLoad(server, load));
      if (watcher) answersMs.push(...(await watcher.stop()));
    }
  }
  const rates = (samples: Sample[]) => samples.map(({ eventsPerS }) => eventsPerS);
  const latency = (samples: Sample[]): Latency => ({
    eventsPerS: median(rates(samples)),
    p99Ms: median(samples.map(({ p99Ms }) => p99Ms)),
  });
  return {
    share: medianRatio(rates(concurrent), rates(alone)),
    alone: latency(alone),
    concurrent: latency(concurrent),
    answerMs: median(answersMs),
  };
}

function watch(ask: Ask): { stop(): Promise<number[]> } {
  let isOver = false;
  const latenciesMs: number[] = [];
  async function run(): Promise<number[]> {
    while (!isOver) {
      const startedAtMs = performance.now();
      await ask(latenciesMs.length);
      const tookMs = performance.now() - startedAtMs;
      latenciesMs.push(tookMs);
      await Bun.sleep(Math.max(0, EVERY_MS - tookMs));
    }
    return latenciesMs;
  }
  const running = run();
  return {
    stop() {
      isOver = true;
      return running;
    },
  };
}

/** Thirty days of the largest website, the present one, which is being written, among them. */
function askDashboard(service: Service, { apiKey, endMs, websites }: Loaded): Promise<unknown> {
  const parameters = `from=${endMs - 29 * DAY_MS}&to=${Date.now()}&interval=day&breakdowns=${BREAKDOWNS}`;
  return call(service, `/websites/${websites[LARGEST]?.id}/stats/dashboard?${parameters}`, { apiKey });
}
