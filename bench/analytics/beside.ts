import { constants, copyFileSync, rmSync } from 'node:fs';
import { type Load, type LoadedServer, runLoad, type Sample } from '../ingest/run-load.ts';
import { FLOOD } from '../ingest/servers.ts';
import { median, medianRatio } from '../statistics.ts';
import type { Loaded } from './load.ts';
import { BREAKDOWNS, DAY_MS, LARGEST } from './questions.ts';
import { call, type Service, startService } from './service.ts';

/** Ingest without and with a dashboard that is asked for every half second. */
export type Beside = { loads: BesideLoad[]; peakBytes: number };
type BesideLoad = {
  name: string;
  /** Its p99 says something of the service: not so when all connections are kept busy with more than it takes. */
  isP99Targeted: boolean;
  /** Events a second with the dashboard, as a part of those without it: the median of the pairs. */
  share: number;
  alone: Latency;
  beside: Latency;
  /** Median of the dashboard's answers. */
  dashboardMs: number;
  /** The most memory up to its end, earlier loads included. */
  peakBytes: number;
};
type Latency = { eventsPerS: number; p99Ms: number };

const EVERY_MS = 500;
const CONNECTIONS = 64;
/** More than a hundred million events a day. */
const STEADY_EVENTS_PER_S = 2_000;
const BATCH = 10;

/** On a copy of the file, so that the file stays what was loaded. */
export async function measureBeside(
  loaded: Loaded,
  { alternations, measureMs }: { alternations: number; measureMs: number },
): Promise<Beside> {
  const copy = `${loaded.file}.beside`;
  copyFileSync(loaded.file, copy, constants.COPYFILE_FICLONE);
  const service = await startService(copy, FLOOD);
  const base = { connections: CONNECTIONS, measureMs };
  const steady = `${STEADY_EVENTS_PER_S.toLocaleString('en')} events/s`;
  const batches = { ...base, eventsARequest: BATCH };
  const loads: [name: string, load: Load, isP99Targeted: boolean][] = [
    [`${steady}, one by one`, { ...base, eventsARequest: 1, requestsPerS: STEADY_EVENTS_PER_S }, true],
    [`${steady}, batches of ten`, { ...batches, requestsPerS: STEADY_EVENTS_PER_S / BATCH }, true],
    ['as many as it takes, one by one', { ...base, eventsARequest: 1 }, true],
    // 64 connections with ten events each are 27 ms of work at 24,000 events/s, with or without a dashboard.
    ['as many as it takes, batches of ten', batches, false],
  ];
  const server = { ...service, trackingCode: loaded.websites[LARGEST]?.trackingCode ?? '' };
  await askDashboard(service, loaded); // starts the thread of the statistics
  const results: BesideLoad[] = [];
  for (const [name, load, isP99Targeted] of loads)
    results.push({
      name,
      isP99Targeted,
      ...(await alternate(server, service, loaded, load, alternations)),
      peakBytes: service.peakRssBytes(),
    });
  const peakBytes = service.peakRssBytes();
  await service.end();
  for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(copy + suffix, { force: true });
  return { loads: results, peakBytes };
}

async function alternate(
  server: LoadedServer,
  service: Service,
  loaded: Loaded,
  load: Load,
  alternations: number,
): Promise<Omit<BesideLoad, 'name' | 'isP99Targeted' | 'peakBytes'>> {
  const alone: Sample[] = [];
  const beside: Sample[] = [];
  const dashboardsMs: number[] = [];
  await runLoad(server, load); // warm-up
  for (let round = 0; round < alternations; round += 1) {
    // Whoever comes second finds the file grown by the first, so they take turns in that too.
    const order = round % 2 === 0 ? [alone, beside] : [beside, alone];
    for (const samples of order) {
      const watcher = samples === beside ? watch(service, loaded) : undefined;
      samples.push(await runLoad(server, load));
      if (watcher) dashboardsMs.push(...(await watcher.stop()));
    }
  }
  const rates = (samples: Sample[]) => samples.map(({ eventsPerS }) => eventsPerS);
  const latency = (samples: Sample[]): Latency => ({
    eventsPerS: median(rates(samples)),
    p99Ms: median(samples.map(({ p99Ms }) => p99Ms)),
  });
  return {
    share: medianRatio(rates(beside), rates(alone)),
    alone: latency(alone),
    beside: latency(beside),
    dashboardMs: median(dashboardsMs),
  };
}

function watch(service: Service, loaded: Loaded): { stop(): Promise<number[]> } {
  let isOver = false;
  const latenciesMs: number[] = [];
  async function run(): Promise<number[]> {
    while (!isOver) {
      const startedAtMs = performance.now();
      await askDashboard(service, loaded);
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
