import { Elysia } from 'elysia';
import { BODY_BYTES_MAX } from '../contract/vocabulary.ts';
import { AppError, validationError } from '../errors.ts';
import { createBodyBudget, createTurns } from './body-budget.ts';

/** What a page sends is smaller (D38), so it always gets through. */
const SMALL_BODY_BYTES_MAX = 64 * 1024;
/** Of all larger ones that are on their way; as much again may wait for its turn. */
const LARGE_BODIES_BYTES_MAX = 16 * 1024 * 1024;
/** Of all larger ones that are worked on. With eight of 5 MiB at once the process grew from 80 to 400 MB. */
const AT_WORK_BYTES_MAX = 8 * 1024 * 1024;
/** What is left of large bodies lies around for long; collecting it takes 20 ms, working on 4 MiB ten times that. */
const COLLECT_AFTER_BYTES = 4 * 1024 * 1024;

const largeBodies = createBodyBudget(LARGE_BODIES_BYTES_MAX);
const waitingBodies = createBodyBudget(LARGE_BODIES_BYTES_MAX);
const inTurn = createTurns(AT_WORK_BYTES_MAX);
let uncollectedBytes = 0;

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
 */
export function jsonBody() {
  return new Elysia({ name: 'json-body' }).onParse({ as: 'scoped' }, ({ request }) =>
    rememberFault(request, async () => {
      const text = await readText(request, ['application/json']);
      return text === null ? null : parse(text, dropInherited);
    }),
  );
}

/**
 * The same without parsing, for bodies that are large: the route does that with `withJson`. Takes text/plain and a
 * missing type as well, because a beacon cannot name JSON without a preflight (D27).
 */
export function textBody() {
  return new Elysia({ name: 'text-body' }).onParse({ as: 'scoped' }, ({ request }) =>
    rememberFault(request, () => readText(request, ['application/json', 'text/plain', ''])),
  );
}

/**
 * Works on a body that was read by `textBody`, when it is its turn.
 *
 * @throws what was wrong with the body, and AppError SERVICE_UNAVAILABLE when too many large ones wait
 */
export async function withJson<Result>(
  request: Request,
  text: unknown,
  work: (body: unknown) => Promise<Result>,
): Promise<Result> {
  const fault = bodyFault(request);
  if (fault) throw fault;
  if (typeof text !== 'string') return work(null);
  if (text.length <= SMALL_BODY_BYTES_MAX) return work(parse(text));
  waitingBodies.take(text.length);
  try {
    return await inTurn(text.length, () => work(parse(text)));
  } finally {
    waitingBodies.release(text.length);
    collectGarbage(text.length);
  }
}

function collectGarbage(bytes: number): void {
  uncollectedBytes += bytes;
  if (uncollectedBytes < COLLECT_AFTER_BYTES) return;
  uncollectedBytes = 0;
  Bun.gc(true);
}

async function rememberFault(request: Request, read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    const fault = isCutOff(error) ? unreadableBodyError() : error;
    if (!(fault instanceof AppError)) throw fault;
    faults.set(request, fault);
    return null;
  }
}

function parse(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
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

function requireMediaType(contentType: string | null, accepted: readonly string[]): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (accepted.includes(mediaType)) return;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Content-Type must be application/json');
}

export function payloadTooLargeError(limitBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body must be at most ${limitBytes} bytes`);
}

/** The text of a body; null when there is none. */
async function readText(request: Request, accepted: readonly string[]): Promise<string | null> {
  if (!request.body) return null;
  const text = await receive(request);
  if (text === '') return null;
  requireMediaType(request.headers.get('content-type'), accepted);
  return text;
}

/** The declared length was checked before (before-routes); a body without one is counted while it arrives. */
async function receive(request: Request): Promise<string> {
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
