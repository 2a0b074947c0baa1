import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { decodeF64, openColumns } from '../../src/analytics/column-codec.ts';
import { decodeLayout } from '../../src/analytics/day-pieces.ts';
import { createEngine, type Engine } from '../../src/analytics/engine.ts';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { readLog } from '../support/read-log.ts';
import { ask, comparable } from './oracle/ask.ts';
import { createNaiveAnalytics, type RawEvent } from './oracle/naive-analytics.ts';
import type { Question } from './oracle/questions.ts';
import { isLong, runs, TEST_MS_MAX } from './oracle/runs.ts';
import {
  createTestLog,
  DAY_MS,
  type Given,
  HOUR_MS,
  MINUTE_MS,
  START_MS,
  type TestLog,
  toEvent,
} from './support.ts';

/**
 * Work that writes is cut off at its commits in turn: the disk is full there, and has room again when the
 * engine goes on, or a new one opens what was left. Days are in pieces of a few events.
 */

/** What is to be erased: a visitor, what only they send, and a page that others have seen too. */
const SECRET = 'secret';
const PRIVATE = 'private';
const HIDDEN = '/hidden';
const OWN = '/own';
const VISITORS = ['v1', 'v2', SECRET];
const FORGOTTEN_DAYS = 1;
/** The short run skips some commits: between them the engine pauses. */
const STRIDE = isLong ? 1 : 3;

type Work = {
  name: string;
  run(engine: Engine): Promise<unknown>;
  /** Removes from the log what the engine was told to forget. */
  alsoInLog?: string;
  /** Half done it is neither as before nor as afterwards. */
  isTornMeanwhile?: boolean;
  /** Commits, of each kind several. */
  hasMany?: boolean;
  /** Once the first event is gone the others go with the next answer, whoever gives it. */
  isFinished?: boolean;
  /** The events that must be nowhere afterwards. */
  removes?: (event: RawEvent) => boolean;
};

const WORKS: readonly Work[] = [
  { name: 'a save', run: (engine) => engine.close(), hasMany: true },
  {
    name: 'the erasure of a visitor',
    run: (engine) => engine.eraseVisitor({ websiteKey: 1, visitorId: SECRET }),
    removes: ({ visitorId }) => visitorId === SECRET,
    isFinished: true,
  },
  {
    name: 'the erasure of what a filter selects',
    run: (engine) =>
      engine.eraseSelected({
        ...everything(),
        filter: { op: 'match', dimension: 'page', values: [HIDDEN], operator: 'is' },
        eventsMax: 1_000,
      }),
    removes: ({ url }) => url.includes(HIDDEN),
    isFinished: true,
    hasMany: true,
  },
  {
    name: 'retention',
    run: (engine) => engine.forget({ websiteKey: 1, beforeMs: START_MS + FORGOTTEN_DAYS * DAY_MS }),
    alsoInLog: `DELETE FROM events WHERE website_key = 1 AND created_at_ms < ${START_MS + FORGOTTEN_DAYS * DAY_MS}`,
    isTornMeanwhile: true,
    removes: ({ createdAtMs }) => createdAtMs < START_MS + FORGOTTEN_DAYS * DAY_MS,
  },
  {
    name: 'the removal of a website',
    run: (engine) => engine.forget({ websiteKey: 1 }),
    alsoInLog: 'DELETE FROM events WHERE website_key = 1',
    isTornMeanwhile: true,
    removes: ({ websiteKey }) => websiteKey === 1,
  },
  { name: 'a rebuild', run: (engine) => engine.rebuild({ websiteKey: 1 }), hasMany: true },
];

const event = fc.record({
  at: fc
    .tuple(fc.nat(2), fc.constantFrom(0, 1, 46, 47, 47), fc.constantFrom(0, 0, 1, MINUTE_MS))
    .map(([day, halfHours, ms]) => day * DAY_MS + (halfHours * HOUR_MS) / 2 + ms),
  visitorId: fc.constantFrom(...VISITORS),
  sessionId: fc.constantFrom('s1', 's2', 's3'),
  path: fc.constantFrom('/', '/a', HIDDEN),
  location: fc.constantFrom('DE', 'FR'),
  plan: fc.option(fc.constantFrom('free', 'paid'), { freq: 2 }),
});
const events = fc.array(event, { minLength: 1, maxLength: 8, size: 'max' });
type Sketch = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

