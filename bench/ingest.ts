import { parseArgs } from 'node:util';
import { buildTrackerScript } from '../src/assets/tracker-script.ts';
import { type Load, runLoad, type Sample } from './ingest/run-load.ts';
import { type Server, startServer } from './ingest/servers.ts';
import { buildSlowDisk, SLOW_FSYNC_MS } from './ingest/slow-disk.ts';
import { measureMemory, measureStart } from './ingest/start-up.ts';
import * as report from './report.ts';
import { median, medianRatio, range } from './statistics.ts';

/** How fast events are taken in, against the same service without storage and against one insert a request. */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
  },
});
const rounds = Number(values.rounds);
const connections = Number(values.connections);
const measureMs = Number(values.seconds) * 1_000;

const SERVICE = 'src/main.ts';
const BARE = 'bench/ingest/bare-server.ts';
const UNSTORED = 'bench/ingest/unstored-server.ts';
const BASELINE = 'bench/ingest/baseline-server.ts';
const CEILING = 'bench/ingest/ceiling-server.ts';
const BATCH = 10;
/** As in tests/tracker/script.test.ts. */
const TRACKER_GZIP_MAX = 4_400;

type Case = { name: string; server: Server; load: Load };

await report.printMachine(
  `bun bench/ingest.ts --rounds ${rounds} --seconds ${values.seconds} --connections ${connections}`,
);
const start = await measureStart();
const memory = await measureMemory();
const tracker = await buildTrackerScript();
const slowDisk = await buildSlowDisk();
if (!slowDisk) console.log('No gcc: the figures with a slow fsync are left out.');

const cases = await createCases();
const samples = await runRounds(cases);
printFigures();
await Promise.all([...new Set(cases.map(({ server }) => server))].map((server) => server.remove()));
slowDisk?.remove();

async function createCases(): Promise<Case[]> {
  const single: Load = { eventsARequest: 1, connections, measureMs };
  const batch: Load = { ...single, eventsARequest: BATCH };
  const full = await startServer(SERVICE, { DURABILITY: 'full' });
  const normal = await startServer(SERVICE, { DURABILITY: 'normal' });
  const unstored = await startServer(UNSTORED, {});
  const baseline = await startServer(BASELINE, { DURABILITY: 'full' });
  const baselineNormal = await startServer(BASELINE, { DURABILITY: 'normal' });
  const list: Case[] = [
    { name: 'generator', server: await startServer(CEILING, {}), load: single },
    { name: 'bare', server: await startServer(BARE, {}), load: single },
    { name: 'unstored', server: unstored, load: single },
    { name: 'full', server: full, load: single },
    { name: 'normal', server: normal, load: single },
    { name: 'baseline', server: baseline, load: single },
    { name: 'baseline normal', server: baselineNormal, load: single },
    { name: 'unstored x10', server: unstored, load: batch },
    { name: 'full x10', server: full, load: batch },
    { name: 'normal x10', server: normal, load: batch },
  ];
  if (!slowDisk) return list;
  const slow = (program: string, durability: string) =>
    startServer(program, { DURABILITY: durability, ...slowDisk.environment });
  const fullSlow = await slow(SERVICE, 'full');
  return [
    ...list,
    { name: 'full slow', server: fullSlow, load: single },
    { name: 'full slow x10', server: fullSlow, load: batch },
    { name: 'normal slow', server: await slow(SERVICE, 'normal'), load: single },
    { name: 'baseline slow', server: await slow(BASELINE, 'full'), load: single },
  ];
}

/** Round by round over all cases, so that a busy minute of the machine meets them all. */
async function runRounds(all: readonly Case[]): Promise<Map<string, Sample[]>> {
  const results = new Map(all.map(({ name }) => [name, [] as Sample[]]));
  for (const { server, load } of all) await runLoad(server, load); // warm-up
  for (let round = 0; round < rounds; round += 1)
    for (const { name, server, load } of all) results.get(name)?.push(await runLoad(server, load));
  console.log(
    `${'median (lowest - highest)'.padEnd(18)} ${''.padEnd(33)} ${'events/s'.padStart(10)} ${'p50'.padStart(8)} ${'p99'.padStart(8)} ${'CPU/event'.padStart(10)}`,
  );
  for (const [name, list] of results) console.log(describe(name, list));
  console.log();
  return results;
}

