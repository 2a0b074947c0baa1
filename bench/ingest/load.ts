import { createRequestSource } from './requests.ts';

/**
 * One load generator process: keeps every connection busy with one request at a time (no pipelining) and prints what
 * it saw as JSON. Started by run-load.ts.
 */

export type LoadOptions = {
  port: number;
  trackingCode: string;
  eventsARequest: number;
  connections: number;
  /** Rate of all connections together; by default each sends as soon as it has its answer. */
  requestsPerS?: number;
  warmUpMs: number;
  measureMs: number;
  seed: number;
};

export type LoadResult = {
  /** Answered with 201 while measuring. */
  requests: number;
  /** All that were answered, the warm-up included: what the processor time of the service is divided by. */
  requestsInAll: number;
  /** Answered otherwise. */
  failures: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
};

if (import.meta.main) {
  const options: LoadOptions = JSON.parse(process.argv[2] ?? '');
  console.log(JSON.stringify(await run(options)));
  process.exit(0);
}

async function run(options: LoadOptions): Promise<LoadResult> {
  const next = createRequestSource(options.trackingCode, options.eventsARequest, options.seed);
  const latenciesMs: number[] = [];
  let inAll = 0;
  let failures = 0;
  let isMeasuring = false;
  let isOver = false;

  const intervalMs = options.requestsPerS ? (options.connections * 1_000) / options.requestsPerS : 0;
  const connections = Array.from({ length: options.connections }, (_, index) =>
    connect((intervalMs * index) / options.connections),
  );
  await Promise.all(connections);
  await Bun.sleep(options.warmUpMs);
  isMeasuring = true;
  const startedAtMs = performance.now();
  await Bun.sleep(options.measureMs);
  isMeasuring = false;
  const seconds = (performance.now() - startedAtMs) / 1_000;
  isOver = true;
  const requests = latenciesMs.length;
  const sorted = Float64Array.from(latenciesMs).sort();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { requests, requestsInAll: inAll, failures, seconds, p50Ms: at(0.5), p99Ms: at(0.99) };

  /** @param offsetMs where in the interval it sends, so that the connections take turns */
  function connect(offsetMs: number) {
    let sentAtMs = 0;
    let dueAtMs = performance.now() + offsetMs;
    let missing = -1;
    let rest: Uint8Array | undefined;

    /** Requests delayed by the previous answer count from when they were due. */
    function sendNext(socket: Bun.Socket): void {
      dueAtMs += intervalMs;
      const waitMs = dueAtMs - performance.now();
      if (waitMs > 0) setTimeout(() => send(socket, performance.now()), waitMs);
      else send(socket, intervalMs > 0 ? dueAtMs : performance.now());
    }

    function send(socket: Bun.Socket, atMs: number): void {
      if (isOver) return;
      sentAtMs = atMs;
      missing = -1;
      write(socket, next());
    }

    function write(socket: Bun.Socket, bytes: Uint8Array): void {
      const written = socket.write(bytes);
      rest = written < bytes.length ? bytes.slice(written) : undefined;
    }

    function answered(status: string): void {
      inAll += 1;
      if (status !== '201') failures += 1;
      else if (isMeasuring) latenciesMs.push(performance.now() - sentAtMs);
    }

    let status = '';
    return Bun.connect({
      hostname: '127.0.0.1',
      port: options.port,
      socket: {
        open: sendNext,
        drain(socket) {
          if (rest) write(socket, rest);
        },
        data(socket, chunk) {
          if (missing === -1) {
            const { sizeBytes, status: code } = readHead(chunk);
            status = code;
            missing = sizeBytes;
          }
          missing -= chunk.length;
          if (missing > 0) return;
          answered(status);
          sendNext(socket);
        },
        close() {
          if (!isOver) throw new Error('The service closed a connection.');
        },
      },
    });
  }
}

/** Status and size of an answer, head included. The head comes whole: it is far smaller than a segment. */
function readHead(chunk: Buffer): { status: string; sizeBytes: number } {
  const headEnd = chunk.indexOf('\r\n\r\n');
  const head = chunk.toString('latin1', 0, headEnd);
  const length = head.match(/content-length: (\d+)/i)?.[1];
  if (headEnd === -1 || length === undefined) throw new Error(`An answer without a length: ${head}`);
  return { status: head.slice(9, 12), sizeBytes: headEnd + 4 + Number(length) };
}
