import type { IpAddress } from '../network/ip-address.ts';
import { AppError } from '../vocabulary/errors.ts';
import type { BodyBudget } from './body-budget.ts';
import { payloadTooLargeError, unreadableBodyError } from './body-faults.ts';
import { readEncoding, unpack } from './gzip.ts';

/** Maximum size of a small body; pages send less. */
export const SMALL_BODY_BYTES_MAX = 64 * 1024;

type Options = {
  /** Accepted media types; an empty one means a body without a type. */
  accepted: readonly string[];
  bytesMax: number;
  /** Address of the sender, for the budgets. */
  address: IpAddress | null;
};

export type TextReader = {
  /** Budget of bodies announced as small, until they have arrived. */
  small: BodyBudget;
  /** Budget of all other bodies, until they are released. */
  large: BodyBudget;
  /** Unpacks so many that their texts have room. */
  unpackInTurn: <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>;
};

/** Text of a body, null without a body. Call `release` once it is processed. */
export type ReadText = { text: string | null; release(): void };

const NOTHING: ReadText = { text: null, release() {} };

/**
 * Reads a body.
 *
 * @throws AppError PAYLOAD_TOO_LARGE, by its announcement before anything is read; UNSUPPORTED_MEDIA_TYPE;
 *   SERVICE_UNAVAILABLE when too many are on their way; VALIDATION_ERROR when the client disconnected
 */
export async function readText(reader: TextReader, request: Request, options: Options): Promise<ReadText> {
  const { headers } = request;
  // Asking for the body makes a stream, so a length is looked at first.
  if (!headers.has('content-length') && !request.body) return NOTHING;
  const read = await receive(reader, request, options).catch((error: unknown) => {
    throw isCutOff(error) ? unreadableBodyError('JSON') : error;
  });
  if (read.text !== '' && isAccepted(headers.get('content-type'), options.accepted)) return read;
  read.release();
  if (read.text === '') return NOTHING;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
}

async function receive(reader: TextReader, request: Request, options: Options): Promise<ReadText> {
  const declared = request.headers.get('content-length');
  const lengthBytes = declared === null ? Number.POSITIVE_INFINITY : Number(declared);
  const encoding = readEncoding(request.headers);
  if (declared !== null && lengthBytes > options.bytesMax) throw payloadTooLargeError(options.bytesMax);
  if (encoding === 'identity' && lengthBytes <= SMALL_BODY_BYTES_MAX)
    return { text: await receiveSmall(reader, request, lengthBytes, options.address), release() {} };
  return receiveLarge(reader, request, { ...options, isPacked: encoding === 'gzip' });
}

/** Counts what is announced, because what has arrived cannot be seen without a stream, which is dear. */
function receiveSmall(
  { small }: TextReader,
  request: Request,
  lengthBytes: number,
  address: IpAddress | null,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const body = small.begin(address, reject);
  small.take(body, lengthBytes);
  request.text().then(
    (text) => {
      small.release(body);
      resolve(text);
    },
    (error) => {
      small.release(body);
      reject(error);
    },
  );
  return promise;
}

/** Counts what arrives: a length may be missing, and most of an announced body may never come. */
async function receiveLarge(
  reader: TextReader,
  request: Request,
  { bytesMax, address, isPacked }: Options & { isPacked: boolean },
): Promise<ReadText> {
  const { large, unpackInTurn } = reader;
  const stream = request.body?.getReader();
  let loss: AppError | undefined;
  const body = large.begin(address, (error) => {
    loss = error;
    void stream?.cancel(error).catch(() => {}); // ends the read that is waiting
  });
  const take = (bytes: number): void => {
    large.take(body, bytes);
    if (loss) throw loss;
  };
  try {
    let bytes = await readChunks(stream, bytesMax, take);
    if (isPacked) {
      const packed = bytes;
      bytes = await unpackInTurn(bytesMax, () => unpack(packed, bytesMax));
      take(bytes.byteLength - packed.byteLength);
    }
    large.keep(body);
    return { text: new TextDecoder().decode(bytes), release: () => large.release(body) };
  } catch (error) {
    large.release(body);
    throw error;
  }
}

async function readChunks(
  stream: ReadableStreamDefaultReader<Uint8Array> | undefined,
  bytesMax: number,
  onChunk: (bytes: number) => void,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  while (stream) {
    const { done, value } = await stream.read();
    onChunk(value?.byteLength ?? 0); // at the end, too: it may be that of a body that lost
    if (done || !value) break;
    sizeBytes += value.byteLength;
    if (sizeBytes > bytesMax) {
      void stream.cancel().catch(() => {});
      throw payloadTooLargeError(bytesMax);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

/** Returns whether the client disconnected before its body was complete: no one receives the response. */
export function isCutOff(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function isAccepted(contentType: string | null, accepted: readonly string[]): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return accepted.includes(mediaType);
}
