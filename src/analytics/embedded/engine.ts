import type { Client } from '@libsql/client/sqlite3';
import type { LocalDatabase } from '../../db/local-database.ts';
import { followLocal, followRemote } from '../../log/follower.ts';
import { createQueue } from '../../process/queue.ts';
import { MINUTE_MS } from '../../vocabulary/durations.ts';
import type { Analytics } from '../analytics.ts';
import { QUESTION_NAMES, type QuestionName } from '../analytics.ts';
import { answer, forward } from '../methods.ts';
import type { Bounds } from './dictionary/website-dictionaries.ts';
import { Arena } from './memory/arena.ts';
import { Pool } from './memory/pool.ts';
import type { Source } from './query/source.ts';
import { createTextTimes } from './query/text-time.ts';
import { QueryQueue } from './query-queue.ts';
import { QUESTIONS } from './questions.ts';
import { answerHeadline } from './reports/headlines.ts';
import { keysOfSelection, keysOfVisitor } from './reports/people.ts';
import { Follower } from './write/follow.ts';
import { LIMITS } from './write/revise.ts';
import { FEW_EVENTS } from './write/save.ts';
import { syncCommits } from './write/transact.ts';
import { createWebsites } from './write/websites.ts';

export type EngineOptions = {
  /** Database of the segments, and of the log unless a server holds it. */
  database: LocalDatabase;
  /** Server that holds the log. */
  server?: Client | undefined;
  /** Maximum bytes of cached segments and dictionaries. */
  cacheBytesMax: number;
  /** Maximum events of a segment; smaller in tests. */
  segmentEventsMax?: number;
  visitEventsMax?: number;
  bounds?: Bounds;
  /** Called when the database cannot be written to for now. */
  onError: (error: unknown) => void;
};

export type Engine = Analytics & {
  /**
   * Reads more of the log and writes what is due, so that the next question finds little to do. Call periodically.
   *
   * @returns false when there is more to read: call again at once
   */
  follow(): Promise<boolean>;
};

/** Maximum age of unwritten events. A day is written as a whole, so `few` is longer. */
const FLUSH_AFTER_MS = { many: 15_000, few: 300_000 };
/**
 * Minimum pause between writes, as a multiple of the last write's duration: a busy day is written as a whole, and writing
 * must not take up all the time.
 */
const FLUSH_AFTER_TIMES = 20;
/**
 * Maximum wait of a question for earlier events to be read, before it is refused. A log in the same file is read at 50,000
 * events a second, so only an import of millions takes that long.
 */
const PATIENCE_MS = { local: MINUTE_MS, server: 3_000 };

/** Creates the engine over one connection. It answers one question at a time. */
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
  const queue = new QueryQueue({
    follower,
    websites,
    pool,
    arena,
    patienceMs: server ? PATIENCE_MS.server : PATIENCE_MS.local,
  });
  const openTextTime = createTextTimes(database);
  const inErasures = createQueue();
  let flushedAtMs = performance.now();
  let flushTookMs = 0;

  function sourceOf(websiteKey: number): Source {
    const website = follower.website(websiteKey);
    return { website, pool, arena, readKeys: log.readKeys, textTime: openTextTime(websiteKey) };
  }

  /** Completes once started, whatever happens; questions run in between. */
  function erase(websiteKey: number, keys: readonly number[]): Promise<void> {
    return inErasures(async () => {
      await follower.erase(websiteKey, keys);
      await queue.catchUp(websiteKey);
      await follower.vacuum();
      await syncCommits(database);
    });
  }

  async function flush(): Promise<void> {
    const startedAtMs = performance.now();
    await follower.flush();
    flushedAtMs = performance.now();
    flushTookMs = flushedAtMs - startedAtMs;
  }

  const questions = forward(QUESTION_NAMES, (name, request) => {
    const { websiteKey } = request as { websiteKey: number }; // all of these have one website
    return queue.ask([websiteKey], () => answer(QUESTIONS, name, request, sourceOf(websiteKey)));
  });

  const others: Omit<Engine, QuestionName> = {
    headlines: ({ websiteKeys, ...range }) =>
      queue.ask(websiteKeys, () =>
        websiteKeys.map((websiteKey) => {
          const headline = arena.during(() => answerHeadline(websiteKey, range, sourceOf(websiteKey)));
          websites.forgetIdle();
          return headline;
        }),
      ),
    eraseVisitor: async ({ websiteKey, visitorId }) => {
      const keys = await queue.ask([websiteKey], () =>
        keysOfVisitor(websiteKey, visitorId, sourceOf(websiteKey)),
      );
      if (keys.length > 0) await erase(websiteKey, keys);
      return { eventsRemoved: keys.length };
    },
    eraseSelected: async (request) => {
      const { websiteKey, eventsMax } = request;
      const { events, keys } = await queue.ask([websiteKey], () =>
        keysOfSelection(request, sourceOf(websiteKey)),
      );
      if (keys.length > 0) await erase(websiteKey, keys);
      return { events, isErased: events <= eventsMax };
    },
    // Takes time proportional to the log; no question is answered during a rebuild.
    rebuild: () =>
      queue.wait(async () => {
        await follower.reset();
        await follower.catchUp(Number.POSITIVE_INFINITY);
        const events = follower.ingestedCount();
        await flush();
        return { events };
      }),
    catchUp: () => queue.catchUp(),
    readUntil: () => Promise.resolve(follower.readUntil()),
    async follow() {
      const isDone = await queue.follow();
      const afterMs = follower.unsavedCount() < FEW_EVENTS ? FLUSH_AFTER_MS.few : FLUSH_AFTER_MS.many;
      const waitMs = Math.max(afterMs, flushTookMs * FLUSH_AFTER_TIMES);
      if (performance.now() - flushedAtMs > waitMs) await flush().catch(onError); // answers do not need it
      if (isDone) await follower.vacuum(); // removals must not wait for new events
      return isDone && follower.refresh(queue.wait);
    },
    wake: () => {}, // questions catch up by themselves
    // Without catching up, because the log may be out of reach. The next start derives unwritten events again.
    close: () => queue.wait(() => flush().catch(onError)),
  };
  return { ...questions, ...others };
}
