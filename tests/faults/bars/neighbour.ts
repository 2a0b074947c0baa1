import { join } from 'node:path';
import type { BarOptions, BarResult } from '../bar.ts';
import { type Answered, runAll } from '../stage/clients.ts';
import { percentile, probe } from '../stage/measure.ts';
import { openStage } from '../stage/stage.ts';

const CLIENTS = 16;
const FAILED_SHARE_MAX = 0.01;
const STALL_MS_MAX = 500;
const RECOVERY_MS_MAX = 1_000;

const NEIGHBOUR = join(import.meta.dir, '../neighbour.ts');

/** Actions of the other process while the clients send, and how often. */
const DEEDS = (isLong: boolean) =>
  isLong
    ? ['hold 30', 'checkpoint 15', 'vacuum 1', 'vacuum-into 1', 'hold 5']
    : ['hold 3', 'checkpoint 2', 'vacuum 1', 'vacuum-into 1'];

/** Another process takes the write lock, checkpoints and vacuums the file of a service under load, which is then killed. */
export async function tryNeighbour({ isLong, seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed });
  const answers: (Answered | undefined)[] = [];
  const faults: string[] = [];
  const clients = stage.createClients(CLIENTS, { observe: (answer) => answers.push(answer), pauseMs: 2 });
  const url = stage.url();
  let isOver = false;
  const bystander = probe(() => fetch(`${url}/api/ping`), { everyMs: 5 });
  const running = runAll(clients, url, () => isOver);
  /** From the end of each deed to the next acknowledgement. */
  const recoveriesMs: number[] = [];
  for (const deed of DEEDS(isLong)) {
    const neighbour = Bun.spawn([process.execPath, NEIGHBOUR, stage.databasePath, ...deed.split(' ')], {
      stdout: 'ignore',
      stderr: 'inherit',
    });
    if ((await neighbour.exited) !== 0) faults.push(`the neighbour could not ${deed}`);
    recoveriesMs.push(await nextAcknowledgement());
  }
  await bystander.stop();
  await stage.kill();
  isOver = true;
  await running;
  faults.push(...bystander.faults);
  const known = answers.filter((answer) => answer !== undefined);
  const failed = known.filter((answer) => answer.status >= 500).length;
  if (failed > known.length * FAILED_SHARE_MAX)
    faults.push(`${failed} of ${known.length} requests were refused`);
  await stage.start();
  faults.push(...(await stage.finish(clients)));

  const stallMs = percentile(bystander.tookMs, 1);
  const recoveryMs = percentile(recoveriesMs, 1);
  if (isLong && stallMs > STALL_MS_MAX) faults.push(`a bystander waited ${stallMs.toFixed(0)} ms`);
  if (isLong && recoveryMs > RECOVERY_MS_MAX) faults.push(`it took ${recoveryMs.toFixed(0)} ms to recover`);
  return {
    figure: `${stage.ledger.acknowledged.size} events acknowledged, ${faults.length} faults; ${failed} of ${known.length} requests answered 5xx; longest stall ${stallMs.toFixed(0)} ms, recovery at most ${recoveryMs.toFixed(0)} ms`,
    faults,
  };

  async function nextAcknowledgement(): Promise<number> {
    const fromMs = performance.now();
    const before = stage.ledger.acknowledged.size;
    while (stage.ledger.acknowledged.size === before && performance.now() - fromMs < 10_000)
      await Bun.sleep(2);
    return performance.now() - fromMs;
  }
}
