import { describe, expect, test } from 'bun:test';
import type { Engine } from '../../src/analytics/embedded/engine.ts';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { followLocal } from '../../src/log/follower.ts';
import { comparable } from '../../src/move/difference.ts';
import { readLog } from '../support/read-log.ts';
import { createTestFollower, onCommit } from './follower.ts';
import { ask } from './oracle/ask.ts';
import { createNaiveAnalytics } from './oracle/naive-analytics.ts';
import type { Question } from './oracle/questions.ts';
import {
  createTestLog,
  DAY_MS,
  type Given,
  HOUR_MS,
  MINUTE_MS,
  START_MS,
  type TestLog,
  WEBSITE,
} from './support.ts';

/**
 * Work that writes is cut off at each of its commits in turn: the process ends there, or the disk is full and has room
 * again. Afterwards all answers are those of an engine that was never cut off, and so is what is on disk.
 */

const SECRET = 'secret';
/** Visits across midnight, a visitor of several visits, what only one of them has sent, and another website. */
const EVENTS: Given[] = [
  ...[0, 1, 2].flatMap((day) => [
    { at: day * DAY_MS + HOUR_MS, visitorId: 'v1' },
    { at: day * DAY_MS + HOUR_MS, visitorId: SECRET, path: '/own', properties: '{"who":"private"}' },
    { at: (day + 1) * DAY_MS - MINUTE_MS, visitorId: SECRET, path: `/own/${day}` },
    { at: (day + 1) * DAY_MS + MINUTE_MS, visitorId: SECRET, path: '/shared', sessionId: 's2' },
    { at: (day + 1) * DAY_MS - MINUTE_MS, visitorId: 'v2', path: '/shared', flags: day },
  ]),
  { at: HOUR_MS, website: 2, visitorId: SECRET, path: '/elsewhere' },
];
const LATER: Given[] = [
  { at: HOUR_MS + MINUTE_MS, visitorId: 'v1', path: '/later' },
  { at: DAY_MS, visitorId: 'v2', path: '/shared' },
  { at: 2 * HOUR_MS, visitorId: 'v3', website: 2 },
  { at: 3 * DAY_MS, visitorId: SECRET, path: '/back' },
];
/** More texts than one step writes. */
const MANY: Given[] = Array.from({ length: 300 }, (_, at) => ({
  at,
  visitorId: `of ${at}`,
  path: `/of/${at}`,
}));

type Follower = ReturnType<typeof createTestFollower>;
type Work = {
  name: string;
  /** Events added to the log before it. */
  add?: Given[];
  /** Statement that removes from the log before it. */
  sql?: string;
  run?(follower: Follower, database: LocalDatabase): Promise<unknown>;
};

const removal = (where: string, beforeDay: number | null) =>
  `BEGIN; DELETE FROM events WHERE ${where};
   INSERT INTO removals (website_key, before_day, removed_at_ms) VALUES (${WEBSITE}, ${beforeDay}, 0); COMMIT`;
const KEPT_FROM_MS = START_MS + DAY_MS;

const WORKS: Work[] = [
  { name: 'a flush', add: LATER },
  { name: 'a flush in many steps', add: MANY },
  {
    name: 'an erasure',
    async run(_follower, database) {
      const keys = readLog(database)
        .filter(({ websiteKey, visitorId }) => websiteKey === WEBSITE && visitorId === SECRET)
        .map(({ key }) => key);
      const log = followLocal(database);
      if (keys.length > 0) await log.orderErasure(WEBSITE, keys);
      await log.carryOutErasures(Number.POSITIVE_INFINITY);
    },
  },
  {
    name: 'retention, with late events',
    add: LATER,
    sql: removal(`website_key = ${WEBSITE} AND created_at_ms < ${KEPT_FROM_MS}`, KEPT_FROM_MS / DAY_MS),
  },
  { name: 'the deletion of a website', sql: removal(`website_key = ${WEBSITE}`, null) },
  { name: 'a rebuild', run: (follower) => follower.reset() },
];

const LIMITS = { segmentEvents: 4, visitEvents: 65_535 };
const open = (database: LocalDatabase) => createTestFollower(database, {}, LIMITS);

async function finish(follower: Follower): Promise<void> {
  while (!(await follower.catchUp(1_000)));
  await follower.flush();
  await follower.vacuum();
}

