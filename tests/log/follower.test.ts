import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { INGEST_PAUSE_MS, withBusyRetry } from '../../src/db/busy.ts';
import { toLoggedEvent } from '../../src/log/columns.ts';
import { ON_A_SERVER } from '../support/sqld.ts';
import { newEvent, START_DAY } from './events.ts';
import {
  ascending,
  erase,
  expectRightCounts,
  fill,
  keysOf,
  LIST,
  PAST,
  range,
  readAll,
  removedIn,
  START,
} from './following.ts';
import { type LogStage, openFileStage, startServer } from './stages.ts';

setDefaultTimeout(30_000);

const server = await startServer();
afterAll(() => server?.stop());

const closes: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

const STAGES: [string, (() => Promise<LogStage>) | undefined][] = [
  ['in a file', openFileStage],
  [ON_A_SERVER, server?.open],
];

for (const [where, open] of STAGES) {
  describe.if(open !== undefined)(`the log ${where}`, () => {
    async function start() {
      if (!open) throw new Error('There is no server');
      const stage = await open();
      closes.push(stage.close);
      return { ...stage, follower: await stage.follow() };
    }

    describe('is followed', () => {
      test('by what came after a position', async () => {
        const { log, follower } = await start();
        const events = [newEvent(), newEvent({ websiteKey: 2, browser: 'Netscape', sessionId: 's' })];
        await log.append(events);
        const page = await follower.read(START);
        expect(page).toMatchObject({
          newestEventKey: 2,
          newestRemovalKey: 0,
          oldestRemovalKey: undefined,
          removals: [],
          hasAllRemovals: true,
          isLast: true,
          firstErasure: undefined,
        });
        expect(page.events.map(({ key, websiteKey }) => [key, websiteKey])).toEqual([
          [1, 1],
          [2, 2],
        ]);
        expect(await follower.read({ ...START, eventKey: 1 })).toEqual({
          ...page,
          events: page.events.slice(1),
        });
        expect((await follower.read({ ...START, eventKey: 2 })).events).toEqual([]);
      });

      test('with each event as it was appended, its bytes no ArrayBuffer', async () => {
        const { log, follower } = await start();
        const event = newEvent();
        await log.append([event]);
        const { id: _id, website: _website, ...sent } = event;
        const [read] = (await follower.read(START)).events;
        const [keyed] = await follower.readKeys([1]);
        if (!read || !keyed) throw new Error('The event is not there');
        expect(toLoggedEvent({ ...read, engagement: null, eventId: keyed.eventId })).toMatchObject(sent);
        expect(toLoggedEvent(keyed)).toEqual({
          engagedSeconds: null,
          scrollDepth: null,
          ...sent,
          id: event.id,
        });
        for (const bytes of [read.sessionId, read.browser, keyed.sessionId, keyed.browser, keyed.eventId])
          expect(bytes).toBeInstanceOf(Uint8Array);
      });

      test('page by page, each event once and in order', async () => {
        const { db, follower } = await start();
        await fill(db, 5_200);
        const pages = await readAll(follower);
        expect(pages.length).toBeGreaterThan(2);
        expect(pages.map(({ isLast }) => isLast)).toEqual(
          pages.map((_, index) => index === pages.length - 1),
        );
        expect(pages.flatMap(({ events }) => events.map(({ key }) => key))).toEqual(range(1, 5_201));
      });

      test('by its number, which another log does not have', async () => {
        const [one, other] = [await start(), await start()];
        const { logId } = await one.follower.read(START);
        expect(logId).toBeNumber();
        expect((await (await one.follow()).read(START)).logId).toBe(logId);
        expect((await other.follower.read(START)).logId).not.toBe(logId);
      });

      test('with every removal, a bounded number at once, and the first that is on record', async () => {
        const { db, follower } = await start();
        await db.run(sql`insert into removals (website_key, before_day, events, removed_at_ms) values
          (1, ${START_DAY}, null, 0), (2, null, null, 0), (1, null, '[3,4]', 0), (1, null, '{"20412":[7],"20413":[8,9]}', 0)`);
        expect((await follower.read(START)).removals).toEqual([
          { key: 1, websiteKey: 1, beforeDay: START_DAY },
          { key: 2, websiteKey: 2 },
          { key: 3, websiteKey: 1, keys: [3, 4] },
          { key: 4, websiteKey: 1, keys: [7, 8, 9] },
        ]);
        await db.run(sql`insert into removals (website_key, removed_at_ms)
          with recursive n (i) as (select 1 union all select i + 1 from n where i < 300) select 2, 0 from n`);
        const first = await follower.read(START);
        expect(first).toMatchObject({ newestRemovalKey: 304, oldestRemovalKey: 1, hasAllRemovals: false });
        const rest = await follower.read({ ...START, removalKey: first.removals.at(-1)?.key ?? 0 });
        expect(rest.hasAllRemovals).toBe(true);
        expect([...first.removals, ...rest.removals].map(({ key }) => key)).toEqual(range(1, 305));
        await db.run(sql`delete from removals where key <= 100`);
        expect(await follower.read(START)).toMatchObject({ newestRemovalKey: 304, oldestRemovalKey: 101 });
        await db.run(sql`delete from removals`);
        expect(await follower.read(START)).toMatchObject({
          newestRemovalKey: 304,
          oldestRemovalKey: undefined,
        });
      });
    });

    describe('is read by keys', () => {
      test('in their order, without those that are gone', async () => {
        const { log, follower } = await start();
        const events = Array.from({ length: 4 }, () => newEvent());
        await log.append(events);
        await erase(follower, 1, [2]);
        const found = await follower.readKeys([4, 2, 99, 1, 3]);
        expect(found.map(({ key }) => key)).toEqual([4, 1, 3]);
        expect(found.map((event) => toLoggedEvent(event).id)).toEqual(
          [3, 0, 2].map((index) => events[index]?.id ?? ''),
        );
        expect(await follower.readKeys([])).toEqual([]);
      });

      test('of more events than come in one answer', async () => {
        const { db, follower } = await start();
        await fill(db, 5_200);
        const keys = range(1, 5_201).reverse();
        expect((await follower.readKeys(keys)).map(({ key }) => key)).toEqual(keys);
      });
    });

    describe('loses the events of an erasure', () => {
      test('with their counts, those of this website alone, and says so', async () => {
        const { db, log, follower } = await start();
        await log.append([
          newEvent({ eventType: 'pageview' }),
          newEvent({ websiteKey: 2 }),
          newEvent(),
          newEvent(),
        ]);
        await follower.orderErasure(1, [4, 1, 2, 77]);
        expect(await follower.read(START)).toMatchObject({ firstErasure: 1, newestRemovalKey: 0 });
        expect(await follower.carryOutErasures(Number.POSITIVE_INFINITY)).toBe(true);
        const page = await follower.read(START);
        expect(page.events.map(({ key }) => key)).toEqual([2, 3]);
        expect(page.removals).toEqual([{ key: 1, websiteKey: 1, keys: [1, 2, 4, 77] }]);
        expect(page.firstErasure).toBeUndefined();
        await expectRightCounts(db);
      });

      test('loses nothing when no erasure was ordered', async () => {
        const { log, follower } = await start();
        await log.append([newEvent()]);
        await follower.orderErasure(1, []);
        expect(await follower.carryOutErasures(0)).toBe(true);
        expect(await follower.read(START)).toMatchObject({ newestRemovalKey: 0, events: [{ key: 1 }] });
      });

      test('list by list, each as of one moment with its removal, until the deadline', async () => {
        const { db, follower, follow } = await start();
        await fill(db, 2 * LIST + 10);
        const all = range(1, 2 * LIST + 11);
        const other = await follow();
        await follower.orderErasure(1, all.slice(10));
        const left: number[] = [];
        for (let isDone = false; !isDone; ) {
          isDone = await follower.carryOutErasures(PAST); // one list
          const page = await other.read(START);
          expect(ascending([...removedIn(page), ...keysOf(page)])).toEqual(all);
          expect(page.firstErasure === undefined).toBe(isDone);
          await expectRightCounts(db);
          left.push(page.events.length);
        }
        expect(left).toEqual([LIST + 10, 10]);
      });

      test.each([0, 1, 2, 3])(
        'completes when the requesting process is gone after %d of 3 lists',
        async (done) => {
          const { db, follower, follow } = await start();
          await fill(db, 2 * LIST + 20);
          await follower.orderErasure(1, range(11, 2 * LIST + 21));
          for (let list = 0; list < done; list += 1) await follower.carryOutErasures(PAST);
          const next = await follow();
          expect((await next.read(START)).firstErasure).toBe(done === 3 ? undefined : done + 1);
          expect(await next.carryOutErasures(Number.POSITIVE_INFINITY)).toBe(true);
          const page = await next.read(START);
          expect(keysOf(page)).toEqual(range(1, 11));
          expect(removedIn(page)).toEqual(range(11, 2 * LIST + 21));
          await expectRightCounts(db);
        },
      );

      test('ordered by two at once, each of them once', async () => {
        const { db, follower, follow } = await start();
        await fill(db, 2 * LIST);
        const other = await follow();
        await Promise.all([follower, other].map((one) => erase(one, 1, range(1, 2 * LIST + 1))));
        expect(await follower.read(START)).toMatchObject({ events: [], firstErasure: undefined });
        await expectRightCounts(db);
      });

      test('while others are appended, which never wait for more than a list', async () => {
        const { db, log, follower } = await start();
        const lists = 8;
        await fill(db, lists * LIST);
        await follower.orderErasure(1, range(1, lists * LIST + 1));
        const waiting = new Set<number>();
        let isDone = false;
        const working = follower.carryOutErasures(Number.POSITIVE_INFINITY).then(() => {
          isDone = true;
        });
        while (!isDone) {
          await withBusyRetry(() => log.append([newEvent()]), { longestPauseMs: INGEST_PAUSE_MS });
          waiting.add((await db.all(sql`select key from erasures`)).length);
          await setImmediate(); // as between requests
        }
        await working;
        // Between any two lists there was room for at least one.
        expect([...waiting].filter((left) => left > 0 && left < lists).length).toBeGreaterThan(lists / 2);
        await expectRightCounts(db);
      });

      test('for good: their keys are not given out again', async () => {
        const { log, follower } = await start();
        await log.append([newEvent(), newEvent(), newEvent()]);
        await erase(follower, 1, [2, 3]);
        expect(await follower.read(START)).toMatchObject({ newestEventKey: 3, events: [{ key: 1 }] });
        await log.append([newEvent()]);
        expect(await follower.read(START)).toMatchObject({
          newestEventKey: 4,
          events: [{ key: 1 }, { key: 4 }],
        });
      });
    });
  });
}
