import { Elysia } from 'elysia';
import { BODY_BYTES_MAX } from '../contract/vocabulary.ts';
import { AppError, validationError } from '../errors.ts';
import { createBodyBudget } from './body-budget.ts';

/** What a page sends is smaller (D38), so it always gets through. */
const SMALL_BODY_BYTES_MAX = 64 * 1024;
/** Of all larger ones that are on their way at the same time. */
const LARGE_BODIES_BYTES_MAX = 32 * 1024 * 1024;

const largeBodies = createBodyBudget(LARGE_BODIES_BYTES_MAX);

/**
 * What was wrong with a body, kept until somebody asks for the body: a missing token (401) or an unknown id (404) is
 * said before an unreadable body is (D11).
 */
const faults = new WeakMap<Request, AppError>();

export function bodyFault(request: Request): AppError | undefined {
  return faults.get(request);
}

/**
 * Reads the JSON bodies of the controller that uses it. An absent or unreadable body becomes `null`, which no body
 * schema accepts; the error handler then answers with the fault remembered here.
 *
 * @param accepts 'json' takes application/json alone; 'json or text' also text/plain and a missing type, because a
 *                beacon cannot name JSON without a preflight (D27)
 */
export function jsonBody(accepts: 'json' | 'json or text') {
  return new Elysia({ name: 'json-body', seed: accepts }).onParse({ as: 'scoped' }, async ({ request }) => {
    try {
      return await readJson(request, accepts);
    } catch (error) {
      const fault = isCutOff(error) ? unreadableBodyError() : error;
      if (!(fault instanceof AppError)) throw fault;
      faults.set(request, fault);
      return null;
    }
  });
}

async function readJson(request: Request, accepts: 'json' | 'json or text'): Promise<unknown> {
  if (!request.body) return null;
  const text = await readText(request);
  if (text === '') return null;
  requireMediaType(request.headers.get('content-type'), accepts);
  try {
    return accepts === 'json' ? JSON.parse(text, dropInherited) : JSON.parse(text);
  } catch {
    throw unreadableBodyError();
  }
}

/**
 * What Elysia validates it also turns into text for a message of its own, which throws for an object whose `toString`
 * is a value. No field of ours has such a name, and unknown fields are ignored. (Events are judged by themselves, and
 * their properties may.)
 */
function dropInherited(name: string, value: unknown): unknown {
  return name !== '' && name in Object.prototype ? undefined : value;
}

/** The sender went away before its body was complete: nobody hears the answer, and nothing is wrong with us. */
function isCutOff(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function unreadableBodyError(): AppError {
  return validationError('The body is not readable JSON', {}, ['The body is not readable JSON']);
}

function requireMediaType(contentType: string | null, accepts: 'json' | 'json or text'): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/json') return;
  if (accepts === 'json or text' && (mediaType === 'text/plain' || mediaType === '')) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
}

export function payloadTooLargeError(limitBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body must be at most ${limitBytes} bytes`);
}

/** The declared length was checked before (before-routes); a body without one is counted while it arrives. */
async function readText(request: Request): Promise<string> {
  const declared = request.headers.get('content-length');
  let takenBytes = 0;
  function take(bytes: number): void {
    largeBodies.take(bytes);
    takenBytes += bytes;
  }
  try {
    if (declared === null) return await readChunks(request, take);
    if (Number(declared) > SMALL_BODY_BYTES_MAX) take(Number(declared));
    return await request.text();
  } finally {
    largeBodies.release(takenBytes);
  }
}

async function readChunks(request: Request, take: (bytes: number) => void): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // The type of a body's chunks is not declared by the DOM's types.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > BODY_BYTES_MAX) throw payloadTooLargeError(BODY_BYTES_MAX);
    if (sizeBytes > SMALL_BODY_BYTES_MAX) take(chunk.byteLength);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
