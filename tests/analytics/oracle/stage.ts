import { expect } from 'bun:test';
import type { Analytics } from '../../../src/analytics/analytics.ts';
import type { Selection } from '../../../src/analytics/interface/selection.ts';
import { withBusyRetry } from '../../../src/db/busy.ts';
import type { OpenDatabase } from '../../../src/db/open.ts';
import type { NewEvent } from '../../../src/log/event.ts';
import { createLocalLog } from '../../../src/log/local-log.ts';
import { createEventRemover, type EventRemover } from '../../../src/log/remover.ts';
import { comparable } from '../../../src/move/difference.ts';
import { readLog } from '../../support/read-log.ts';
import { type Answerer, ask } from './ask.ts';
import type { Limits } from './log.ts';
import { createNaiveAnalytics, type RawEvent } from './naive-analytics.ts';
import type { Question } from './questions.ts';
import { DAY_MS } from './raw-event.ts';
import { type Sketch, toNewEvent, WEBSITE_KEYS } from './traffic.ts';

/** Steps on a database, in order. */
export type Step =
  | { do: 'store'; events: readonly Sketch[] }
  /** One visitor who never rests: a visit over days, or a visit each time. */
  | { do: 'march'; visitorId: string; startMs: number; pauseMs: number; count: number }
  /** An event with 400 keys, numbered from the first; the value is JSON text. */
  | { do: 'flood'; createdAtMs: number; visitorId: string; firstKey: number; value: string }
  | { do: 'ask'; questions: readonly Question[] }
  | { do: 'erase'; websiteKey: number; visitorId: string }
  | { do: 'erase selected'; request: Selection & { eventsMax: number } }
  /** The log loses the events of a website: those before a day, or all. */
  | { do: 'remove'; websiteKey: number; beforeDay?: number }
  | { do: 'rebuild' }
  /** Events are stored while the engine derives everything again. */
  | { do: 'store while rebuilding'; events: readonly Sketch[] }
  /** One visitor's events are stored while another is erased. */
  | { do: 'store while erasing'; events: readonly Sketch[]; visitorId: string }
  /** The answer is that of before or of after, and nothing in between. */
  | { do: 'ask while storing'; events: readonly Sketch[]; question: Question }
  | { do: 'ask while erasing'; visitorId: string; question: Question }
  /** The process ends, in order or at once, and starts again. */
  | { do: 'restart'; isClean: boolean };

export type Engine = (database: OpenDatabase) => Analytics | Promise<Analytics>;
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** Where the events are. */
export type StageLog = {
  append(events: readonly NewEvent[]): unknown;
  /** In the order of storing. */
  readAfter(key: number | undefined): RawEvent[] | Promise<RawEvent[]>;
  remover: EventRemover;
  /** Checks that these are all, and the counters derived from them. */
  check(keys: readonly number[]): void | Promise<void>;
};

type Options = {
  /** The engine has the same ones. */
  limits?: Limits | undefined;
  /** Others who follow the log. */
  neighbours?: readonly Analytics[];
};

/** A step of removal ends between any two events. */
const REMOVED_A_STEP = 3;

/** The engine and the naive implementation side by side on one database. */
export function openStage(database: OpenDatabase, createEngine: Engine, options: Options = {}) {
  return openStageOn(openLocalLog(database), () => createEngine(database), options);
}

function openLocalLog({ local, db }: OpenDatabase): StageLog {
  if (!local) throw new Error('These tests write by the local log');
  const prepare = (sql: string) => local.prepare(sql);
  for (const key of WEBSITE_KEYS)
    prepare(
      `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
         VALUES (?, ?, '', '', '', '', ?, 0, 0)`,
    ).run([key, `website-${key}`, `pm-${key}`]);
  return {
    append: createLocalLog(local).append,
    readAfter: (key) => readLog(local, key),
    remover: createEventRemover({ db, stepRows: REMOVED_A_STEP, rest: async () => {} }),
    check(keys) {
      const kept = prepare('SELECT key FROM events ORDER BY key').all([]);
      expect(kept).toEqual(keys.map((key) => ({ key })));
      const counts =
        'SELECT website_key, type, count FROM event_counts WHERE count > 0 ORDER BY website_key, type';
      const counted = 'SELECT website_key, type, count(*) AS count FROM events GROUP BY website_key, type';
      expect(prepare(counts).all([])).toEqual(prepare(`${counted} ORDER BY website_key, type`).all([]));
    },
  };
}

