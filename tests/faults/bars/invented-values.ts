import type { BarOptions, BarResult } from '../bar.ts';
import { memoryMb, percentile, probe, resetMemoryPeak } from '../stage/measure.ts';
import { openStage, type Stage } from '../stage/stage.ts';
import { until } from '../stage/until.ts';

const EVENTS = { short: 3_000, long: 1_000_000 };
const BATCH = 100;
const SENDERS = 4;
const ASK_EVERY_MS = 500;
const NEIGHBOUR_MS_MAX = 1_000;
const GROWTH_MB_MAX = 150;
const COUNTED_MS_MAX = 300_000;

/**
 * A stranger with a tracking code sends events whose every text is invented. Memory stays, a neighbour's totals come in
 * time, also after a restart, and every event is counted.
 */
export async function tryInventedValues({ isLong, seed }: BarOptions): Promise<BarResult> {
  const events = isLong ? EVENTS.long : EVENTS.short;
  const stage = await openStage({ seed, environment: { LIMIT_EVENTS_PER_S: '0' } });
  const askNeighbour = await openNeighbour(stage);
  await askNeighbour();
  await resetMemoryPeak(stage.pid());
  const beforeMb = memoryMb(stage.pid(), 'VmRSS');
  const neighbour = probe(askNeighbour, { everyMs: ASK_EVERY_MS });
  const faults = await flood(stage, events);
  await neighbour.stop();
  const grownMb = memoryMb(stage.pid(), 'VmHWM') - beforeMb;
  await stage.kill();
  await stage.start();
  const restarted = probe(askNeighbour, { everyMs: ASK_EVERY_MS });
  await restarted.stop();
  const counted = await countEvents(stage);
  faults.push(...neighbour.faults, ...restarted.faults);
  if (counted !== events) faults.push(`${counted} of ${events} events are counted`);
  const worstMs = Math.max(...neighbour.tookMs, ...restarted.tookMs);
  if (isLong && worstMs > NEIGHBOUR_MS_MAX) faults.push(`a neighbour waited ${worstMs.toFixed(0)} ms`);
  if (isLong && grownMb > GROWTH_MB_MAX) faults.push(`memory grew by ${grownMb.toFixed(0)} MB`);
  await stage.service().stop();
  stage.remove();
  return {
    figure: `${events} events of invented texts: memory ${beforeMb.toFixed(0)} MB before, ${grownMb.toFixed(0)} more at most; a neighbour waited ${percentile(neighbour.tookMs, 0.5).toFixed(0)} ms in the median, at most ${worstMs.toFixed(0)}`,
    faults,
  };
}

/** Asks for another website's totals. */
async function openNeighbour({ call }: Stage): Promise<() => Promise<{ status: number }>> {
  const { body } = await call('POST', '/auth/register', {
    body: { email: 'neighbour@example.com', password: 'Correct-horse-9' },
  });
  const token: string = body.tokens.accessToken;
  const { id } = (await call('POST', '/demo', { token })).body.website;
  return () => call('GET', `/websites/${id}/stats`, { token });
}

/** @returns what was refused, in words */
async function flood(stage: Stage, events: number): Promise<string[]> {
  const faults: string[] = [];
  let sent = 0;
  const send = async () => {
    while (sent < events) {
      const from = sent;
      sent += BATCH;
      const body = { events: Array.from({ length: BATCH }, (_, index) => invent(stage, from + index)) };
      const { status } = await stage.call('POST', '/events/batch', { body });
      if (status !== 201) faults.push(`a batch was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  return faults;
}

/** Ten texts that were never sent before. */
function invent({ website }: Stage, number: number): Record<string, unknown> {
  const text = (name: string) => `${name}-${number.toString(36)}-${'x'.repeat(20)}`;
  const utm = ['source', 'medium', 'campaign', 'content', 'term']
    .map((name) => `utm_${name}=${text(name)}`)
    .join('&');
  return {
    trackingCode: website.trackingCode,
    eventType: 'custom',
    url: `https://${text('host')}.example/${text('page')}?${utm}`,
    referrer: `https://${text('referrer')}.example/`,
    visitorId: text('visitor'),
    sessionId: text('session'),
    properties: { name: text('event'), [text('key')]: text('value') },
  };
}

/** Once the statistics have caught up: until then they are a 503. */
function countEvents({ call, token, website }: Stage): Promise<number | undefined> {
  return until(async () => {
    const { body } = await call('GET', `/websites/${website.id}/stats?traffic=all`, { token });
    return body.events;
  }, COUNTED_MS_MAX);
}