/** @returns whether there was a commit of this number */
async function isCutOff({ add = [], sql, run }: Work, commit: number, isFull: boolean): Promise<boolean> {
  const log = await createTestLog();
  let left = Number.POSITIVE_INFINITY;
  const faulty = onCommit(log.database, () => {
    left -= 1;
    if (left <= 0) throw Object.assign(new Error('cut off'), { code: isFull ? 'SQLITE_FULL' : 'KILLED' });
  });
  const follower = open(faulty);
  log.add(...EVENTS);
  await finish(follower);
  log.add(...add);
  if (sql) log.database.exec(sql);
  left = commit;
  const work = async () => {
    await run?.(follower, faulty);
    await finish(follower);
  };
  const wasCutOff = await work().then(
    () => false,
    () => true,
  );
  left = Number.POSITIVE_INFINITY;
  const after = isFull ? follower : open(log.database);
  if (isFull)
    await work(); // the caller asks again
  else await finish(after);
  log.add(...LATER); // what was lost or doubled stays so
  await finish(after);
  await expectWhole(log);
  log.close();
  return wasCutOff;
}

/** Answers are those of the definitions; texts, visitors and events on disk those of a log that was read once. */
async function expectWhole(log: TestLog): Promise<void> {
  const events = readLog(log.database);
  const naive = createNaiveAnalytics(() => events);
  const engine: Engine = log.engine();
  for (const question of QUESTIONS) {
    const [answer, expected] = await Promise.all([ask(engine, question), ask(naive, question)]);
    expect({ question, answer: comparable(answer) }).toEqual({ question, answer: comparable(expected) });
  }
  const afresh = await createTestLog();
  afresh.database.exec('DELETE FROM analytics_state');
  for (const table of ['events', 'analytics_state']) copy(log.database, afresh.database, table);
  afresh.database.exec("DELETE FROM analytics_state WHERE name <> 'log'");
  await finish(open(afresh.database));
  expect(derivedOf(log.database)).toEqual(derivedOf(afresh.database));
  afresh.close();
}

function copy(from: LocalDatabase, to: LocalDatabase, table: string): void {
  const rows = from.prepare(`SELECT * FROM ${table}`).raw().all([]) as unknown as (string | number)[][];
  for (const row of rows) to.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?')})`).run(row);
}

function derivedOf(database: LocalDatabase) {
  const all = (sql: string) => database.prepare(sql).raw().all([]);
  return {
    texts: all('SELECT text FROM terms ORDER BY text'),
    visitors: all('SELECT website_key, visitor_id FROM visitors ORDER BY website_key, visitor_id'),
    events: all('SELECT website_key, day, sum(events), sum(visits) FROM segments GROUP BY website_key, day'),
    orphans: all('SELECT key FROM segment_parts WHERE key / 8 NOT IN (SELECT id FROM segments)'),
    marks: all("SELECT name FROM analytics_state WHERE name LIKE 'vacuum%'"),
  };
}

const SELECTION = { websiteKey: WEBSITE, fromMs: START_MS, toMs: START_MS + 10 * DAY_MS };
const PAGE = { limit: 1_000, offset: 0 };
const DIMENSIONS = ['page', 'entryPage', 'hostname', 'country', 'property:who'] as const;
const QUESTIONS: Question[] = [
  {
    ask: 'query',
    request: {
      ...SELECTION,
      traffic: 'all',
      totals: true,
      series: { bounds: [0, 1, 2, 3, 4].map((day) => START_MS + day * DAY_MS) },
      breakdowns: DIMENSIONS.map((dimension) => ({ dimension, limit: 1_000 })),
    },
  },
  {
    ask: 'query',
    request: { ...SELECTION, websiteKey: 2, totals: true, breakdowns: [{ dimension: 'page', limit: 10 }] },
  },
  { ask: 'visitors', request: { ...SELECTION, ...PAGE } },
  { ask: 'sessions', request: { ...SELECTION, ...PAGE } },
  ...['v1', SECRET].map(
    (visitorId): Question => ({
      ask: 'exportVisitor',
      request: { websiteKey: WEBSITE, visitorId, limit: 100 },
    }),
  ),
];

describe.each(WORKS)('$name', (work) => {
  test.each([false, true])(
    'is whole, whenever it is cut off (disk full: %p)',
    async (isFull) => {
      let commits = 1;
      while (await isCutOff(work, commits, isFull)) commits += 1;
      expect(commits).toBeGreaterThan(2);
    },
    60_000,
  );
});
