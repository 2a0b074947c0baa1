import type { ProbeResult } from './probe.ts';

/** A monitor may ask as often as it likes. */
const EVERY_MS = 2_000;

export type EventsProbe = {
  run(): Promise<ProbeResult>;
  /** Result of the last run; undefined before the first. */
  last(): ProbeResult | undefined;
};

/** Whether the server that keeps the events answers out of their table. */
export function createEventsProbe(ping: () => Promise<void>, monotonicMs: () => number): EventsProbe {
  let running: { atMs: number; result: Promise<ProbeResult> } | undefined;
  let last: ProbeResult | undefined;

  async function probe(): Promise<ProbeResult> {
    const startedMs = performance.now();
    const ok = await ping().then(
      () => true,
      () => false,
    );
    const latencyMs = Math.round((performance.now() - startedMs) * 10) / 10;
    last = { ok, latencyMs, ...(!ok && { reason: 'it does not answer' }) };
    return last;
  }

  return {
    run() {
      const nowMs = monotonicMs();
      if (!running || nowMs - running.atMs >= EVERY_MS) running = { atMs: nowMs, result: probe() };
      return running.result;
    },
    last: () => last,
  };
}
