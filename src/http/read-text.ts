import { AppError, validationError } from '../vocabulary/errors.ts';
import type { Reservation } from './body-budget.ts';

/** What a page sends is smaller, so it always gets through. */
export const SMALL_BODY_BYTES_MAX = 64 * 1024;

type Options = {
  /** Media types; an empty one stands for a body without any. */
  accepted: readonly string[];
  bytesMax: number;
  /** Of what a large body takes. */
  reservation: Reservation;
};

/**
 * The text of a body; null when there is none.
 *
 * @throws AppError PAYLOAD_TOO_LARGE, by its announcement before anything is read; UNSUPPORTED_MEDIA_TYPE;
 *   SERVICE_UNAVAILABLE when too many large ones are on their way; VALIDATION_ERROR when its sender has gone
 */
export async function readText(request: Request, options: Options): Promise<string | null> {
  // Asking for the body makes a stream, so a length is looked at first.
  if (!request.headers.has('content-length') && !request.body) return null;
  const text = await receive(request, options).catch((error: unknown) => {
    throw isCutOff(error) ? unreadableBodyError() : error;
  });
  if (text === '') return null;
  requireMediaType(request.headers.get('content-type'), options.accepted);
  return text;
}

export function unreadableBodyError(): AppError {
  return validationError('The body is not readable JSON', {}, ['The body is not readable JSON']);
}

export function payloadTooLargeError(limitBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body must be at most ${limitBytes} bytes`);
}

async function receive(request: Request, { bytesMax, reservation }: Options): Promise<string> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > bytesMax) throw payloadTooLargeError(bytesMax);
  if (declared !== null && Number(declared) <= SMALL_BODY_BYTES_MAX) return request.text();
  return readChunks(request, bytesMax, reservation);
}

/** Counts what arrives: a length may be missing, and most of an announced body may never come. */
async function readChunks(request: Request, bytesMax: number, reservation: Reservation): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // The type of a body's chunks is not declared by the DOM's types.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > bytesMax) throw payloadTooLargeError(bytesMax);
    if (sizeBytes > SMALL_BODY_BYTES_MAX) reservation.take(chunk.byteLength);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The sender went away before its body was complete: nobody hears the answer, and nothing is wrong with us. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function requireMediaType(contentType: string | null, accepted: readonly string[]): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (accepted.includes(mediaType)) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
}
