import { join } from 'node:path';
import { startProcess } from '../../support/process.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import type { Attack, Sent, Target } from '../hostile-bodies-attack.ts';
import { memoryMb, percentile, probe } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const PROGRAM = join(import.meta.dir, '../hostile-bodies-attack.ts');
/** Beyond what a server that does nothing took meanwhile. */
const PING_MS_MAX = 200;

const KIB = 1_024;
const LARGE_BYTES = 4_900_000;
/** Just below the bound of most routes, and of the settings. */
const SMALL_BYTES = 60 * KIB;
const SETTINGS_BYTES = 250 * KIB;

const EVENT_ROUTES = ['/api/v1/events', '/api/v1/events/batch'];

/** Bodies that are dear to read, on every route that takes one; others do not notice. */
export async function tryHostileBodies({ isLong, seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed });
  const idle = await startProcess({}, { program: [process.execPath, 'tests/faults/idle-server.ts'] });
  const targets = await listTargets(stage);
  const routes = targets.filter(({ path }) => !EVENT_ROUTES.includes(path));
  const events = targets.filter(({ path }) => EVENT_ROUTES.includes(path));
  const settings = targets.filter(({ path }) => path.endsWith('/settings'));
  const faults: string[] = [];
  const figures: string[] = [];

  async function attack(
    name: string,
    refusals: readonly number[],
    changes: Partial<Attack> & Pick<Attack, 'targets' | 'bytes'>,
  ): Promise<void> {
    const ping = probe(() => fetch(`${stage.url()}/api/ping`), { everyMs: 5 });
    const idlePing = probe(() => fetch(idle.url), { everyMs: 5 });
    const answers = await run({
      url: stage.url(),
      trackingCode: stage.website.trackingCode,
      atOnce: 1,
      bytesPerS: 0,
      ...changes,
    });
    await Promise.all([ping.stop(), idlePing.stop()]);
    faults.push(...ping.faults);
    const odd = answers.filter(({ status }) => !refusals.includes(Number(status)));
    for (const { name, status } of odd) faults.push(`${name} was answered ${status}`);
    const worstMs = Math.max(...ping.tookMs);
    const idleMs = Math.max(...idlePing.tookMs);
    if (isLong && worstMs > PING_MS_MAX + idleMs)
      faults.push(`${name}: a ping took ${worstMs.toFixed(0)} ms`);
    figures.push(
      `${name}: ${answers.length} bodies, ping p99 ${percentile(ping.tookMs, 0.99).toFixed(0)} ms, at most ${worstMs.toFixed(0)} ms (an idle server ${idleMs.toFixed(0)} ms)`,
    );
  }

  const few = isLong ? routes : routes.slice(0, 3);
  // One after the other they are answered as four at once are: only how long others wait is another matter.
  if (isLong) await attack('4.9 MB to each route', [401, 413], { targets: few, bytes: LARGE_BYTES });
  await attack('4.9 MB to each route, four at once', [401, 413], {
    targets: few,
    bytes: LARGE_BYTES,
    atOnce: 4,
  });
  await attack('4.9 MB of events', [201, 207, 400, 413], { targets: events, bytes: LARGE_BYTES });
  await attack('4.9 MB of events, four at once', [201, 207, 400, 413, 503], {
    targets: events,
    bytes: LARGE_BYTES,
    atOnce: 4,
  });
  await attack('60 KiB to each route, eight at once', SMALL_ANSWERS, {
    targets: [...few, ...events],
    bytes: SMALL_BYTES,
    atOnce: 8,
  });
  await attack('250 KiB of settings, eight at once', SMALL_ANSWERS, {
    targets: settings,
    bytes: SETTINGS_BYTES,
    atOnce: 8,
  });
  if (isLong) {
    await attack('60 KiB at 1 MB/s', SMALL_ANSWERS, {
      targets: [...routes, ...events],
      bytes: SMALL_BYTES,
      atOnce: 16,
      bytesPerS: 1_000_000,
    });
    await attack('4.9 MB of events at 1 MB/s', [201, 207, 400, 413, 503], {
      targets: events.filter(({ path }) => path.endsWith('/batch')),
      bytes: LARGE_BYTES,
      atOnce: 4,
      bytesPerS: 1_000_000,
    });
  }
  const peakMb = memoryMb(stage.pid(), 'VmHWM');
  await Promise.all([stage.service().stop(), idle.stop()]);
  stage.remove();
  return { figure: `${figures.join('; ')}; peak ${peakMb.toFixed(0)} MB`, faults };
}

/** Whatever a body below its bound may be answered, but never a 5xx other than too busy. */
const SMALL_ANSWERS = [200, 201, 207, 400, 401, 403, 404, 409, 413, 429, 503];

async function run(attack: Attack): Promise<Sent[]> {
  const sender = Bun.spawn([process.execPath, PROGRAM, JSON.stringify(attack)], { stderr: 'inherit' });
  return JSON.parse(await new Response(sender.stdout).text());
}

/** Lists the routes described with a body, with the token of the owner; what needs one also without. */
async function listTargets({ url, call, token, website }: Stage): Promise<Target[]> {
  const goal = await call('POST', `/websites/${website.id}/goals`, {
    token,
    body: { name: 'Signup', type: 'event', match: 'signup' },
  });
  const document = (await (await fetch(`${url()}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { requestBody?: unknown; security?: object[] }>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.requestBody !== undefined)
      .flatMap(([method, { security }]) => {
        const target = {
          method: method.toUpperCase(),
          path: path.replace('{id}', website.id).replace('{goalId}', goal.body.id),
        };
        const isProtected = security !== undefined && !security.some((one) => Object.keys(one).length === 0);
        return isProtected ? [target, { ...target, token }] : [target];
      }),
  );
}
