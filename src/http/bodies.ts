import { Elysia } from 'elysia';
import type { IpAddress } from '../network/ip-address.ts';
import { BATCH_BYTES_MAX, BODY_BYTES_MAX, SETTINGS_BYTES_MAX } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import { createBodyBudget, createByteTurns } from './body-budget.ts';
import { unreadableBodyError } from './body-faults.ts';
import { pathOf, SETTINGS_PATH } from './path.ts';
import { readText, SMALL_BODY_BYTES_MAX, type TextReader } from './read-text.ts';
import { senderAddress } from './sender-address.ts';

/** Maximum total of arriving bodies up to 64 KiB: pages send 1 KB, so 8,000 at once fill it. */
const SMALL_BODIES_BYTES_MAX = 8 * 1024 * 1024;
/** Maximum total of larger bodies that arrive, wait or are processed. With 32 MiB the process grew to 264 MB. */
const LARGE_BODIES_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum total of larger bodies being processed. With eight of 5 MiB at once the process grew from 80 to 400 MB. */
const AT_WORK_BYTES_MAX = 8 * 1024 * 1024;
/** Garbage of large bodies survives a long time; collecting it takes 20 ms, processing 4 MiB ten times that. */
const COLLECT_AFTER_BYTES = 4 * 1024 * 1024;
/** No route reads more than some ten. */
const LEVELS_MAX = 100;

/**
 * Faults of bodies, kept until the body is used: a 404 for an unknown id comes before the 400 for an unreadable body.
 */
const faults = new WeakMap<Request, AppError>();

export function bodyFault(request: Request): AppError | undefined {
  return faults.get(request);
}

type TextOptions = {
  bytesMax: number;
  address: IpAddress | null;
  /** Media types; an empty one means a body without a type. Default: JSON, plain text, and none. */
  accepted?: readonly string[];
};
const TEXT_TYPES = ['application/json', 'text/plain', ''];

export type Bodies = ReturnType<typeof createBodies>;

/** Reads the bodies of all requests, within budgets that they share. */
export function createBodies(monotonicMs: () => number) {
  const inTurn = createByteTurns(AT_WORK_BYTES_MAX);
  const reader: TextReader = {
    small: createBodyBudget({ bytesMax: SMALL_BODIES_BYTES_MAX, monotonicMs }),
    large: createBodyBudget({
      bytesMax: LARGE_BODIES_BYTES_MAX,
      senderBytesMax: BATCH_BYTES_MAX,
      monotonicMs,
    }),
    unpackInTurn: createByteTurns(AT_WORK_BYTES_MAX),
  };
  let uncollectedBytes = 0;

  function collectGarbage(bytes: number): void {
    uncollectedBytes += bytes;
    if (uncollectedBytes < COLLECT_AFTER_BYTES) return;
    uncollectedBytes = 0;
    Bun.gc(true);
  }

  async function readJson(request: Request, address: IpAddress | null): Promise<unknown> {
    const bytesMax = SETTINGS_PATH.test(pathOf(request)) ? SETTINGS_BYTES_MAX : BODY_BYTES_MAX;
    try {
      const read = await readText(reader, request, { accepted: ['application/json'], bytesMax, address });
      read.release();
      return read.text === null ? null : withoutInherited(parseJson(read.text));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.set(request, error);
      return null;
    }
  }

  return {
    /**
     * Reads the JSON bodies of the routes that follow. Mount it after the guard: nothing of a stranger's body is read.
     * An absent or unreadable body becomes `null`, which no body schema accepts; the error handler then answers with the
     * fault remembered here.
     */
    json() {
      return new Elysia({ name: 'json-body' })
        .use(senderAddress())
        .onTransform({ as: 'scoped' }, async function readBody(context) {
          context.body = await readJson(context.request, context.limitedAddress);
        });
    },

    /**
     * Works on the text of a body, a large one when it is its turn. Takes text/plain and a missing type as well,
     * because a beacon cannot name JSON without a preflight.
     *
     * @param options `address` is the sender's, for the budgets
     * @throws what is wrong with the body, see readText
     */
    async withText<Result>(
      request: Request,
      { bytesMax, address, accepted = TEXT_TYPES }: TextOptions,
      work: (text: string | null) => Promise<Result>,
    ): Promise<Result> {
      const { text, release } = await readText(reader, request, { accepted, bytesMax, address });
      try {
        if (text === null || text.length <= SMALL_BODY_BYTES_MAX) return await work(text);
        try {
          return await inTurn(text.length, () => work(text));
        } finally {
          collectGarbage(text.length);
        }
      } finally {
        release();
      }
    },
  };
}

/** @throws AppError VALIDATION_ERROR */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadableBodyError('JSON');
  }
}

/**
 * Removes members with names of inherited methods. Elysia turns whatever it validates into text, which throws for an object
 * whose `toString` is a value, and for one of thousands of levels. None of our fields has such a name, and unknown fields
 * are ignored. (Events are validated elsewhere; their properties may.) A reviver would take 25 times as long as parsing.
 *
 * @throws AppError VALIDATION_ERROR
 */
function withoutInherited(body: unknown): unknown {
  let level = [body].filter(isObject);
  for (let levels = 1; level.length > 0; levels += 1) {
    if (levels > LEVELS_MAX) throw tooDeepError();
    level = level.flatMap(dropInherited).filter(isObject);
  }
  return body;
}

/** @returns the remaining values */
function dropInherited(value: object): unknown[] {
  if (Array.isArray(value)) return value;
  for (const name of Object.keys(value)) if (name in Object.prototype) Reflect.deleteProperty(value, name);
  return Object.values(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function tooDeepError(): AppError {
  const sentence = `The body must be nested at most ${LEVELS_MAX} levels deep`;
  return validationError(sentence, {}, [sentence]);
}
