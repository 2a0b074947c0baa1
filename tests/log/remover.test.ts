import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { forgetOldRemovals } from '../../src/log/removal.ts';
import { createEventRemover } from '../../src/log/remover.ts';
import { ON_A_SERVER } from '../support/sqld.ts';
import { DAY_MS, newEvent, START_DAY, START_MS } from './events.ts';
import { expectRightCounts, START } from './following.ts';
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
  describe.if(open !== undefined)(`from the log ${where}`, () => {
    /** Two events a day for five days, of the website 1, and one of the website 2. */
    async function start() {
      if (!open) throw new Error('There is no server');
      const stage = await open();
      closes.push(stage.close);
      const days = [0, 1, 2, 3, 4].flatMap((day) => [
        newEvent({ createdAtMs: START_MS + day * DAY_MS, eventType: 'pageview' }),
        newEvent({ createdAtMs: START_MS + (day + 1) * DAY_MS - 1 }),
      ]);
      await stage.log.append([newEvent({ websiteKey: 2 }), ...days]);
      const follower = await stage.follow();
      let isCutOff = false;
      const remover = createEventRemover({
        db: stage.db,
        stepRows: 2,
        rest: () => (isCutOff ? Promise.reject(new Error('stopped')) : Promise.resolve()),
      });
      return {
        ...stage,
        remover,
        cutOff(is: boolean) {
          isCutOff = is;
        },
        async left() {
          const { events, removals } = await follower.read(START);
          return { keys: events.map(({ key }) => key), removals };
        },
      };
    }

    test('the days before one go in steps, of which the last says so', async () => {
      const { db, remover, cutOff, left } = await start();
      cutOff(true);
      await expect(remover.removeBefore(1, START_DAY + 2)).rejects.toThrow('stopped');
      expect(await left()).toEqual({ keys: [1, 4, 5, 6, 7, 8, 9, 10, 11], removals: [] });
      await expectRightCounts(db);
      cutOff(false);
      await remover.removeBefore(1, START_DAY + 2);
      expect(await left()).toEqual({
        keys: [1, 6, 7, 8, 9, 10, 11],
        removals: [{ key: 1, websiteKey: 1, beforeDay: START_DAY + 2 }],
      });
      await expectRightCounts(db);
    });

    test('it is known whether there is something before a day', async () => {
      const { remover } = await start();
      expect(await remover.hasBefore(1, START_DAY)).toBe(false);
      expect(await remover.hasBefore(1, START_DAY + 1)).toBe(true);
      expect(await remover.hasBefore(3, START_DAY + 1)).toBe(false);
    });

    test('all of a website goes in steps, with its counts', async () => {
      const { db, remover, left } = await start();
      await remover.removeAll(1);
      expect(await left()).toEqual({ keys: [1], removals: [{ key: 1, websiteKey: 1 }] });
      expect(await db.all(sql`select website_key, count from event_counts`)).toEqual([
        { website_key: 2, count: 1 },
      ]);
    });

    test('a removal is forgotten after a month', async () => {
      const { db, remover, left } = await start();
      await remover.removeBefore(1, START_DAY + 1);
      await remover.removeAll(2);
      const nowMs = Date.now();
      await db.run(sql`update removals set removed_at_ms = ${nowMs - 30 * DAY_MS - 1} where key = 1`);
      await db.run(sql`update removals set removed_at_ms = ${nowMs - 30 * DAY_MS} where key = 2`);
      await forgetOldRemovals(db, nowMs);
      expect((await left()).removals).toEqual([{ key: 2, websiteKey: 2 }]);
    });
  });
}