const scenario = fc.record({
  pieceEvents: fc.constantFrom(1, 1, 2, 3),
  cacheBytesMax: fc.constantFrom(0, 1_000_000),
  /** Each is written, but for the last ones. */
  written: fc.array(events, { minLength: 1, maxLength: 2 }),
  unwritten: fc.option(events),
  isAskedBefore: fc.boolean(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

/** A day in pieces that grows, with a page that only one visitor has seen; and a second day of theirs. */
const TYPICAL: Scenario = {
  pieceEvents: 1,
  cacheBytesMax: 1_000_000,
  written: [
    [...[SECRET, 'v1', 'v1'].map((visitorId) => toSketch(HOUR_MS, visitorId)), toSketch(DAY_MS, SECRET)],
  ],
  unwritten: [toSketch(2 * HOUR_MS, SECRET)],
  isAskedBefore: true,
};

function toSketch(at: number, visitorId: string): Sketch {
  return { at, visitorId, sessionId: 's1', path: '/a', location: 'DE', plan: 'free' };
}

describe('when the disk is full at any commit', () => {
  for (const work of WORKS)
    for (const goesOn of [true, false])
      test(
        `${work.name} can be done again ${goesOn ? 'by the same engine' : 'after a restart'}, and nothing is lost, doubled or left`,
        async () => {
          const log = await createTestLog();
          await fc.assert(
            fc.asyncProperty(scenario, async (played) => {
              for (let commit = 1; await isCutOff(log, { played, work, goesOn, commit }); )
                commit += work.hasMany ? STRIDE : 1;
            }),
            { ...runs(1), examples: [[TYPICAL]] },
          );
          log.close();
        },
        TEST_MS_MAX,
      );
});

describe('a write that was cut off leaves nothing of events that are removed before it is done again', () => {
  /** In two pieces. */
  const EVENTS = [SECRET, 'v1', 'v1'].map((visitorId) => ({ at: HOUR_MS, visitorId }));

  test('with their website', async () => {
    const log = await createTestLog();
    for (const goesOn of [true, false])
      for (let commit = 1, wasFull = true; wasFull; commit += 1) {
        clear(log.database);
        const disk = faulty(log.database);
        const open = () => createEngine({ database: disk.database, ...SMALL, onError: () => {} });
        const engine = open();
        log.add(...EVENTS);
        await engine.freshness();
        disk.fillAt(commit);
        await engine.close().catch(() => {});
        wasFull = disk.empty();
        log.database.exec('DELETE FROM events');
        await (goesOn ? engine : open()).forget({ websiteKey: 1 });
        expect(columns(log.database)).toEqual([]);
      }
    log.close();
  });

  test('by another process that shares the log', async () => {
    const memory = () => openDatabase({ kind: 'memory' }, 'normal');
    for (let commit = 1, wasFull = true; wasFull; commit += 1) {
      const [shared, log, other] = await Promise.all([memory(), createTestLog(), memory()]);
      if (!shared.local || !other.local) throw new Error('A database in memory is local.');
      const disk = faulty(log.database);
      const follow = (database: LocalDatabase) =>
        createEngine({ database, server: shared.db.$client, ...SMALL, onError: () => {} });
      shared.local.exec(
        `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
         VALUES (1, 'w', 'w', 'https://w.example', 'w', '', 'pm-w', 0, 0)`,
      );
      createLocalLog(shared.local).append(EVENTS.map(toEvent));
      const engine = follow(disk.database);
      await engine.freshness();
      disk.fillAt(commit);
      await engine.close().catch(() => {});
      wasFull = disk.empty();
      const gone = new Set(
        readLog(shared.local)
          .filter(({ visitorId }) => visitorId === SECRET)
          .map(({ key }) => key),
      );
      await follow(other.local).eraseVisitor({ websiteKey: 1, visitorId: SECRET });
      const again = follow(disk.database);
      await compare(again, shared.local);
      expect(leftOf(log.database, gone)).toEqual([]);
      await again.close();
      for (const database of [shared, log, other]) database.close();
    }
  });
});

const SMALL = { pieceEvents: 1, cacheBytesMax: 0 };

type Case = { played: Scenario; work: Work; goesOn: boolean; commit: number };

/** @returns false when the work has fewer commits */
async function isCutOff(log: TestLog, { played, work, goesOn, commit }: Case): Promise<boolean> {
  clear(log.database);
  const { pieceEvents, cacheBytesMax } = played;
  const disk = faulty(log.database);
  const open = () => createEngine({ database: disk.database, pieceEvents, cacheBytesMax, onError: () => {} });
  let engine = open();
  for (const some of played.written) {
    log.add(...some.map(toGiven));
    if (played.isAskedBefore) await compare(engine, log.database);
    else await engine.freshness();
    await engine.close();
  }
  if (played.unwritten) log.add(...played.unwritten.map(toGiven));
  if (played.isAskedBefore) await compare(engine, log.database);
  else await engine.freshness();
  const gone = new Set(
    readLog(log.database)
      .filter(work.removes ?? (() => false))
      .map(({ key }) => key),
  );

  disk.fillAt(commit);
  const isDone = await work.run(engine).then(
    () => true,
    () => false,
  );
  const wasFull = disk.empty();
  expect(isDone).toBe(!wasFull);
  if (!isDone) {
    if (!goesOn) engine = open();
    if (!work.isTornMeanwhile) await compare(engine, log.database);
    const left = readLog(log.database).filter(({ key }) => gone.has(key)).length;
    if (work.isFinished) expect([0, gone.size]).toContain(left);
    await work.run(engine);
  }
  if (work.alsoInLog) log.database.exec(work.alsoInLog);
  expect(leftOf(log.database, gone)).toEqual([]);
  await compare(engine, log.database);
  await engine.close();
  await compare(open(), log.database);
  expect(leftOf(log.database, gone)).toEqual([]);
  // One more event a day: what a failed write has left is gone with the next one.
  log.add(...[0, 1, 2].map((day) => toGiven(toSketch(day * DAY_MS + 9 * HOUR_MS, 'v1'))));
  await compare(engine, log.database);
  await engine.close();
  expect(orphans(log.database)).toEqual([]);
  await compare(open(), log.database);
  return wasFull;
}

function toGiven({ plan, path, ...given }: Sketch): Given {
  const isSecret = given.visitorId === SECRET;
  const properties = { name: 'e', ...(isSecret && { who: PRIVATE }), plan };
  return {
    ...given,
    path: isSecret && path === '/a' ? OWN : path,
    ...(plan && { eventType: 'custom' as const, properties: JSON.stringify(properties) }),
  };
}

function clear(database: LocalDatabase): void {
  for (const table of [
    'events',
    'event_counts',
    'day_blocks',
    'day_columns',
    'terms',
    'visitors',
    'analytics_state',
  ])
    database.exec(`DELETE FROM ${table}`);
}

/** A disk that is full from a commit on, counted from 1, until it is emptied. */
function faulty(real: LocalDatabase) {
  let left = Number.POSITIVE_INFINITY;
  let wasFull = false;
  function exec(sql: string): unknown {
    if (sql === 'COMMIT') left -= 1;
    if (sql === 'COMMIT' && left <= 0) {
      wasFull = true;
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    }
    return real.exec(sql);
  }
  const database = new Proxy(real, {
    get(target, name) {
      if (name === 'exec') return exec;
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    database,
    fillAt(commit: number) {
      left = commit;
      wasFull = false;
    },
    empty() {
      left = Number.POSITIVE_INFINITY;
      return wasFull;
    },
  };
}

function everything() {
  return { websiteKey: 1, fromMs: START_MS - DAY_MS, toMs: START_MS + 20 * DAY_MS, traffic: 'all' as const };
}

function questions(): Question[] {
  const selection = everything();
  const page = { limit: 100, offset: 0 };
  const dimensions = ['page', 'event', 'hostname', 'country', 'property:plan'] as const;
  return [
    {
      ask: 'query',
      request: {
        ...selection,
        totals: true,
        series: { bounds: [0, 1, 2, 3].map((day) => START_MS + day * DAY_MS) },
        breakdowns: dimensions.map((dimension) => ({ dimension, limit: 100 })),
      },
    },
    { ask: 'query', request: { ...selection, traffic: 'people', fromMs: START_MS + HOUR_MS, totals: true } },
    { ask: 'sessions', request: { ...selection, ...page } },
    { ask: 'visitors', request: { ...selection, ...page } },
    { ask: 'propertyKeys', request: { ...selection, ...page } },
    ...VISITORS.map(
      (visitorId): Question => ({
        ask: 'exportVisitor',
        request: { websiteKey: 1, visitorId, limit: 100 },
      }),
    ),
    ...[0, HOUR_MS].map(
      (offsetMs): Question => ({
        ask: 'headlines',
        request: {
          websiteKeys: [1, 2],
          fromMs: START_MS - 20 * DAY_MS + offsetMs,
          toMs: START_MS + 20 * DAY_MS + offsetMs,
        },
      }),
    ),
  ];
}

async function compare(engine: Engine, database: LocalDatabase): Promise<void> {
  await engine.freshness(); // what was cut off is finished before the next answer
  const events = readLog(database);
  const naive = createNaiveAnalytics(() => events);
  for (const question of questions()) {
    const [answer, expected] = await Promise.all([ask(engine, question), ask(naive, question)]);
    expect({ question, answer: comparable(answer) }).toEqual({ question, answer: comparable(expected) });
  }
}

type Column = { day: number; name: string; data: Uint8Array };

function columns(database: LocalDatabase): Column[] {
  return database.prepare('SELECT day, name, data FROM day_columns ORDER BY day, name').all([]) as Column[];
}

/** Where something of removed events is still found. */
function leftOf(database: LocalDatabase, gone: ReadonlySet<number>): string[] {
  if (gone.size === 0) return [];
  const found: string[] = [];
  for (const { day, name, data } of columns(database)) {
    if (!/(^|:)key$/.test(name)) continue;
    for (const key of decodeF64(openColumns(Bun.zstdDecompressSync(data)), 0)) {
      if (gone.has(key)) found.push(`${day} ${name}: ${key}`);
    }
  }
  const log = JSON.stringify(readLog(database));
  for (const word of [SECRET, PRIVATE, OWN, HIDDEN])
    if (!log.includes(word) && texts(database).some((text) => text.includes(word))) found.push(word);
  const states = database.prepare(
    "SELECT name FROM analytics_state WHERE name LIKE 'erase%' OR name LIKE 'rebuild%'",
  );
  for (const state of states.all([])) found.push(JSON.stringify(state));
  return [...found, ...orphans(database)];
}

/** Of dictionaries and properties. */
function texts(database: LocalDatabase): string[] {
  const rows = database
    .prepare('SELECT text FROM terms UNION ALL SELECT visitor_id FROM visitors')
    .raw()
    .all([]);
  const properties = columns(database).filter(({ name }) => name.startsWith('property:'));
  return [
    ...(rows as [string][]).map(([text]) => text),
    ...properties.map(({ data }) => Buffer.from(Bun.zstdDecompressSync(data)).toString('latin1')),
  ];
}

/** Pieces that are of no day. */
function orphans(database: LocalDatabase): string[] {
  const blocks = database.prepare('SELECT day, data FROM day_blocks').all([]) as Omit<Column, 'name'>[];
  const named = new Map(blocks.map(({ day, data }) => [day, decodeLayout(data)?.generation]));
  return columns(database)
    .filter(({ day, name }) =>
      name.startsWith('piece:') ? name.split(':')[1] !== String(named.get(day)) : !named.has(day),
    )
    .map(({ day, name }) => `${day} ${name}`);
}
