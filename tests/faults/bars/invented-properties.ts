import { join } from 'node:path';
import type { BarOptions, BarResult } from '../bar.ts';
import { memoryMb, percentile, probe, resetMemoryPeak } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';

const ATTACK = join(import.meta.dir, '../properties-attack.ts');
const SECONDS = { short: 3, long: 60 };
const ASK_EVERY_MS = 200;
const NEIGHBOUR_MS_MAX = 1_000;
const GROWTH_MB_MAX = 150;

type Attack = { name: string; websites: number; senders: number; addresses: number };
const ATTACKS: readonly Attack[] = [
  { name: 'one address', websites: 1, senders: 2, addresses: 1 },
  { name: '50 addresses', websites: 1, senders: 6, addresses: 50 },
  { name: '50 websites of one account', websites: 50, senders: 6, addresses: 1 },
];

/** Strangers, or an account with many websites, invent 90 properties for each event. */
export async function tryInventedProperties({ isLong, seed }: BarOptions): Promise<BarResult> {
  const faults: string[] = [];
  const figures: string[] = [];
  for (const attack of ATTACKS) {
    const { worstMs, grownMb, ...result } = await run(attack, isLong, seed);
    figures.push(`${attack.name}: ${result.figure}`);
    faults.push(...result.faults.map((fault) => `${attack.name}: ${fault}`));
    if (isLong && worstMs > NEIGHBOUR_MS_MAX)
      faults.push(`${attack.name}: a neighbour waited ${worstMs.toFixed(0)} ms`);
    if (isLong && grownMb > GROWTH_MB_MAX)
      faults.push(`${attack.name}: memory grew by ${grownMb.toFixed(0)} MB`);
  }
  return { figure: figures.join('; '), faults };
}

async function run({ websites, senders, addresses }: Attack, isLong: boolean, seed: number) {
  const stage = await openStage({ seed, environment: { TRUST_PROXY: '1' } });
  const codes = await addWebsites(stage, websites);
  const askNeighbour = await openNeighbour(stage);
  const askPing = () => fetch(`${stage.url()}/api/ping`);
  await askNeighbour();
  await resetMemoryPeak(stage.pid());
  const beforeMb = memoryMb(stage.pid(), 'VmRSS');
  const neighbour = probe(askNeighbour, { everyMs: ASK_EVERY_MS });
  const ping = probe(askPing, { everyMs: ASK_EVERY_MS });
  const seconds = isLong ? SECONDS.long : SECONDS.short;
  const attack = Bun.spawn(
    [process.execPath, ATTACK, stage.url(), String(seconds), String(senders), String(addresses), ...codes],
    { stderr: 'inherit' },
  );
  const answers = await new Response(attack.stdout).text();
  await Promise.all([neighbour.stop(), ping.stop()]);
  const grownMb = memoryMb(stage.pid(), 'VmHWM') - beforeMb;
  await stage.service().stop();
  stage.remove();
  const worstMs = Math.max(...neighbour.tookMs);
  return {
    worstMs,
    grownMb,
    faults: [...neighbour.faults, ...ping.faults],
    figure: `batches ${answers.trim()}, memory ${beforeMb.toFixed(0)} MB and ${grownMb.toFixed(0)} more, a neighbour waited ${percentile(neighbour.tookMs, 0.5).toFixed(0)} ms in the median, p99 ${percentile(neighbour.tookMs, 0.99).toFixed(0)}, at most ${worstMs.toFixed(0)}, a ping at most ${Math.max(...ping.tookMs).toFixed(0)}`,
  };
}

async function addWebsites({ addWebsite, website }: Stage, count: number): Promise<string[]> {
  const codes = [website.trackingCode];
  while (codes.length < count)
    codes.push((await addWebsite(`https://site${codes.length}.example`)).trackingCode);
  return codes;
}

/** Makes another account with a website of its own. @returns a question for its totals */
async function openNeighbour({ call }: Stage): Promise<() => Promise<{ status: number }>> {
  const { body } = await call('POST', '/auth/register', {
    body: { email: 'neighbour@example.com', password: 'Correct-horse-9' },
  });
  const token: string = body.tokens.accessToken;
  const { id } = (await call('POST', '/demo', { token })).body.website;
  return () => call('GET', `/websites/${id}/stats`, { token });
}
