import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { eventFor } from '../../support/event.ts';
import { createDataDir } from '../../support/process.ts';
import { PROGRAM } from '../../support/program.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { type Answered, runAll } from '../stage/clients.ts';
import { fillUp, mountSmallDisk } from '../stage/small-disk.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

const ROOT = join(import.meta.dir, '../../..');
const DISK = '256m';
/** The floor is 2 %: 5.12 MiB. Work below it needs room: the write-ahead log alone grows to 4 MiB. */
const LEFT_BYTES = 5_200_000;
const CLIENTS = 8;
const RECOVERY_MS_MAX = 2_000;
const SENTENCE = 'The disk is nearly full: no events are stored until there is room';

/** The disk comes below the floor under load: events are refused, everything else continues. Needs root. */
export async function tryDiskFloor(options: BarOptions): Promise<BarResult> {
  const disk = mountSmallDisk(DISK);
  const copies = createDataDir();
  try {
    return await tryOn(disk.path, join(copies.path, 'copy.db'), options);
  } finally {
    disk.unmount();
    copies.remove();
  }
}

async function tryOn(dataDir: string, copy: string, { isLong, seed }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const answers: Answered[] = [];
  const stage = await openStage({ seed, dataDir });
  await stage.call('POST', '/events', { body: eventFor(stage.website.trackingCode, { visitorId: 'gone' }) });
  const clients = stage.createClients(CLIENTS, {
    observe: (answer) => answer && answers.push(answer),
    pauseMs: 10,
  });
  let isOver = false;
  const running = runAll(clients, stage.url(), () => isOver);
  await Bun.sleep(500);
  const fill = fillUp(dataDir, LEFT_BYTES);
  const isRefused = () => answers.at(-1)?.status === 503 || undefined;
  if ((await until(isRefused)) === undefined) faults.push('events were not refused below the floor');
  await Bun.sleep(1_000); // what was looked at before may be half a second old
  const storedBelow = answers.filter(({ status, atMs }) => status === 201 && atMs > performance.now() - 500);
  if (storedBelow.length > 0) faults.push(`${storedBelow.length} requests were stored below the floor`);
  faults.push(...(await tryTheRest(stage, copy)));
  fill.free();
  const freedAtMs = performance.now();
  const storedAtMs = await until(
    () => answers.find(({ status, atMs }) => status === 201 && atMs > freedAtMs)?.atMs,
  );
  isOver = true;
  await running;
  const recoveryMs = (storedAtMs ?? Number.POSITIVE_INFINITY) - freedAtMs;
  if (storedAtMs === undefined) faults.push('nothing was stored once there was room');
  else if (isLong && recoveryMs > RECOVERY_MS_MAX) faults.push(`the first 201 came after ${recoveryMs} ms`);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, retryAfter } of refused)
    if (status !== 503 || retryAfter === null)
      faults.push(`a refusal was ${status} with Retry-After ${retryAfter}`);
  faults.push(...(await stage.finish(clients)));
  return {
    figure: `${stage.ledger.acknowledged.size} events acknowledged, ${refused.length} requests refused, first 201 ${recoveryMs.toFixed(0)} ms after there was room, ${faults.length} faults`,
    faults,
  };
}

/** Requests of users and administrators while events are refused. */
async function tryTheRest(stage: Stage, copy: string): Promise<string[]> {
  const { token, website } = stage;
  const body = { email: 'owner@example.com', password: 'Correct-horse-9' };
  const event = await stage.call('POST', '/events', { body: eventFor(website.trackingCode) });
  const done: Record<string, boolean> = {
    'events are refused in words': event.status === 503 && event.body.message === SENTENCE,
    'a login': (await stage.call('POST', '/auth/login', { body })).status === 200,
    'a registration':
      (await stage.call('POST', '/auth/register', { body: { ...body, email: 'new@example.com' } })).status ===
      201,
    'the figures': (await stage.call('GET', `/websites/${website.id}/stats`, { token })).status === 200,
    'an erasure':
      (await stage.call('DELETE', `/websites/${website.id}/visitors/gone`, { token })).status === 200,
    'a backup': run(stage, [...PROGRAM, 'backup', '--to', copy]),
    'a VACUUM': run(stage, [
      process.execPath,
      'tests/faults/neighbour.ts',
      stage.databasePath,
      'vacuum',
      '1',
    ]),
    'health says so': (await fetch(`${stage.url()}/api/health`)).status === 503,
  };
  rmSync(copy, { force: true });
  return Object.entries(done)
    .filter(([, isDone]) => !isDone)
    .map(([name]) => `below the floor this did not hold: ${name}`);
}

function run({ environment }: Stage, command: string[]): boolean {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  return Bun.spawnSync(command, { cwd: ROOT, env, stderr: 'inherit' }).exitCode === 0;
}