function describe(name: string, list: readonly Sample[]): string {
  const rates = list.map(({ requestsPerS }) => requestsPerS);
  const { min, max } = range(rates);
  const of = (pick: (sample: Sample) => number) => median(list.map(pick));
  return [
    `${name.padEnd(18)}`,
    `${report.perSecond(median(rates))} (${report.perSecond(min)} - ${report.perSecond(max)})`.padEnd(40),
    report.perSecond(of((sample) => sample.eventsPerS)).padStart(10),
    report.milliseconds(of((sample) => sample.p50Ms)).padStart(8),
    report.milliseconds(of((sample) => sample.p99Ms)).padStart(8),
    report.microseconds(of((sample) => sample.cpuUsPerEvent)).padStart(10),
  ].join(' ');
}

function printFigures(): void {
  const rates = (name: string) => (samples.get(name) ?? []).map((sample) => sample.eventsPerS);
  const costs = (name: string) => (samples.get(name) ?? []).map((sample) => sample.cpuUsPerEvent);
  const p99 = (name: string) => median((samples.get(name) ?? []).map((sample) => sample.p99Ms));
  const { targeted, figure, percent, times } = report;
  const figures = [
    targeted(
      'single events unstored, processor time compared with a bare route',
      medianRatio(costs('unstored'), costs('bare')),
      'at most',
      1.6,
      times,
    ),
    targeted(
      'single events, share of storing switched off',
      medianRatio(rates('full'), rates('unstored')),
      'at least',
      0.6,
      percent,
    ),
    targeted(
      'the same, DURABILITY=normal',
      medianRatio(rates('normal'), rates('unstored')),
      'at least',
      0.6,
      percent,
    ),
    targeted(
      'single events, multiple of one insert a request',
      medianRatio(rates('full'), rates('baseline')),
      'at least',
      5,
      times,
    ),
    targeted(
      'the same, both DURABILITY=normal',
      medianRatio(rates('normal'), rates('baseline normal')),
      'at least',
      5,
      times,
    ),
    targeted(
      'batches of ten, multiple of one insert a request',
      medianRatio(rates('full x10'), rates('baseline')),
      'at least',
      8,
      times,
    ),
    targeted(
      'the same, both DURABILITY=normal',
      medianRatio(rates('normal x10'), rates('baseline normal')),
      'at least',
      8,
      times,
    ),
    figure(`p99 at ${connections} connections, single events`, report.milliseconds(p99('full'))),
    figure('the same, DURABILITY=normal', report.milliseconds(p99('normal'))),
    ...(slowDisk
      ? [
          figure(`fsync + ${SLOW_FSYNC_MS} ms: single events`, report.perSecond(median(rates('full slow')))),
          figure(
            `fsync + ${SLOW_FSYNC_MS} ms: batches of ten`,
            report.perSecond(median(rates('full slow x10'))),
          ),
          figure(`fsync + ${SLOW_FSYNC_MS} ms: p99, single events`, report.milliseconds(p99('full slow'))),
          figure(
            `fsync + ${SLOW_FSYNC_MS} ms: multiple of one insert a request`,
            times(medianRatio(rates('full slow'), rates('baseline slow'))),
          ),
        ]
      : []),
    targeted('start to first answer', start, 'at most', 150, report.milliseconds),
    figure('memory after the start, from source', report.mebibytes(memory.atStartMiB)),
    figure('memory after the first requests, from source', report.mebibytes(memory.afterRequestsMiB)),
    figure('tracker, minified', report.bytes(tracker.body.length)),
    targeted('tracker, gzip', tracker.gzip.length, 'at most', TRACKER_GZIP_MAX, report.bytes),
    figure('tracker, brotli', report.bytes(tracker.brotli.length)),
  ];
  report.printTable(figures);
}
