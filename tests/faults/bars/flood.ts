import { join } from 'node:path';
import { createKeyedHash } from '../../../src/limits/keyed-hash.ts';
import { createRateLimit } from '../../../src/limits/rate-limit.ts';
import { eventFor } from '../../support/event.ts';
import { livingBytes } from '../../support/living-bytes.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { percentile, probe } from '../stage/measure.ts';
import { openStage } from '../stage/stage.ts';

const FLOOD = join(import.meta.dir, '../flood.ts');
const RATE = 2_000;
const BYSTANDER_MS_MAX = 100;
const SUCCESS_SHARE_MIN = 0.99;
const KEYS = 1_000_000;
const KEYS_MB_MAX = 64;

/** One address sends ten times what it may; another one does not notice, and inventing addresses does not help. */
export async function tryFlood({ isLong, seed }: BarOptions): Promise<BarResult> {
  const seconds = isLong ? 20 : 2;
  const faults: string[] = [];
  // A tenth of what is sent; so little in the short version that a busy machine meets it as well.
  const limitPerS = isLong ? 200 : 20;
  const limit = { LIMIT_COLLECT_PER_S: String(limitPerS) };

  const behindProxy = await openStage({ seed, environment: { ...limit, TRUST_PROXY: '1' } });
  const body = JSON.stringify(eventFor(behindProxy.website.trackingCode));
  const url = `${behindProxy.url()}/api/v1/events`;
  const bystander = probe(
    () =>
      fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.7' },
        body,
      }),
    { expected: 201, everyMs: 50 },
  );
  const flooded = await flood(url, body, seconds, 'X-Forwarded-For', '203.0.113.9');
  await bystander.stop();
  await behindProxy.service().stop();
  behindProxy.remove();
  judgeAnswers(flooded, limitPerS, faults);
  const success = 1 - bystander.faults.length / bystander.tookMs.length;
  if (success < SUCCESS_SHARE_MIN)
    faults.push(`a bystander succeeded ${(success * 100).toFixed(1)} % of the time`);
  const slowMs = percentile(bystander.tookMs, 0.99);
  if (isLong && slowMs > BYSTANDER_MS_MAX) faults.push(`a bystander waited p99 ${slowMs.toFixed(0)} ms`);

  const open = await openStage({ seed, environment: limit });
  const invented = await flood(
    `${open.url()}/api/v1/events`,
    JSON.stringify(eventFor(open.website.trackingCode)),
    Math.min(seconds, 5),
    'X-Forwarded-For',
    '203.0.113.*',
  );
  await open.service().stop();
  open.remove();
  judgeAnswers(invented, limitPerS, faults);

  const grownMb = growthOfManyKeys();
  if (grownMb > KEYS_MB_MAX) faults.push(`a million addresses took ${grownMb.toFixed(0)} MB`);
  return {
    figure: `${JSON.stringify(flooded.answers)}; with invented addresses ${JSON.stringify(invented.answers)}; a bystander succeeded ${(success * 100).toFixed(1)} % of the time, p99 ${slowMs.toFixed(0)} ms; a million addresses took ${grownMb.toFixed(1)} MB`,
    faults,
  };
}

/** How often each answer came, and how long it took until the last one did. */
type Flooded = { answers: Record<string, number>; tookS: number };

async function flood(url: string, body: string, seconds: number, ...header: string[]): Promise<Flooded> {
  const startedMs = performance.now();
  const sender = Bun.spawn([process.execPath, FLOOD, url, body, String(RATE), String(seconds), ...header], {
    stderr: 'inherit',
  });
  const answers = JSON.parse(await new Response(sender.stdout).text());
  return { answers, tookS: (performance.now() - startedMs) / 1_000 };
}

/** Beyond the granted requests, every answer is a 429 with Retry-After and a JSON body. */
function judgeAnswers({ answers, tookS }: Flooded, limitPerS: number, faults: string[]): void {
  const granted = limitPerS * (5 + tookS + 1); // the burst, and a second for the bystander and rounding
  const { '201': stored = 0, '429 later': refused = 0, ...others } = answers;
  if (stored > granted) faults.push(`${stored} events got through, ${granted} are granted`);
  if (refused === 0) faults.push('nothing was refused');
  if (Object.keys(others).length > 0) faults.push(`other answers: ${JSON.stringify(others)}`);
}

/** Measures lasting growth: the garbage of making a million addresses is the test's own. */
function growthOfManyKeys(): number {
  const before = livingBytes();
  const limit = createRateLimit({ rate: { max: 1_000, perMs: 1_000 }, hash: createKeyedHash() });
  for (let key = 0; key < KEYS; key += 1)
    limit.take(`2001:db8:${(key >> 16).toString(16)}:${(key & 0xffff).toString(16)}::/64`, 0);
  const grown = livingBytes() - before;
  limit.take('still in use', 0);
  return grown / 1024 / 1024;
}
