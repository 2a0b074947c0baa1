import type { BarOptions, BarResult } from '../bar.ts';
import { type Answered, runAll } from '../stage/clients.ts';
import { fillUp, mountSmallDisk } from '../stage/small-disk.ts';
import { openStage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

const DISK = '8m';
const CLIENTS = 8;
/** It is asked again every two seconds at most, and the first answers may be from before. */
const HEALTH_MS_MAX = 3_000;
const HEALTH_PATIENCE_MS = 20_000;
const RECOVERY_MS_MAX = 2_000;

/** The disk fills up under load, stays full for a while and is freed. Needs root, for a file system of its own. */
export async function tryFullDisk({ isLong, seed }: BarOptions): Promise<BarResult> {
  const disk = mountSmallDisk(DISK);
  try {
    return await tryOn(disk.path, { isLong, seed });
  } finally {
    disk.unmount();
  }
}

async function tryOn(dataDir: string, { isLong, seed }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const answers: Answered[] = [];
  const stage = await openStage({ seed, dataDir });
  const clients = stage.createClients(CLIENTS, {
    observe: (answer) => answer && answers.push(answer),
    pauseMs: 10,
  });
  let isOver = false;
  const running = runAll(clients, stage.url(), () => isOver);
  await Bun.sleep(500);
  const fill = fillUp(dataDir);
  const refusedAtMs = await until(() => answers.findLast(({ status }) => status === 503)?.atMs);
  const fullAtMs = performance.now();
  const heldUntilMs = fullAtMs + (isLong ? 7_000 : 4_000);
  let toldAfterMs: number | undefined;
  const isToBeTold = () => toldAfterMs === undefined && performance.now() < fullAtMs + HEALTH_PATIENCE_MS;
  while (performance.now() < heldUntilMs || isToBeTold()) {
    const ping = await fetch(`${stage.url()}/api/ping`);
    const list = await stage.call('GET', `/events?trackingCode=${stage.website.trackingCode}`, stage);
    if (ping.status !== 200 || list.status !== 200)
      faults.push(`while the disk was full, ping said ${ping.status} and the list ${list.status}`);
    const health = await fetch(`${stage.url()}/api/health`);
    if (health.status === 503) toldAfterMs ??= performance.now() - fullAtMs;
    else if (toldAfterMs !== undefined) faults.push(`while the disk was full, health said ${health.status}`);
    await Bun.sleep(200);
  }
  fill.free();
  const freedAtMs = performance.now();
  const acknowledgedAtMs = await until(
    () => answers.find(({ status, atMs }) => status === 201 && atMs > freedAtMs)?.atMs,
  );
  isOver = true;
  await running;
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, retryAfter } of refused)
    if (status !== 503 || retryAfter === null)
      faults.push(`a refusal was ${status} with Retry-After ${retryAfter}`);
  if (refusedAtMs === undefined) faults.push('nothing was refused: the disk was not full');
  if (toldAfterMs === undefined) faults.push('health never said that the disk was full');
  else if (isLong && toldAfterMs > HEALTH_MS_MAX) faults.push(`health said it after ${toldAfterMs} ms`);
  if (acknowledgedAtMs === undefined) faults.push('nothing was acknowledged once there was space');
  const recoveryMs = (acknowledgedAtMs ?? Number.POSITIVE_INFINITY) - freedAtMs;
  if (isLong && recoveryMs > RECOVERY_MS_MAX)
    faults.push(`the first 201 came ${recoveryMs} ms after the space`);
  faults.push(...(await stage.finish(clients)));
  return {
    figure: `${stage.ledger.acknowledged.size} events acknowledged, ${refused.length} requests refused with 503, first 201 ${recoveryMs.toFixed(0)} ms after the space was freed, ${faults.length} faults`,
    faults,
  };
}
