import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createEngine } from '../../src/analytics/embedded/engine.ts';
import { Pool } from '../../src/analytics/embedded/memory/pool.ts';
import { createWebsites } from '../../src/analytics/embedded/write/websites.ts';
import type { LocalDatabase } from '../../src/db/local-database.ts';
import { type OpenDatabase, openDatabase } from '../../src/db/open.ts';
import { followLocal } from '../../src/log/follower.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { createEventRemover } from '../../src/log/remover.ts';
import { all, DAY_MS, START_MS, toEvent, WEBSITE } from './support.ts';

/** More than one transaction removes. */
const PAGES = 2_500;
const SECRET = 'secret-of-a-visitor';
const DAY = START_MS / DAY_MS;

let opened: OpenDatabase;
let local: LocalDatabase;
beforeEach(async () => {
  opened = await openDatabase({ kind: 'memory' }, 'normal');
  if (!opened.local) throw new Error('A database in memory is local.');
  local = opened.local;
  local.exec(
    `INSERT INTO websites (key, id, name, domain, domain_key, description, tracking_code, created_at_ms, updated_at_ms)
     VALUES (1, 'w', 'w', 'https://w.example', 'w', '', 'pm-1', 0, 0)`,
  );
});
afterEach(() => opened.close());

function open() {
  const errors: unknown[] = [];
  const engine = createEngine({
    database: local,
    cacheBytesMax: 1_000_000,
    onError: (error) => errors.push(error),
  });
  return { ...engine, errors };
}

const derived = () => ({
  segments: local.prepare('SELECT website_key, day FROM segments').raw().all([]),
  parts: (local.prepare('SELECT count(*) FROM segment_parts').raw().all([]) as number[][])[0]?.[0],
  visitors: local.prepare('SELECT visitor_id FROM visitors').raw().all([]),
  secretTexts: local.prepare(`SELECT text FROM terms WHERE text LIKE '%${SECRET}%'`).raw().all([]),
});

const remover = () => createEventRemover({ db: opened.db, stepRows: 10, rest: async () => {} });
const REMOVALS: [what: string, remove: () => Promise<unknown>][] = [
  ['all of a website', () => remover().removeAll(WEBSITE)],
  ['days that a website no longer keeps', () => remover().removeBefore(WEBSITE, DAY + 1)],
  [
    'single events that another process erases',
    async () => {
      const log = followLocal(local);
      await log.orderErasure(WEBSITE, [1, 2]);
      await log.carryOutErasures(Number.POSITIVE_INFINITY);
    },
  ],
];

test.each(REMOVALS)('removing %s leaves no trace, without a query or an event', async (_what, remove) => {
  const event = { path: `/${SECRET}`, visitorId: SECRET, properties: `{"note":"${SECRET}"}` };
  createLocalLog(local).append([toEvent({ at: 0, ...event }), toEvent({ at: 1_000, ...event })]);
  const engine = open();
  await engine.query(all());
  await engine.close();
  expect(derived()).toMatchObject({ segments: [[WEBSITE, DAY]], visitors: [[SECRET]] });
  expect(derived().secretTexts).toHaveLength(2); // a page, the value of a property

  await remove();
  const later = open();
  expect(await later.follow()).toBe(true);
  expect(derived()).toEqual({ segments: [], parts: 0, visitors: [], secretTexts: [] });
  expect(later.errors).toEqual([]);
});

test('closes though nothing can be written: it is derived again at the next start', async () => {
  const engine = open();
  createLocalLog(local).append([toEvent({ at: 0 })]);
  await engine.query(all());
  local.exec('PRAGMA query_only = ON');
  await engine.close();
  expect(engine.errors).toMatchObject([{ code: 'SQLITE_READONLY' }]);
  local.exec('PRAGMA query_only = OFF');
  expect((await open().query(all())).totals).toMatchObject({ events: 1 });
});

test('texts that come back are there, although everything is derived again while unused ones are removed', async () => {
  const log = createLocalLog(local);
  const visit = (visitorId: string, from: number) =>
    Array.from({ length: PAGES }, (_, n) => toEvent({ at: n, visitorId, path: `/${from + n}` }));
  log.append(visit('first', 0));
  log.append(visit('second', PAGES));
  const engine = open();
  await engine.query(all());
  await engine.close();
  const follower = followLocal(local);
  await follower.orderErasure(
    WEBSITE,
    Array.from({ length: PAGES }, (_, n) => n + 1),
  );
  await follower.carryOutErasures(Number.POSITIVE_INFINITY);
  const going = open();
  await Promise.all([going.follow(), going.rebuild()]);
  await going.close();
  const breakdowns = [{ dimension: 'page', limit: 1, search: `/${PAGES + 7}` }] as const;
  const { breakdowns: [found] = [] } = await open().query(all({ breakdowns }));
  expect(found).toMatchObject({ total: 1, rows: [{ value: `/${PAGES + 7}`, events: 1 }] });
  expect((local.prepare('SELECT count(*) FROM visitors').raw().all([]) as number[][])[0]).toEqual([1]);
  expect(going.errors).toEqual([]);
});

test('a website stays in memory while its unused texts are removed', () => {
  const websites = createWebsites(local, new Pool(1_000_000));
  const first = websites.get(1);
  const idle = websites.get(2);
  first.isHeld = true;
  for (let key = 3; key < 100; key += 1) websites.get(key);
  websites.forgetIdle();
  expect([websites.get(1) === first, websites.get(2) === idle]).toEqual([true, false]);
});
