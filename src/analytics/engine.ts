import type { Client } from '@libsql/client/sqlite3';
import type { LocalDatabase } from '../db/local-database.ts';
import { discardAll, discardYoung, turn } from '../garbage.ts';
import { followLocal, followRemote } from '../log/follower.ts';
import type { Analytics } from './analytics.ts';
import type { Bounds } from './dictionary/website-dictionaries.ts';
import { Arena } from './memory/arena.ts';
import { Pool } from './memory/pool.ts';
import { QUESTIONS, type QuestionName } from './questions.ts';
import { answerHeadline } from './reports/headlines.ts';
import { keysOfSelection, keysOfVisitor, type PeopleSource } from './reports/people.ts';
import { CATCHING_UP } from './vocabulary.ts';
import { Follower } from './write/follow.ts';
import { LIMITS } from './write/revise.ts';
import { syncCommits } from './write/transact.ts';
import { createWebsites } from './write/websites.ts';

export type EngineOptions = {
  /** Of what is derived, and of the log unless that is on a server. */
  database: LocalDatabase;
  /** The server that has the log. */
  server?: Client | undefined;
  /** Bound of what is kept in memory. */
  cacheBytesMax: number;
  /** Smaller bounds, for tests. */
  segmentEventsMax?: number;
  visitEventsMax?: number;
  bounds?: Bounds;
  /** Told of a database that cannot be written to for now. */
  onError: (error: unknown) => void;
};

export type Engine = Analytics & {
  /**
   * Reads on and writes what is due, so that the next question finds little to do. To be called now and then.
   *
   * @returns false when there is more to read: to be called again at once
   */
  follow(): Promise<boolean>;
};

/** Events that were read wait this long before they are written, so that a quiet website's day is not written for each. */
const FLUSH_AFTER_MS = 15_000;
/** And this many times as long as writing took: a busy day is written whole, and that should not become all there is to do. */
const FLUSH_AFTER_TIMES = 20;
/**
 * How long a question waits until all events before it have been read, before it is refused. A log in the same file is
 * read at 50,000 events a second: only after an import of millions is there as much to wait for.
 */
const PATIENCE_MS = { local: 60_000, server: 3_000 };
/** In place of the websites that a question is about. */
const ALL = [undefined];
/** Questions come in between such stretches of reading. */
const STRETCH_MS = 250;
/** What a question throws away, about, besides what the arena has. */
const GARBAGE_BYTES = 512 * 1024;
/** One byte in so many of it has grown old meanwhile. */
const GARBAGE_OLD = 4;
/** What a longer answer leaves behind would wait beside all that the next question brings; collecting it takes a tenth. */
const LONG_ANSWER_MS = 150;

