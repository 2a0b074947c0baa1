import type { IpAddress } from '../network/ip-address.ts';
import { canonicalGroup } from '../network/ip-range.ts';
import { type AnswerBudget, accountReader } from './answer-budget.ts';
import { chooseEncoding } from './encoding.ts';

/** Below it the headers weigh more than what is saved. */
const COMPRESSED_BYTES_MIN = 2_048;
/** 30 kB of a dashboard become 5 kB in 0.2 ms; the highest level saves another 0.4 kB in ten times as long. */
const LEVEL = 1;
/** Smaller answers fit into the buffers of a connection, which are there anyway. */
const LARGE_BYTES_MIN = 256 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Room for a file whose length is not known before it is sent: rows that are in memory meanwhile. */
const FILE_BYTES = 4 * 1024 ** 2;
/** A connection on which nothing was read for so long is closed. */
const READ_WITHIN_S = 30;
/** The most that Bun takes: for the next rows of a file, which wait for the engine. */
const ROWS_WITHIN_S = 255;
const JSON_TYPE = 'application/json;charset=utf-8'; // as Elysia answers JSON

type Context = {
  request: Request;
  server: { timeout(request: Request, seconds: number): void } | null;
  address: IpAddress | null;
  /** One of these is known where the caller is an account. */
  userId?: string;
  caller?: { userId: string };
  isOwner?: boolean;
  website?: { userId: string | null };
};

/**
 * Sends answers that may be large, a mapResponse hook: compressed when the client takes it, and within a budget of
 * bytes that is given back when the answer was read. A proxy that compresses leaves alone what has an encoding.
 *
 * Streams of server-sent events bound themselves.
 */
export function sendAnswer(budget: AnswerBudget) {
  return function mapAnswer(context: Context & { responseValue: unknown }): Response | undefined {
    const { responseValue, request, server } = context;
    if (responseValue === null || typeof responseValue !== 'object') return undefined;
    const reader = readerOf(context);
    const wait = (seconds: number) => server?.timeout(request, seconds);
    if (responseValue instanceof Response) {
      const { headers } = responseValue;
      if (!headers.has('content-disposition') || request.method === 'HEAD') return undefined;
      wait(READ_WITHIN_S);
      const length = Number(headers.get('content-length') ?? FILE_BYTES);
      if (length < LARGE_BYTES_MIN || !responseValue.body) return undefined;
      headers.delete('content-length'); // of a stream Bun sends none
      return new Response(hold(responseValue.body, budget.take(reader, length), { request, wait }), {
        headers,
      });
    }
    wait(READ_WITHIN_S);
    const { bytes, headers } = encode(JSON.stringify(responseValue), request);
    if (bytes.length < LARGE_BYTES_MIN || request.method === 'HEAD') return new Response(bytes, { headers });
    return new Response(hold(toChunks(bytes), budget.take(reader, bytes.length), { request, wait }), {
      headers,
    });
  };
}

/** The account, or the address of a stranger. */
function readerOf({ userId, caller, isOwner, website, address }: Context): string {
  const account = userId ?? caller?.userId ?? (isOwner ? website?.userId : undefined);
  if (account) return accountReader(account);
  return address ? canonicalGroup(address) : '';
}

function encode(text: string, request: Request) {
  const headers: Record<string, string> = { 'content-type': JSON_TYPE };
  const isCompressed =
    text.length >= COMPRESSED_BYTES_MIN &&
    chooseEncoding(request.headers.get('accept-encoding'), ['gzip']) === 'gzip';
  if (!isCompressed) return { bytes: Buffer.from(text), headers };
  const bytes = Bun.gzipSync(text, { library: 'libdeflate', level: LEVEL });
  return { bytes, headers: { ...headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' } };
}

function toChunks(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(from, from + CHUNK_BYTES));
      from += CHUNK_BYTES;
      if (from >= bytes.length) controller.close();
    },
  });
}

type Reading = { request: Request; wait: (seconds: number) => void };

/** Gives the room back when the body was read, or will not be. Chunks are made as the client reads. */
function hold(body: ReadableStream<Uint8Array>, release: () => void, { request, wait }: Reading) {
  const reader = body.getReader();
  const stop = (reason?: unknown) => {
    release();
    return reader.cancel(reason);
  };
  request.signal.addEventListener('abort', () => void stop().catch(() => {}), { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        wait(ROWS_WITHIN_S);
        try {
          const { done, value } = await reader.read();
          wait(READ_WITHIN_S);
          if (!done) return controller.enqueue(value);
          release();
          controller.close();
        } catch (error) {
          release();
          throw error;
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}
