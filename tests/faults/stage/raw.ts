/** Requests as bytes, for what no HTTP client would send. */

export type RawAnswer = { status: number; headers: Headers; text: string };

const PATIENCE_MS = 30_000;

/**
 * Sends the bytes on a connection of its own and reads one answer. Bodies of answers are read by their length or to
 * the end of the connection, whichever comes first.
 *
 * @returns undefined when the connection was closed without an answer
 */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer | undefined>();
  let received = Buffer.alloc(0);
  let rest = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
  function write(socket: Bun.Socket): void {
    rest = rest.subarray(socket.write(rest));
  }
  const timer = setTimeout(() => reject(new Error('No answer in time.')), PATIENCE_MS);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: write,
      drain: write,
      data(_, chunk) {
        received = Buffer.concat([received, chunk]);
        const answer = parseAnswer(received, false);
        if (answer) resolve(answer);
      },
      close: () => resolve(parseAnswer(received, true)),
      error: (_, error) => reject(error),
    },
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.end();
  }
}

function parseAnswer(received: Buffer, isEnd: boolean): RawAnswer | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  const length = headers.get('content-length');
  const body = received.subarray(headEnd + 4);
  const isWhole = length !== null && body.length >= Number(length);
  if (!isWhole && !isEnd) {
    const isChunkedEnd =
      headers.get('transfer-encoding') === 'chunked' && body.toString().endsWith('0\r\n\r\n');
    if (!isChunkedEnd) return undefined;
  }
  return { status: Number(statusLine.slice(9, 12)), headers, text: body.toString() };
}

/** A request head, and a body when there is one. Header lines are given as they are. */
export function rawRequest(method: string, path: string, lines: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`];
  return `${[`${method} ${path} HTTP/1.1`, ...lines, ...length, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;
}
