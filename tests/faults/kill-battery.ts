import { join } from 'node:path';
import { createRandom } from '../../src/demo/random.ts';
import { createDataDir, spawnService, startProcess } from '../support/process.ts';
import { createAudit } from './audit.ts';
import { type Client, createClient } from './clients.ts';
import { createLedger } from './ledger.ts';

const CLIENTS = 16;
const LOAD_MS_MIN = 80;
const LOAD_MS_MAX = 330;
/** Of the restarts: those that are killed as well, before or just after they are ready. */
const KILLED_RESTART_SHARE = 0.25;
const KILLED_RESTART_MS_MAX = 200;

export type KillSummary = {
  cycles: number;
  acknowledged: number;
  /** Events whose request was cut off by a kill; all were sent again and acknowledged later. */
  cutOff: number;
  /** In words; empty when nothing was lost, doubled, miscounted or damaged. */
  faults: string[];
  restartMs: { median: number; p95: number };
};

/**
 * Kills the real service on a real file again and again while clients send to it, and audits the file after each
 * restart. Each client repeats what was not acknowledged with the same ids, like the tracker does.
 */
export async function runKillBattery(cycles: number, seed: number): Promise<KillSummary> {
  const random = createRandom(seed);
  const dataDir = createDataDir();
  const ledger = createLedger();
  const audit = createAudit(join(dataDir.path, 'pagemeter.db'), ledger);
  const environment = { DATA_DIR: dataDir.path, LIMIT_COLLECT_PER_S: '0' }; // all clients have one address
  const restartsMs: number[] = [];
  const faults: string[] = [];
  let cutOff = 0;

  let service = await startProcess(environment);
  const trackingCode = await addWebsite(service.url);
  const clients = Array.from({ length: CLIENTS }, () => createClient(trackingCode, ledger, random));
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const running = runAll(clients, service.url, () => false);
    await Bun.sleep(LOAD_MS_MIN + random.below(LOAD_MS_MAX - LOAD_MS_MIN));
    service.process.kill('SIGKILL');
    await Promise.all([running, service.process.exited]);
    cutOff += clients.reduce((sum, client) => sum + client.pending().length, 0);

    if (random.chance(KILLED_RESTART_SHARE))
      await startAndKill(environment, random.below(KILLED_RESTART_MS_MAX));
    const startedAtMs = performance.now();
    service = await startProcess(environment);
    await fetch(`${service.url}/api/ping`);
    restartsMs.push(performance.now() - startedAtMs);
    faults.push(...(await audit()).map((fault) => `cycle ${cycle}: ${fault}`));
  }
  await runAll(clients, service.url, () => true);
  if (ledger.acknowledged.size !== ledger.sentCount())
    faults.push('not every event was acknowledged at last');
  faults.push(...(await audit()).map((fault) => `at the end: ${fault}`));
  if ((await service.stop()) !== 0) faults.push('the service did not stop in order');
  dataDir.remove();
  return { cycles, acknowledged: ledger.acknowledged.size, cutOff, faults, restartMs: summarise(restartsMs) };
}

async function runAll(clients: readonly Client[], url: string, isDone: () => boolean): Promise<void> {
  await Promise.all(clients.map((client) => client.run(url, isDone)));
}

async function startAndKill(environment: Record<string, string>, afterMs: number): Promise<void> {
  const child = spawnService(environment);
  await Bun.sleep(afterMs);
  child.kill('SIGKILL');
  await child.exited;
}

async function addWebsite(url: string): Promise<string> {
  const { tokens } = await post(`${url}/api/v1/auth/register`, {
    email: 'owner@example.com',
    password: 'Correct-horse-9',
  });
  const { trackingCode } = await post(
    `${url}/api/v1/websites`,
    { name: 'Example', domain: 'https://example.com' },
    tokens?.accessToken,
  );
  if (!trackingCode) throw new Error('The website was not created.');
  return trackingCode;
}

type Created = { tokens?: { accessToken: string }; trackingCode?: string };

async function post(url: string, body: object, token?: string): Promise<Created> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  // Whose form other tests check.
  return (await response.json()) as Created;
}

function summarise(durationsMs: readonly number[]): { median: number; p95: number } {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { median: at(0.5), p95: at(0.95) };
}
