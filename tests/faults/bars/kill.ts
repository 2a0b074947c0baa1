import { spawnService } from '../../support/process.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { runAll } from '../stage/clients.ts';
import { medianAndP, percentile } from '../stage/measure.ts';
import { openStage } from '../stage/stage.ts';

const CLIENTS = 16;
const LOAD_MS_MIN = 80;
const LOAD_MS_MAX = 330;
/** Share of the restarts that are killed as well, before or just after they are ready. */
const KILLED_RESTART_SHARE = 0.25;
const KILLED_RESTART_MS_MAX = 200;
const RESTART_MS_MAX = 1_000;

/** After so many a new file is begun: the audit of each restart reads all of it. */
const KILLS_A_FILE_MAX = 250;

type Killed = { acknowledged: number; cutOff: number; restartsMs: number[]; faults: string[] };

/**
 * Kills the real service on a real file again and again while clients send to it, and audits the file after each
 * restart. Each client repeats what was not acknowledged with the same ids, like the tracker does.
 */
export async function tryKills({ isLong, seed }: BarOptions): Promise<BarResult> {
  const cycles = isLong ? Number(process.env.CYCLES ?? 1_000) : 5;
  const files: Killed[] = [];
  for (let killed = 0; killed < cycles; killed += KILLS_A_FILE_MAX)
    files.push(await killOften(Math.min(KILLS_A_FILE_MAX, cycles - killed), seed + files.length));
  const sum = (count: (file: Killed) => number) => files.reduce((total, file) => total + count(file), 0);
  const acknowledged = sum((file) => file.acknowledged);
  const cutOff = sum((file) => file.cutOff);
  const restartsMs = files.flatMap((file) => file.restartsMs);
  const faults = files.flatMap((file) => file.faults);
  if (cutOff === 0) faults.push('no request was cut off: it was not killed under load');
  if (isLong && percentile(restartsMs, 0.95) > RESTART_MS_MAX) faults.push('restarts take too long');
  return {
    figure: `${cycles} kills, ${acknowledged} events acknowledged, ${cutOff} cut off and sent again, ${faults.length} faults; restart to first answer ${medianAndP(restartsMs, 0.95)}`,
    faults,
  };
}

async function killOften(cycles: number, seed: number): Promise<Killed> {
  const stage = await openStage({ seed });
  const { random, environment, ledger } = stage;
  const restartsMs: number[] = [];
  const faults: string[] = [];
  /** Events whose request was cut off by a kill; all were sent again and acknowledged later. */
  let cutOff = 0;

  const clients = stage.createClients(CLIENTS);
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    const running = runAll(clients, stage.url(), () => false);
    await Bun.sleep(LOAD_MS_MIN + random.below(LOAD_MS_MAX - LOAD_MS_MIN));
    await stage.kill();
    await running;
    cutOff += clients.reduce((total, client) => total + client.pending().length, 0);

    if (random.chance(KILLED_RESTART_SHARE))
      await startAndKill(environment, random.below(KILLED_RESTART_MS_MAX));
    const startedAtMs = performance.now();
    await stage.start();
    await fetch(`${stage.url()}/api/ping`);
    restartsMs.push(performance.now() - startedAtMs);
    faults.push(...(await stage.audit()).map((fault) => `seed ${seed}, cycle ${cycle}: ${fault}`));
  }
  faults.push(...(await stage.finish(clients)).map((fault) => `seed ${seed}, at the end: ${fault}`));
  return { acknowledged: ledger.acknowledged.size, cutOff, restartsMs, faults };
}

async function startAndKill(environment: Record<string, string>, afterMs: number): Promise<void> {
  const child = spawnService(environment);
  await Bun.sleep(afterMs);
  child.kill('SIGKILL');
  await child.exited;
}
