import type { Client } from '@libsql/client/sqlite3';
import type { LocalDatabase } from '../db/local-database.ts';
import { discardAll, discardYoung, turn } from '../garbage.ts';
import type { Analytics } from './analytics.ts';
import { createDayCache } from './day-cache.ts';
import { createDayStore } from './day-store.ts';
import { createDays, type Days } from './days.ts';
import { createDerived } from './derived.ts';
import { createHeadlineSources } from './headline-days.ts';
import { answerHeadlines } from './headlines.ts';
import { findPage, listPages } from './pages.ts';
import { freeScratch } from './panels/scratch.ts';
import { findSession, findVisitor, listSessions, listVisitors, type PeopleSource } from './people.ts';
import { listCustomEvents, listPropertyValues } from './properties.ts';
import { listPropertyKeys } from './property-keys.ts';
import { answerQuery } from './query.ts';
import { answerRealtime } from './realtime.ts';
import { followRemoteLog } from './remote-log.ts';
import { createTail } from './tail.ts';
import { followLocalLog } from './upkeep.ts';
import { CATCHING_UP } from './vocabulary.ts';
import { createWebsiteTerms, type WebsiteTerms } from './website-terms.ts';

export type EngineOptions = {
  /** Of what is derived, and of the log unless that is on a server. */
  database: LocalDatabase;
  /** The server that has the log. */
  server?: Client | undefined;
  /** Bound of the decoded days in memory. */
  cacheBytesMax: number;
  /** Larger days are stored in pieces (see day-pieces). */
  pieceEvents?: number;
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
const SAVE_AFTER_MS = 15_000;
/** And this many times as long as writing took: a busy day is written whole, and that should not become all there is to do. */
const SAVE_AFTER_TIMES = 20;

/**
 * How long a question waits until all events before it have been read, before it is refused. A log in the same file is
 * read at 50,000 events a second: only after an import of millions is there as much to wait for.
 */
const PATIENCE_MS = { local: 60_000, server: 3_000 };
/** Questions come in between such stretches of reading. */
const STRETCH_MS = 3_000;

/** After reading as many at once the open days and dictionaries are let go of. Days are written as often anyway. */
const MANY_EVENTS = 100_000;
/** What a question throws away, about, besides the columns that tell of themselves. */
const GARBAGE_BYTES = 512 * 1024;
/** One byte in so many of it has grown old meanwhile. */
const GARBAGE_OLD = 4;
/** What a longer answer leaves behind would wait beside all that the next question brings; collecting it takes a tenth. */
const LONG_ANSWER_MS = 150;
/** Open days may keep this part of the cache's bound after they were written, and at least so much. */
const OPEN_SHARE = 1 / 2;
const OPEN_BYTES_MIN = 8 * 1024 * 1024;
/**
 * What open days go off the cache's bound: small ones nothing, large ones nearly twice, because what packing them takes,
 * and what a question needs of them, grows with them.
 */
const OPEN_BYTES_FREE = 512 * 1024;
const OPEN_BYTES_TIMES = 1.75;
/** Websites whose dictionaries are held in memory. */
const WEBSITES_IN_MEMORY_MAX = 50;

/** The engine over one connection. Questions are answered one after the other. */
export function createEngine({
  database,
  server,
  cacheBytesMax,
  pieceEvents,
  onError,
}: EngineOptions): Engine {
  const store = createDayStore(database, pieceEvents);
  const cache = createDayCache(cacheBytesMax);
  const terms = new Map<number, WebsiteTerms>();
  const openBytesMax = Math.max(OPEN_BYTES_MIN, cacheBytesMax * OPEN_SHARE);
  const tail = createTail({
    database,
    store,
    termsOf,
    onOpen: (id) => cache.drop(id),
    onChange: () => cache.reserve(Math.max(0, tail.bytes() - OPEN_BYTES_FREE) * OPEN_BYTES_TIMES),
    makeRoom,
    openBytesMax,
    onError,
  });
  const parts = { database, store, tail, termsOf, daysOf, forgetInMemory };
  const derived = createDerived(parts);
  const openHeadlines = createHeadlineSources({
    ...parts,
    cache,
    knownTerms: (websiteKey) => terms.get(websiteKey),
  });
  const log = server
    ? followRemoteLog({ ...parts, derived, client: server, forgetEverything })
    : followLocalLog({ ...parts, derived });
  const patienceMs = server ? PATIENCE_MS.server : PATIENCE_MS.local;
  let last: Promise<unknown> = Promise.resolve();
  let isResumed = false;
  /** A question has been refused, and there is still more to read: the next ones need not wait as long. */
  let isFarBehind = false;
  let savedAtMs = performance.now();
  let savingTookMs = 0;

  function termsOf(websiteKey: number): WebsiteTerms {
    const known = terms.get(websiteKey) ?? createWebsiteTerms(database, websiteKey);
    terms.delete(websiteKey);
    terms.set(websiteKey, known); // the last used one is the last of the map
    return known;
  }
  function daysOf(websiteKey: number): Days {
    return createDays(websiteKey, { store, cache, tail });
  }
  function peopleOf(websiteKey: number): PeopleSource {
    return { terms: termsOf(websiteKey), days: daysOf(websiteKey), log };
  }
  function forgetInMemory(websiteKey: number): void {
    tail.drop(websiteKey);
    cache.dropAll(`${websiteKey} `);
    terms.delete(websiteKey);
  }

  function forgetEverything(): void {
    cache.dropAll('');
    terms.clear();
  }

  function forgetIdle(most = WEBSITES_IN_MEMORY_MAX): void {
    for (const websiteKey of terms.keys()) {
      if (terms.size <= most) return;
      if (!tail.isSaved(websiteKey)) continue;
      tail.closeSmall(websiteKey);
      terms.delete(websiteKey);
    }
  }

  /** One that fails in the middle is finished before the next answer. */
  async function erased(erase: () => Promise<number>): Promise<number> {
    isResumed = false;
    const events = await erase();
    isResumed = true;
    return events;
  }

  /** What questions have left, and keep for the next one. */
  function makeRoom(): void {
    freeScratch();
    discardAll();
  }

  /** One at a time. */
  function inLine<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const answer = last.then(work);
    last = answer.catch(() => undefined); // told to the one who asked
    return answer;
  }

  /** Each after everything that was committed before it is read. @throws CATCHING_UP */
  function inTurn<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
    return inLine(async () => {
      if (!(await catchUp(isFarBehind ? 0 : patienceMs))) {
        isFarBehind = true;
        throw Object.assign(new Error('The log is being read.'), { code: CATCHING_UP });
      }
      const startedAtMs = performance.now();
      const answer = await work();
      discardYoung(GARBAGE_BYTES, GARBAGE_BYTES / GARBAGE_OLD);
      forgetIdle();
      if (performance.now() - startedAtMs > LONG_ANSWER_MS) void inLine(collect);
      return answer;
    });
  }

  /** Once whoever asked has the answer. */
  async function collect(): Promise<void> {
    await turn();
    discardAll();
  }

  async function catchUp(stretchMs: number): Promise<boolean> {
    const from = tail.readUntilKey();
    if (!(await log.catchUp(stretchMs))) return false;
    isFarBehind = false;
    const events = tail.readUntilKey() - from;
    if (events > MANY_EVENTS && events > tail.unsavedMax()) await letGo();
    if (isResumed) return true;
    await log.resume();
    isResumed = true;
    return true;
  }

  /** What reading has brought into memory would stand beside all that the next question brings. */
  async function letGo(): Promise<void> {
    try {
      await save();
    } catch (error) {
      onError(error); // as when it is due: answers do not need it
    }
    forgetIdle(0);
    discardAll();
  }

  async function save(): Promise<void> {
    const startedAtMs = performance.now();
    await tail.save();
    savedAtMs = performance.now();
    savingTookMs = savedAtMs - startedAtMs;
  }

  return {
    query: (request) =>
      inTurn(() => answerQuery(request, termsOf(request.websiteKey), daysOf(request.websiteKey))),
    values: ({ dimension, search, limit, ...selection }) =>
      inTurn(() => {
        const breakdowns = [
          { dimension, limit, sort: { by: 'events' as const, descending: true }, ...(search && { search }) },
        ];
        const { websiteKey } = selection;
        const answer = answerQuery({ ...selection, breakdowns }, termsOf(websiteKey), daysOf(websiteKey));
        const rows = answer.breakdowns?.[0]?.rows ?? [];
        return rows.map(({ value, events }) => ({ value: value ?? '', events }));
      }),
    realtime: (request) =>
      inTurn(() => answerRealtime(request, termsOf(request.websiteKey), daysOf(request.websiteKey))),
    sessions: (request) => inTurn(() => listSessions(request, peopleOf(request.websiteKey))),
    session: (request) => inTurn(() => findSession(request, peopleOf(request.websiteKey))),
    visitors: (request) => inTurn(() => listVisitors(request, peopleOf(request.websiteKey))),
    visitor: (request) => inTurn(() => findVisitor(request, peopleOf(request.websiteKey))),
    pages: (request) =>
      inTurn(() => listPages(request, termsOf(request.websiteKey), daysOf(request.websiteKey))),
    page: (request) =>
      inTurn(() => findPage(request, termsOf(request.websiteKey), daysOf(request.websiteKey))),
    customEvents: (request) =>
      inTurn(() => listCustomEvents(request, termsOf(request.websiteKey), daysOf(request.websiteKey))),
    propertyKeys: (request) =>
      inTurn(() => listPropertyKeys(request, termsOf(request.websiteKey), daysOf(request.websiteKey))),
    propertyValues: (request) =>
      inTurn(() => listPropertyValues(request, termsOf(request.websiteKey), daysOf(request.websiteKey))),
    headlines: (request) => inTurn(() => answerHeadlines(request, openHeadlines())),
    exportVisitor: (request) =>
      inTurn(async () => {
        const moments = derived.exportMoments(request);
        return {
          events: await log.exported(moments.map(({ key }) => key)),
          next: moments.length === request.limit ? moments.at(-1) : undefined,
        };
      }),
    eraseVisitor: ({ websiteKey, visitorId }) =>
      inTurn(async () => ({ eventsRemoved: await erased(() => log.erase(websiteKey, visitorId)) })),
    eraseSelected: (request) =>
      inTurn(async () => {
        const events = await erased(() => log.eraseSelected(request));
        return { events, isErased: events <= request.eventsMax };
      }),
    forget: ({ websiteKey, beforeMs }) => inTurn(() => log.forget(websiteKey, beforeMs)),
    // However long the log is: nobody asks meanwhile.
    rebuild: ({ websiteKey }) =>
      inLine(async () => {
        const wasResumed = isResumed;
        isResumed = false; // as above
        const events = await log.rebuild(websiteKey);
        isResumed = wasResumed;
        return { events };
      }),
    freshness: () =>
      inTurn(() => ({
        eventsBehind: tail.unsavedCount(),
        cachedBytes: cache.bytes(),
        cacheBytesMax,
      })),
    follow: () =>
      inLine(async () => {
        const isDone = await catchUp(STRETCH_MS);
        if (!isDone && server) isFarBehind = true; // a log on a server may take minutes
        const waitMs = Math.max(SAVE_AFTER_MS, savingTookMs * SAVE_AFTER_TIMES);
        const isDue = performance.now() - savedAtMs > waitMs;
        if (isDue && tail.unsavedCount() > 0) await save();
        forgetIdle();
        return isDone;
      }),
    wake: () => {}, // a question catches up by itself
    // Without catching up: the log may be out of reach, and will be read on at the next start.
    close: () => inLine(save),
  };
}
