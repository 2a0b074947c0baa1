import { join } from 'node:path';
import { eventFor } from '../../support/event.ts';
import type { BarOptions, BarResult } from '../bar.ts';
import { openFileCount, percentile, probe } from '../stage/measure.ts';
import { openStage } from '../stage/stage.ts';

const ATTACK = join(import.meta.dir, '../slow-clients-attack.ts');
const CLIENTS = 500;
const SECONDS = 40;
const HEAD_MS_MAX = 15_000;
/** Elysia's idle timeout of 30 s, and what its timer is late. */
const BODY_MS_MAX = 33_000;
const BYSTANDER_MS_MAX = 50;
const FILES_MAX = 5;

/** Hundreds of clients that never finish their request; others do not notice. */
export async function trySlowClients({ seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed });
  const faults: string[] = [];
  const filesBefore = openFileCount(stage.pid());
  const bystander = probe(
    () =>
      fetch(`${stage.url()}/api/v1/events`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(eventFor(stage.website.trackingCode)),
      }),
    { expected: 201 },
  );
  const attack = Bun.spawn([process.execPath, ATTACK, stage.url(), String(CLIENTS), String(SECONDS)], {
    stderr: 'inherit',
  });
  const borne: [string, number | null][] = JSON.parse(await new Response(attack.stdout).text());
  await bystander.stop();
  faults.push(...bystander.faults);
  const longest = { head: 0, body: 0 };
  for (const [kind, ms] of borne) {
    const key = kind === 'head' ? 'head' : 'body';
    longest[key] = Math.max(longest[key], ms ?? Number.POSITIVE_INFINITY);
  }
  if (longest.head > HEAD_MS_MAX) faults.push(`heads were waited for ${longest.head.toFixed(0)} ms`);
  if (longest.body > BODY_MS_MAX) faults.push(`bodies were waited for ${longest.body.toFixed(0)} ms`);
  const files = openFileCount(stage.pid()) - filesBefore;
  if (files > FILES_MAX) faults.push(`${files} files are open that were not before`);
  const slowMs = percentile(bystander.tookMs, 0.99);
  if (slowMs > BYSTANDER_MS_MAX) faults.push(`a bystander waited p99 ${slowMs.toFixed(0)} ms`);
  await stage.service().stop();
  return {
    figure: `${CLIENTS} clients: heads were closed after ${(longest.head / 1_000).toFixed(1)} s at most, bodies after ${(longest.body / 1_000).toFixed(1)} s; a bystander waited p99 ${slowMs.toFixed(0)} ms; open files ${files > 0 ? '+' : ''}${files}`,
    faults,
  };
}
