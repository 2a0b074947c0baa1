import { join } from 'node:path';
import type { BarOptions, BarResult } from '../bar.ts';
import { memoryMb, percentile, probe, resetMemoryPeak } from '../stage/measure.ts';
import { openStage } from '../stage/stage.ts';

const ATTACK = join(import.meta.dir, '../large-bodies-attack.ts');
const BYSTANDER_MS_MAX = 100;

type Attack = { answers: readonly string[]; peakMbMax: number };

/** Allowed answers of each attack, and the most memory that the service may take meanwhile. */
const ATTACKS: Record<string, Attack> = {
  declared: { answers: ['413 with CORS'], peakMbMax: 200 },
  chunked: { answers: ['413 with CORS', '503 with CORS', 'cut'], peakMbMax: 200 },
  half: { answers: ['held', '503', 'cut'], peakMbMax: 200 },
  small: { answers: ['held', '503', 'cut'], peakMbMax: 240 },
  batches: { answers: ['201', '503'], peakMbMax: 256 },
};

/** Bodies far over the bound, large and small ones that never end, and several at the bound at the same time. */
export async function tryLargeBodies({ isLong, seed }: BarOptions): Promise<BarResult> {
  const stage = await openStage({ seed, environment: { TRUST_PROXY: '1' } });
  const faults: string[] = [];
  const peaks: string[] = [];
  const tookMs: number[] = [];
  for (const [kind, { answers: allowed, peakMbMax }] of Object.entries(ATTACKS)) {
    await resetMemoryPeak(stage.pid());
    const bystander = probe(() => fetch(`${stage.url()}/api/ping`));
    const attack = Bun.spawn([process.execPath, ATTACK, stage.url(), kind, stage.website.trackingCode], {
      stderr: 'inherit',
    });
    const answers: unknown[] = JSON.parse(await new Response(attack.stdout).text());
    await bystander.stop();
    for (const answer of answers.map(String))
      if (!allowed.includes(answer)) faults.push(`${kind}: ${answer}`);
    if (kind === 'batches' && !answers.includes(201)) faults.push('no batch at the bound got through');
    const peakMb = memoryMb(stage.pid(), 'VmHWM');
    if (isLong && peakMb > peakMbMax) faults.push(`${kind}: a peak of ${peakMb.toFixed(0)} MB`);
    peaks.push(`${kind} ${peakMb.toFixed(0)} MB`);
    faults.push(...bystander.faults);
    tookMs.push(...bystander.tookMs);
  }
  const slowMs = percentile(tookMs, 0.99);
  if (isLong && slowMs > BYSTANDER_MS_MAX) faults.push(`a bystander waited p99 ${slowMs.toFixed(0)} ms`);
  await stage.service().stop();
  stage.remove();
  return { figure: `peaks: ${peaks.join(', ')}; a bystander waited p99 ${slowMs.toFixed(0)} ms`, faults };
}
