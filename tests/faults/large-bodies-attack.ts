export {};

/** A client that sends far too much: `bun large-bodies-attack.ts ORIGIN KIND CODE`. Prints the statuses as JSON. */

const HUGE_BYTES = 90 * 1024 * 1024;
const HUGE_SENDERS = 20;
const HALF_BYTES = 5 * 1024 * 1024;
const HALF_SENDERS = 50;
const SMALL_BYTES = 64 * 1024;
const SMALL_SENDERS = 6_000;
const HOLD_MS = 5_000;
const BATCH_SENDERS = 8;
const CHUNK = Buffer.alloc(1024 * 1024, ' ');

const [target = '', kind = '', trackingCode = ''] = process.argv.slice(2);
const { hostname, port } = new URL(target);
let senders = 0;

const KINDS: Record<string, () => Promise<unknown[]>> = {
  declared: () => many(HUGE_SENDERS, () => sendHuge(`Content-Length: ${HUGE_BYTES}`, (chunk) => chunk)),
  chunked: () => many(HUGE_SENDERS, () => sendHuge('Transfer-Encoding: chunked', toChunk)),
  half: () => many(HALF_SENDERS, () => hold(HALF_BYTES, CHUNK, HALF_BYTES / CHUNK.length / 2)),
  small: () => many(SMALL_SENDERS, () => hold(SMALL_BYTES, CHUNK.subarray(0, 60 * 1024), 1)),
  batches: () => many(BATCH_SENDERS, sendBatch),
};
console.log(JSON.stringify(await KINDS[kind]?.()));
process.exit(0);

function many<Result>(count: number, send: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, send));
}

/** @returns the status, or what came instead of one */
function sendHuge(header: string, encode: (chunk: Buffer) => Buffer): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { write, pump } = createSending(Math.ceil(HUGE_BYTES / CHUNK.length), encode(CHUNK));
  let received = '';
  void Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        write(socket, headOf(header));
        pump(socket);
      },
      drain: pump,
      data(socket, chunk) {
        received += chunk.toString('latin1');
        if (!received.includes('\r\n\r\n')) return;
        resolve(
          `${received.slice(9, 12)}${/access-control-allow-origin: \*/i.test(received) ? ' with CORS' : ''}`,
        );
        socket.end();
      },
      close: () => resolve('cut'),
      error: () => resolve('cut'),
    },
  });
  return promise;
}

/** Announces so many bytes, sends some pieces and waits. */
async function hold(bytes: number, piece: Buffer, pieces: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { write, pump } = createSending(pieces, piece);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        write(socket, headOf(`Content-Length: ${bytes}`));
        pump(socket);
      },
      drain: pump,
      data: (_, chunk) => resolve(chunk.toString('latin1', 9, 12)),
      close: () => resolve('cut'),
      error: () => resolve('cut'),
    },
  });
  const status = await Promise.race([promise, Bun.sleep(HOLD_MS).then(() => 'held')]);
  if (status !== 'held') await Bun.sleep(HOLD_MS);
  socket.terminate();
  return status;
}

/** A valid batch of five megabytes, of events that are as small as they can be for the bound on their number. */
async function sendBatch(): Promise<number> {
  const event = {
    trackingCode,
    eventType: 'custom',
    url: 'https://example.com/',
    sessionId: 's',
    visitorId: 'v',
    // Many small values cost more memory than their text has bytes.
    properties: Object.fromEntries(
      Array.from({ length: 99 }, (_, index) => [`k${index}`, [index, [index], {}]]),
    ),
    padding: 'x'.repeat(2_800),
  };
  const response = await fetch(`${target}/api/v1/events/batch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ events: Array.from({ length: 1_000 }, () => event) }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Each from an address of its own, as a proxy says it: of one address 5 MiB are borne. */
function headOf(length: string): Buffer {
  senders += 1;
  const sender = `X-Forwarded-For: 192.0.${Math.floor(senders / 250)}.${senders % 250}`;
  return Buffer.from(
    `POST /api/v1/events/batch HTTP/1.1\r\nHost: a\r\n${sender}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
  );
}

function toChunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Sends one piece again and again, as fast as the other end takes it. */
function createSending(times: number, piece: Buffer) {
  let left = times;
  let rest: Buffer = Buffer.alloc(0);
  function write(socket: Bun.Socket, bytes: Buffer): void {
    rest = bytes.subarray(Math.max(0, socket.write(bytes)));
  }
  function pump(socket: Bun.Socket): void {
    if (rest.length > 0) write(socket, rest);
    while (rest.length === 0 && left > 0) {
      left -= 1;
      write(socket, piece);
    }
  }
  return { write, pump };
}
