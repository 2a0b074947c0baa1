import { parseArgs } from 'node:util';
import { startClickHouse } from '../tests/support/clickhouse.ts';
import { installPackages } from '../tests/support/install.ts';
import { createDataDir, startProcess } from '../tests/support/process.ts';
import { JWT_SECRET, PASSWORD } from '../tests/support/service.ts';
import { startSqld } from '../tests/support/sqld.ts';
import { type Load, runLoad, type Sample } from './ingest/run-load.ts';
import { FLOOD, startServer } from './ingest/servers.ts';
import { measureProcess } from './measured-process.ts';
import { microseconds, milliseconds, perSecond, printMachine } from './report.ts';
import { median } from './statistics.ts';

/**
 * How fast events are taken in with the events on ClickHouse (chdb), by one process and by two that share a libSQL server.
 * `--share 20` leaves each of these a fifth of a processor (cpulimit): what two do where there are more processors.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    /** Percent of a processor. */
    share: { type: 'string' },
  },
});
const load: Load = {
  eventsARequest: 10,
  connections: Number(values.connections),
  measureMs: Number(values.seconds) * 1_000,
};

await printMachine(
  `bun bench/clickhouse-ingest.ts --rounds ${values.rounds} --seconds ${values.seconds} --connections ${values.connections}${values.share ? ` --share ${values.share}` : ''}`,
);
const clickHouse = await startClickHouse();
installPackages('tests/remote');
installPackages('tests/clickhouse');
const sqld = await startSqld();
if (!sqld) throw new Error('There is no libSQL server for this machine.');

const file = await startServer('src/main.ts', {});
const alone = await startServer('src/main.ts', { EVENTS_URL: await clickHouse.createDatabase() });
const shared = {
  ...FLOOD,
  EVENTS_URL: await clickHouse.createDatabase(),
  DATABASE_URL: sqld.url,
  JWT_SECRET,
  BACKUP_EVERY_HOURS: '0',
};
const places = [createDataDir(), createDataDir()];
const two = [];
for (const { path } of places) two.push(measureProcess(await startProcess({ ...shared, DATA_DIR: path })));
const [one, other] = two;
if (!one || !other) throw new Error('There are two.');
const trackingCode = await createWebsite(one.url);
if (values.share)
  for (const { process } of two) Bun.spawn(['cpulimit', '-z', '-l', values.share, '-p', String(process.pid)]);

const cases: { name: string; run: () => Promise<Sample[]> }[] = [
  { name: 'in the file', run: () => all([file]) },
  { name: 'ClickHouse, one process', run: () => all([alone]) },
  { name: 'ClickHouse and sqld, one process', run: () => all([{ ...one, trackingCode }]) },
  {
    name: 'ClickHouse and sqld, two processes',
    run: () => all([one, other].map((place) => ({ ...place, trackingCode }))),
  },
];
const results = new Map(cases.map(({ name }) => [name, [] as Sample[][]]));
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const { name, run } of cases) results.get(name)?.push(await run());
for (const [name, rounds] of results) console.log(describe(name, rounds));

for (const { process } of two) process.kill('SIGKILL');
await Promise.all([file.remove(), alone.remove(), ...two.map(({ process }) => process.exited)]);
for (const { remove } of places) remove();
await sqld.stop();
await clickHouse.stop();

/** Keeps the number of connections, however many processes there are. */
function all(servers: readonly Parameters<typeof runLoad>[0][]): Promise<Sample[]> {
  const connections = load.connections / servers.length;
  return Promise.all(servers.map((server) => runLoad(server, { ...load, connections })));
}

function describe(name: string, rounds: readonly Sample[][]): string {
  const of = (pick: (samples: Sample[]) => number) => median(rounds.map(pick));
  const total = of((samples) => samples.reduce((sum, { eventsPerS }) => sum + eventsPerS, 0));
  const p99Ms = of((samples) => Math.max(...samples.map((sample) => sample.p99Ms)));
  const cpuUs = of((samples) => Math.max(...samples.map((sample) => sample.cpuUsPerEvent)));
  return `${name}: ${perSecond(total)}, p99 ${milliseconds(p99Ms)}, ${microseconds(cpuUs)} of a processor an event`;
}

async function createWebsite(url: string): Promise<string> {
  const post = async (path: string, body: object, token?: string) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what is read of it stands below
    return (await answer.json()) as any;
  };
  const { tokens } = await post('/auth/register', { email: 'you@example.com', password: PASSWORD });
  const made = await post('/websites', { name: 'One', domain: 'https://example.com' }, tokens.accessToken);
  return (made.website ?? made).trackingCode;
}
