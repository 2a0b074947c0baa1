import { rmSync } from 'node:fs';
import type { BarOptions, BarResult } from '../bar.ts';
import { type Answered, runAll } from '../stage/clients.ts';
import { openStage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

const CLIENTS = 8;
const WATCH_MS = 2_000;
const ACKNOWLEDGED_MS_MAX = 1_000;

/** The database file is deleted under load: what is written into it from then on is lost, so no client may receive 201. */
export async function tryLostFile({ isLong, seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed });
  const answers: Answered[] = [];
  const clients = stage.createClients(CLIENTS, {
    pauseMs: 5,
    observe: (answer) => answer && answers.push(answer),
  });
  let isOver = false;
  const running = runAll(clients, stage.url(), () => isOver);
  await Bun.sleep(500);
  rmSync(stage.databasePath);
  const deletedMs = performance.now();
  const refused = await until(() => answers.find(({ status }) => status === 503));
  const refusedAtMs = performance.now();
  await Bun.sleep(WATCH_MS);
  const health = await fetch(`${stage.url()}/api/health`);
  isOver = true;
  await stage.kill();
  await running;
  stage.remove();

  const faults: string[] = [];
  const last = answers.findLast(({ status }) => status === 201);
  const lastMs = last ? Math.max(0, last.atMs + last.tookMs - deletedMs) : 0;
  if (isLong && lastMs > ACKNOWLEDGED_MS_MAX)
    faults.push(`an event was acknowledged ${lastMs.toFixed(0)} ms after the file was gone`);
  if (!refused) faults.push('no event was refused');
  else if (last && last.atMs > refusedAtMs)
    faults.push('an event was acknowledged after another was refused');
  if (health.status !== 503) faults.push(`health said ${health.status}`);
  return {
    figure: `last 201 ${lastMs.toFixed(0)} ms after the file was gone, then ${answers.filter(({ status }) => status === 503).length} requests refused with 503, health ${health.status}`,
    faults,
  };
}