/** The engine over one connection. Questions are answered one after the other. */
export function createEngine(options: EngineOptions): Engine {
  const { database, server, cacheBytesMax, onError } = options;
  const pool = new Pool(cacheBytesMax);
  const arena = new Arena();
  const websites = createWebsites(database, pool, options.bounds);
  const log = server ? followRemote(server) : followLocal(database);
  const follower = new Follower({
    database,
    log,
    websites,
    pool,
    limits: {
      segmentEvents: options.segmentEventsMax ?? LIMITS.segmentEvents,
      visitEvents: options.visitEventsMax ?? LIMITS.visitEvents,
    },
  });
  const patienceMs = server ? PATIENCE_MS.server : PATIENCE_MS.local;
  let last: Promise<unknown> = Promise.resolve();
  let erasing: Promise<unknown> = Promise.resolve();
  /** Of these a question has been refused, and there is still more to read: the next ones need not wait as long. */
  const farBehind = new Set<number | undefined>();
  let flushedAtMs = performance.now();
  let flushTookMs = 0;

  /** One at a time. */
  function inLine<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const answer = last.then(work);
    last = answer.catch(() => undefined); // told to the one who asked
    return answer;
  }

  /** Each after everything of its websites that was committed before it is read. @throws CATCHING_UP */
  function inTurn<Answer>(
    websiteKeys: readonly (number | undefined)[],
    work: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    return inLine(async () => {
      await catchUp(websiteKeys);
      pool.begin();
      const startedAtMs = performance.now();
      try {
        return await work();
      } finally {
        arena.reset();
        websites.forgetIdle();
        discardYoung(GARBAGE_BYTES, GARBAGE_BYTES / GARBAGE_OLD);
        if (performance.now() - startedAtMs > LONG_ANSWER_MS) void inLine(collect);
      }
    });
  }

  /** Of a long log, only what the question needs: nobody waits for what another website was sent. */
  async function catchUp(websiteKeys: readonly (number | undefined)[]): Promise<void> {
    // Most often there is little to read: all at once is less than each by itself.
    if (websiteKeys.length > 1 && (await follower.catchUp(STRETCH_MS))) return;
    for (const websiteKey of websiteKeys) {
      const isDone = await follower.catchUp(farBehind.has(websiteKey) ? 0 : patienceMs, websiteKey);
      if (isDone) farBehind.delete(websiteKey);
      else farBehind.add(websiteKey);
      if (!isDone) throw Object.assign(new Error('The log is being read.'), { code: CATCHING_UP });
    }
  }

  /** Once whoever asked has the answer. */
  async function collect(): Promise<void> {
    await turn();
    discardAll();
  }

  function sourceOf(websiteKey: number): PeopleSource {
    return { website: follower.website(websiteKey), pool, arena, readKeys: log.readKeys };
  }

  /** From here on the events go, whatever happens; questions come in between. */
  function erase(websiteKey: number, keys: readonly number[]): Promise<void> {
    const done = erasing.then(async () => {
      await follower.erase(websiteKey, keys);
      await inLine(() => catchUp([websiteKey]));
      await follower.vacuum();
      await syncCommits(database);
    });
    erasing = done.catch(() => undefined); // told to the one who asked
    return done;
  }

  async function flush(): Promise<void> {
    const startedAtMs = performance.now();
    await follower.flush();
    flushedAtMs = performance.now();
    flushTookMs = flushedAtMs - startedAtMs;
  }

  const questions = Object.fromEntries(
    (Object.keys(QUESTIONS) as QuestionName[]).map((name) => [
      name,
      (request: { websiteKey: number }) =>
        inTurn([request.websiteKey], () => {
          const answer = QUESTIONS[name] as (request: unknown, source: PeopleSource) => unknown; // of this request
          return answer(request, sourceOf(request.websiteKey));
        }),
    ]),
  ) as unknown as Pick<Analytics, QuestionName>; // each answers its own request

  const others: Omit<Engine, QuestionName> = {
    headlines: ({ websiteKeys, ...range }) =>
      inTurn(websiteKeys, () =>
        websiteKeys.map((websiteKey) => {
          const headline = arena.during(() => answerHeadline(websiteKey, range, sourceOf(websiteKey)));
          websites.forgetIdle();
          return headline;
        }),
      ),
    eraseVisitor: async ({ websiteKey, visitorId }) => {
      const keys = await inTurn([websiteKey], () =>
        keysOfVisitor(websiteKey, visitorId, sourceOf(websiteKey)),
      );
      if (keys.length > 0) await erase(websiteKey, keys);
      return { eventsRemoved: keys.length };
    },
    eraseSelected: async ({ eventsMax, ...selection }) => {
      const { websiteKey } = selection;
      const keys = await inTurn([websiteKey], () => keysOfSelection(selection, sourceOf(websiteKey)));
      const isErased = keys.length <= eventsMax;
      if (isErased && keys.length > 0) await erase(websiteKey, keys);
      return { events: keys.length, isErased };
    },
    // However long the log is: nobody asks meanwhile.
    rebuild: () =>
      inLine(async () => {
        await follower.startAnew();
        await follower.catchUp(Number.POSITIVE_INFINITY);
        const events = follower.takenCount();
        await flush();
        return { events };
      }),
    freshness: () =>
      inTurn(ALL, () => ({
        eventsBehind: follower.unsavedCount(),
        memoryBytes: pool.bytes,
        memoryBytesMax: cacheBytesMax,
      })),
    async follow() {
      const isDone = await inLine(() => follower.catchUp(STRETCH_MS));
      if (isDone) farBehind.clear();
      const waitMs = Math.max(FLUSH_AFTER_MS, flushTookMs * FLUSH_AFTER_TIMES);
      if (performance.now() - flushedAtMs > waitMs) await flush().catch(onError); // answers do not need it
      if (isDone) await follower.vacuum(); // what was removed must not wait for events
      return isDone;
    },
    wake: () => {}, // a question catches up by itself
    // Without catching up: the log may be out of reach. Whatever is not written is derived again at the next start.
    close: () => inLine(() => flush().catch(onError)),
  };
  return { ...questions, ...others };
}
