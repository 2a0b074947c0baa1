import { join } from 'node:path';
import { eventFor } from '../../support/event.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { medianAndP, memoryMb, percentile, probe, resetMemoryPeak } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const FLOOD = join(import.meta.dir, '../flood.ts');
const FLOOD_PER_S = 200;
const LOOKED_AT_MAX = 20;
const TIME_SHARE_MAX = 0.05;
const FLOOD_MB_MAX = 200;
const INGEST_MS_MAX = 100;
const OWNER_MS_MAX = 1_000;
const REGISTRATIONS_PER_S = 100;
/** As many as may wait. */
const AT_ONCE = 50;
const OWNER = 'owner@example.com';

/** Guessing passwords, and registering: it reveals nothing, soon ends, locks no user out, and does not hold up events. */
export async function tryLogins({ isLong, seed }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const different = await compareKnownAndUnknown(isLong ? 200 : 3, seed, faults);
  if (isLong && different > TIME_SHARE_MAX)
    faults.push(`known and unknown addresses differ by ${(different * 100).toFixed(1)} %`);

  const stage = await openStage({ seed, environment: { TRUST_PROXY: '1' } });
  const guesses = isLong ? 1_000 : 25;
  const statuses = new Map<number, number>();
  for (let guess = 0; guess < guesses; guess += 1) {
    const { status } = await logIn(stage, OWNER, `Guess-number-${guess}`, '203.0.113.9');
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const lookedAt = statuses.get(401) ?? 0;
  if (lookedAt > LOOKED_AT_MAX || lookedAt + (statuses.get(429) ?? 0) !== guesses)
    faults.push(`guesses were answered ${JSON.stringify([...statuses])}`);
  const owner = await logIn(stage, OWNER, 'Correct-horse-9', '198.51.100.7');
  if (owner.status !== 200) faults.push(`the owner got ${owner.status} from another address`);

  await resetMemoryPeak(stage.pid());
  const before = memoryMb(stage.pid(), 'VmRSS');
  const ingest = probe(
    () =>
      fetch(`${stage.url()}/api/v1/events`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(eventFor(stage.website.trackingCode)),
      }),
    { expected: 201 },
  );
  const seconds = isLong ? 20 : 1;
  const answers = await flood(stage, {
    path: '/login',
    email: 'flood@example.com',
    perS: FLOOD_PER_S,
    seconds,
  });
  await ingest.stop();
  faults.push(...ingest.faults);
  for (const name of Object.keys(answers))
    if (!['401', '429 later', '503 later'].includes(name)) faults.push(`the flood was answered ${name}`);
  const grownMb = memoryMb(stage.pid(), 'VmHWM') - before;
  const slowMs = percentile(ingest.tookMs, 0.99);
  if (isLong && grownMb > FLOOD_MB_MAX) faults.push(`memory grew by ${grownMb.toFixed(0)} MB`);
  if (isLong && slowMs > INGEST_MS_MAX) faults.push(`events waited p99 ${slowMs.toFixed(0)} ms`);
  const crowd = await tryCrowd(stage, isLong, faults);
  const ownerMs = percentile(crowd.tookMs, 0.99);
  if (isLong && ownerMs > OWNER_MS_MAX) faults.push(`a right password waited p99 ${ownerMs.toFixed(0)} ms`);
  await stage.service().stop();
  stage.remove();
  return {
    figure: `known and unknown addresses answered alike, medians ${(different * 100).toFixed(1)} % apart; ${lookedAt} of ${guesses} guesses looked at; flood ${JSON.stringify(answers)}, memory +${grownMb.toFixed(0)} MB, events waited p99 ${slowMs.toFixed(0)} ms; during guesses ${JSON.stringify(crowd.guesses)} and registrations ${JSON.stringify(crowd.registrations)} a right password was looked at ${crowd.tookMs.length} times, ${medianAndP(crowd.tookMs, 0.99)}`,
    faults,
  };
}

/** @returns how far the medians of their times are apart, as a share */
async function compareKnownAndUnknown(pairs: number, seed: number, faults: string[]): Promise<number> {
  const stage = await openStage({
    seed,
    environment: { LIMIT_LOGIN_FAILURES: '0', LIMIT_LOGIN_FAILURES_ADDRESS: '0' },
  });
  const tookMs: [number[], number[]] = [[], []];
  const texts = new Set<string>();
  for (let pair = 0; pair < pairs; pair += 1)
    for (const [index, email] of [OWNER, `unknown-${pair}@example.com`].entries()) {
      const startedMs = performance.now();
      const { status, text } = await logIn(stage, email, 'Wrong-horse-9');
      tookMs[index === 0 ? 0 : 1].push(performance.now() - startedMs);
      texts.add(`${status} ${text}`);
    }
  if (texts.size !== 1) faults.push(`the answers differ: ${[...texts]}`);
  await stage.service().stop();
  stage.remove();
  const [known, unknown] = tookMs.map((times) => percentile(times, 0.5)) as [number, number]; // of the pair
  return Math.abs(known - unknown) / unknown;
}

async function logIn(stage: Stage, email: string, password: string, address?: string) {
  const response = await fetch(`${stage.url()}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(address && { 'X-Forwarded-For': address }) },
    body: JSON.stringify({ email, password }),
  });
  return { status: response.status, text: await response.text() };
}

/** Logs in with the password during as many guesses at other accounts and registrations as the machine takes. */
async function tryCrowd(stage: Stage, isLong: boolean, faults: string[]) {
  const addresses = isLong ? 250 : 50;
  const seconds = isLong ? 20 : 1;
  // The first guess of an address is looked at like anybody's: none is new any more.
  for (let address = 0; address < addresses; address += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        logIn(stage, `early-${address + index}@example.com`, 'Wrong-horse-9', `203.0.113.${address + index}`),
      ),
    );
  const owner = probe(() => logIn(stage, OWNER, 'Correct-horse-9', '198.51.100.8'), { everyMs: 100 });
  const common = { seconds, addresses };
  const [guesses, registrations] = await Promise.all([
    flood(stage, { ...common, path: '/login', email: 'late-*@example.com', perS: FLOOD_PER_S }),
    flood(stage, { ...common, path: '/register', email: 'crowd-*@example.com', perS: REGISTRATIONS_PER_S }),
  ]);
  await owner.stop();
  faults.push(...owner.faults);
  if (!registrations['201']) faults.push('no client could register');
  return { guesses, registrations, tookMs: owner.tookMs };
}

type Flood = { path: string; email: string; perS: number; seconds: number; addresses?: number };

/** From many addresses, so that it is not the limit of one that ends it. */
async function flood(
  stage: Stage,
  { path, email, perS, seconds, addresses = 250 }: Flood,
): Promise<Record<string, number>> {
  const body = JSON.stringify({ email, password: 'Wrong-horse-9' });
  const url = `${stage.url()}/api/v1/auth${path}`;
  const rest = [perS, seconds, 'X-Forwarded-For', '203.0.113.*', addresses].map(String);
  const sender = Bun.spawn([process.execPath, FLOOD, url, body, ...rest], { stderr: 'inherit' });
  return JSON.parse(await new Response(sender.stdout).text());
}
