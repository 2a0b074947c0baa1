import { readdirSync, readFileSync } from 'node:fs';

/** The value below which a share of the values lies; NaN when there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

export function medianAndP(values: readonly number[], share: number): string {
  const percent = Math.round(share * 100);
  return `median ${percentile(values, 0.5).toFixed(0)} ms, p${percent} ${percentile(values, share).toFixed(0)} ms`;
}

type Memory = 'VmRSS' | 'VmHWM';

/** Megabytes of a process now (VmRSS) or at its highest (VmHWM). */
export function memoryMb(pid: number, kind: Memory): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(status.match(new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm'))?.[1]) / 1024;
}

/** Forgets how high the memory of a process once was: VmHWM counts from here. */
export function resetMemoryPeak(pid: number): Promise<number> {
  return Bun.write(`/proc/${pid}/clear_refs`, '5');
}

export function openFileCount(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export type Probe = {
  /** Latency of each answer, in milliseconds. */
  tookMs: number[];
  /** Statuses that were not expected, and failures, in words. */
  faults: string[];
  stop(): Promise<void>;
};

/** Another client that asks for the same thing again and again, one request at a time. */
export function probe(
  ask: () => Promise<{ status: number }>,
  { everyMs = 20, expected = 200 }: { everyMs?: number; expected?: number } = {},
): Probe {
  const tookMs: number[] = [];
  const faults: string[] = [];
  let isOver = false;
  const running = work();
  return {
    tookMs,
    faults,
    stop() {
      isOver = true;
      return running;
    },
  };

  async function work(): Promise<void> {
    while (!isOver) {
      const startedMs = performance.now();
      const status = await ask().then(
        (answer) => answer.status,
        (error) => String(error),
      );
      tookMs.push(performance.now() - startedMs);
      if (status !== expected) faults.push(`A bystander was answered ${status} instead of ${expected}`);
      await Bun.sleep(everyMs);
    }
  }
}
