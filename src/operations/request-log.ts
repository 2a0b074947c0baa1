import type { LineWriter } from './line-writer.ts';

/** One answered request. `route` is the pattern, so that no id, query string or address is in the log. */
type Answered = {
  method: string;
  route: string | undefined;
  status: number;
  ms: number;
  /** Announced size of the request's body. */
  bytesIn: number;
  id: string;
};

export type RequestLog = {
  answered(request: Answered): void;
  /** An answered request that submitted events: these are summed up. */
  collected(status: number, ms: number): void;
  /** Lines that were left out. */
  dropped(): number;
  close(): Promise<void>;
};

const SUMMARY_EVERY_MS = 10_000;

/** One JSON object a line. Never addresses, query strings, bodies, tokens or what a client calls itself. */
export function createRequestLog(lines: LineWriter, now: () => number): RequestLog {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let statuses: Record<number, number> = {};
  let count = 0;
  let sumMs = 0;
  let maxMs = 0;
  let droppedBefore = 0;

  function summarise(): void {
    clearTimeout(timer);
    timer = undefined;
    if (count > 0) {
      const { meanMs, longestMs } = { meanMs: round(sumMs / count), longestMs: round(maxMs) };
      print({ message: 'collection', requests: count, statuses, meanMs, maxMs: longestMs });
    }
    const dropped = lines.dropped();
    if (dropped > droppedBefore) print({ message: 'lines left out', count: dropped - droppedBefore });
    droppedBefore = dropped;
    statuses = {};
    count = sumMs = maxMs = 0;
  }

  function arm(): void {
    if (timer) return;
    timer = setTimeout(summarise, SUMMARY_EVERY_MS);
    timer.unref();
  }

  function print(line: Record<string, unknown>): void {
    lines.write(JSON.stringify({ time: new Date(now()).toISOString(), level: 'info', ...line }));
  }

  return {
    answered({ ms, ...rest }) {
      print({ message: 'request', ...rest, ms: round(ms) });
      arm();
    },
    collected(status, ms) {
      statuses[status] = (statuses[status] ?? 0) + 1;
      count += 1;
      sumMs += ms;
      if (ms > maxMs) maxMs = ms;
      arm();
    },
    dropped: lines.dropped,
    close() {
      summarise();
      return lines.close();
    },
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