/** Opens the stage on any log. */
export async function openStageOn(
  log: StageLog,
  createEngine: () => Analytics | Promise<Analytics>,
  { limits = {}, neighbours = [] }: Options = {},
) {
  const events: RawEvent[] = [];
  const naive = createNaiveAnalytics(() => events, limits);
  const { remover } = log;
  const readNew = () => log.readAfter(events.at(-1)?.key);
  let stored = 0;
  /** Some texts have no name, or some keys no place. */
  let areNamesScarce = limits.bounds !== undefined;
  let engine = await createEngine();

  return {
    engine: () => engine,
    play,
    compare,
    answer,
    checkLog,
    close: () => engine.close(),
  };

  async function play(step: Step): Promise<void> {
    switch (step.do) {
      case 'store':
        return store(step.events);
      case 'march':
        return store(
          Array.from({ length: step.count }, (_, index) => ({
            createdAtMs: step.startMs + index * step.pauseMs,
            visitorId: step.visitorId,
          })),
        );
      case 'flood': {
        const { createdAtMs, visitorId, firstKey, value } = step;
        areNamesScarce = true;
        const pairs = Array.from({ length: 400 }, (_, index) => `"k${firstKey + index}":${value}`);
        return store([{ createdAtMs, visitorId, properties: `{${pairs.join(',')}}` }]);
      }
      case 'ask':
        await Promise.all(step.questions.map((question) => compare(question)));
        return;
      case 'erase':
        expect(await engine.eraseVisitor(step)).toEqual(await naive.eraseVisitor(step));
        return decideNamesAnew();
      case 'erase selected':
        expect(await engine.eraseSelected(step.request)).toEqual(await naive.eraseSelected(step.request));
        return decideNamesAnew();
      case 'remove':
        return remove(step);
      case 'rebuild':
        expect(await engine.rebuild()).toEqual(await naive.rebuild());
        return;
      case 'store while rebuilding':
        await Promise.all([engine.rebuild(), store(step.events)]);
        return;
      case 'store while erasing': {
        const erased = { websiteKey: 1, visitorId: step.visitorId };
        const [removed] = await Promise.all([
          engine.eraseVisitor(erased),
          store(step.events.filter(({ visitorId = 'v' }) => visitorId !== step.visitorId)),
        ]);
        expect(removed).toEqual(await naive.eraseVisitor(erased));
        return decideNamesAnew();
      }
      case 'ask while storing':
        return compareAround(step.question, () => store(step.events));
      case 'ask while erasing':
        return compareAround(step.question, () => play({ ...step, do: 'erase', websiteKey: 1 }));
      case 'restart':
        if (step.isClean) await engine.close();
        engine = await createEngine();
        return;
    }
  }

  async function store(sketches: readonly Sketch[]): Promise<void> {
    const added = sketches.map((sketch, index) => toNewEvent(sketch, stored + index));
    stored += added.length;
    await withBusyRetry(() => log.append(added));
    // What is stored is what both implementations are about.
    events.push(...(await readNew()));
  }

  async function compare(question: Question, asked: Answerer = engine): Promise<void> {
    const [answer, expected] = await Promise.all([ask(asked, question), ask(naive, question)]);
    expect({ question, answer: comparable(answer) }).toEqual({ question, answer: comparable(expected) });
  }

  async function compareAround(question: Question, change: () => Promise<void>): Promise<void> {
    const before = await ask(naive, question);
    const [answer] = await Promise.all([ask(engine, question), change()]);
    const after = await ask(naive, question);
    const isBefore = Bun.deepEquals(comparable(answer), comparable(before));
    const expected = isBefore ? before : after;
    expect({ question, answer: comparable(answer) }).toEqual({ question, answer: comparable(expected) });
  }

  /** Answer of the engine, as JSON. */
  async function answer(question: Question): Promise<string> {
    return JSON.stringify(comparable(await ask(engine, question)));
  }

  async function remove({ websiteKey, beforeDay }: Step & { do: 'remove' }): Promise<void> {
    await withBusyRetry(() =>
      beforeDay === undefined ? remover.removeAll(websiteKey) : remover.removeBefore(websiteKey, beforeDay),
    );
    naive.removed({ websiteKey, ...(beforeDay !== undefined && { beforeMs: beforeDay * DAY_MS }) });
    await decideNamesAnew();
  }

  /** Names that were given before a removal stay until a rebuild; the naive implementation knows what is left only. */
  async function decideNamesAnew(): Promise<void> {
    if (!areNamesScarce) return;
    for (const one of [engine, ...neighbours]) await one.rebuild();
  }

  /** Checks that the log and its counters lost exactly what the engine removed. */
  async function checkLog(): Promise<void> {
    await log.check(naive.events().map(({ key }) => key));
  }
}
