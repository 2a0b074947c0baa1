import { join } from 'node:path';
import Database from 'libsql';
import { freePort } from '../../support/free-port.ts';
import { createDataDir, spawnService } from '../../support/process.ts';
import type { BarOptions, BarResult } from '../bar.ts';

const PROCESSES = 4;
const REFUSED_MS_MAX = 2_000;
const START_MS_MAX = 30_000;

/** Four processes are started at once on one new database and one port. */
export async function trySeveralInstances({ isLong }: BarOptions): Promise<BarResult> {
  const rounds = isLong ? 10 : 2;
  const faults: string[] = [];
  let slowestRefusalMs = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const outcome = await tryOnce();
    slowestRefusalMs = Math.max(slowestRefusalMs, outcome.slowestRefusalMs);
    faults.push(...outcome.faults.map((fault) => `round ${round}: ${fault}`));
  }
  if (isLong && slowestRefusalMs > REFUSED_MS_MAX) faults.push('the others took too long to go');
  return {
    figure: `${rounds} times ${PROCESSES} processes: one served each time, the others went after ${slowestRefusalMs.toFixed(0)} ms at most, ${faults.length} faults`,
    faults,
  };
}

async function tryOnce(): Promise<{ faults: string[]; slowestRefusalMs: number }> {
  const faults: string[] = [];
  const dataDir = createDataDir();
  const environment = { DATA_DIR: dataDir.path, PORT: String(freePort()) };
  const startedMs = performance.now();
  const children = Array.from({ length: PROCESSES }, () => spawnService(environment));
  const ends = children.map(async (child) => {
    const code = await child.exited;
    return { code, said: await new Response(child.stderr).text(), tookMs: performance.now() - startedMs };
  });
  let gone: Awaited<(typeof ends)[number]>[] = [];
  for (const end of ends) void end.then((outcome) => gone.push(outcome));
  while (gone.length < PROCESSES - 1 && performance.now() - startedMs < START_MS_MAX) await Bun.sleep(10);
  const refused = gone;
  for (const { code, said } of refused)
    if (code !== 1 || !said.includes('already running')) faults.push(`one ended with ${code}: ${said}`);
  if (refused.length !== PROCESSES - 1) faults.push(`${refused.length} were refused`);

  const url = `http://127.0.0.1:${environment.PORT}/api/ping`;
  const status = await poll(() => fetch(url).then((answer) => answer.status));
  if (status !== 200) faults.push(`the one that stayed answers ${status}`);
  faults.push(...readSchema(join(dataDir.path, 'pagemeter.db')));
  gone = [];
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(ends);
  dataDir.remove();
  return { faults, slowestRefusalMs: Math.max(...refused.map(({ tookMs }) => tookMs)) };
}

/** Each migration once. */
function readSchema(path: string): string[] {
  const database = new Database(path);
  // The columns that the query names.
  const rows = database.prepare('SELECT hash FROM __drizzle_migrations').all() as { hash: string }[];
  database.close();
  const distinct = new Set(rows.map(({ hash }) => hash)).size;
  return rows.length === distinct && distinct > 0 ? [] : [`${rows.length} migrations, ${distinct} distinct`];
}

async function poll(ask: () => Promise<number>): Promise<number | undefined> {
  const deadlineMs = performance.now() + START_MS_MAX;
  while (performance.now() < deadlineMs) {
    const status = await ask().catch(() => undefined);
    if (status !== undefined) return status;
    await Bun.sleep(20);
  }
  return undefined;
}
