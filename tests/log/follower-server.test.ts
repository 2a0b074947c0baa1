import { afterAll, afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { followRemote } from '../../src/log/follower.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { ON_A_SERVER } from '../support/sqld.ts';
import { expectRightCounts, fill, keysOf, LIST, range, readAll, removedIn, START } from './following.ts';
import { type ServerStage, startServer } from './stages.ts';

setDefaultTimeout(60_000);

const server = await startServer();
afterAll(() => server?.stop());

const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
});

describe.if(server !== undefined)(`the log ${ON_A_SERVER}`, () => {
  async function start(): Promise<ServerStage> {
    if (!server) throw new Error('There is no server');
    const stage = await server.open();
    closes.push(stage.close);
    return stage;
  }

  test('is read in smaller pages when its rows are long', async () => {
    const { db, follow } = await start();
    const rows = 3_000;
    await db.run(sql`
      insert into events (event_id, website_key, created_at_ms, type, url, session_id, visitor_id, properties)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
      select randomblob(16), 1, i, 2, '/', 's', 'v', '{"a":"' || hex(zeroblob(4000)) || '"}' from n`);
    const follower = await follow();
    const pages = await readAll(follower);
    expect(pages.flatMap(keysOf)).toEqual(range(1, rows + 1));
    const keys = range(1, rows + 1).reverse();
    expect((await (await follow()).readKeys(keys)).map(({ key }) => key)).toEqual(keys);
  });

  describe.each(['cut before', 'cut after'] as const)('loses the connection at any request (%s)', (fault) => {
    async function startBehind(proxyOf: (proxy: FaultyProxy) => void) {
      const stage = await start();
      const target = new URL(stage.url);
      const proxy = await startFaultyProxy(`http://127.0.0.1:${target.port}`);
      closes.push(() => proxy.stop());
      proxyOf(proxy);
      const { port } = new URL(proxy.url);
      return { ...stage, follower: followRemote(await stage.connect(`http://${target.hostname}:${port}`)) };
    }

    test('once: an erasure is carried out all the same', async () => {
      for (let lost = 1, requests = lost; requests >= lost; lost += 1) {
        requests = 0;
        const { db, follower, follow } = await startBehind((proxy) => {
          proxy.onRequest(() => {
            requests += 1;
            return requests === lost ? fault : undefined;
          });
        });
        await fill(db, 2 * LIST + 10);
        await follower.orderErasure(1, range(11, 2 * LIST + 11));
        expect(await follower.carryOutErasures(Number.POSITIVE_INFINITY)).toBe(true);
        expect(keysOf(await (await follow()).read(START))).toEqual(range(1, 11));
        await expectRightCounts(db);
      }
    });

    test('for good: an erasure that was ordered is finished by another process, one that was not is not begun', async () => {
      const left = new Set<number>();
      for (let lost = 1, isLost = true; isLost; lost += 1) {
        let requests = 0;
        const { db, follower, follow } = await startBehind((proxy) => {
          proxy.onRequest(() => {
            requests += 1;
            return requests >= lost ? fault : undefined;
          });
        });
        await fill(db, 2 * LIST + 10);
        isLost = await follower
          .orderErasure(1, range(11, 2 * LIST + 11))
          .then(() => follower.carryOutErasures(Number.POSITIVE_INFINITY))
          .then(
            () => false,
            () => true,
          );
        const other = await follow();
        await expectRightCounts(db);
        expect(await other.carryOutErasures(Number.POSITIVE_INFINITY)).toBe(true);
        const page = await other.read(START);
        left.add(page.events.length);
        const removed = new Set(removedIn(page));
        expect(keysOf(page)).toEqual(range(1, 2 * LIST + 11).filter((key) => !removed.has(key)));
        await expectRightCounts(db);
      }
      expect([...left].sort()).toEqual(fault === 'cut before' ? [10, 2 * LIST + 10] : [10]);
    });
  });
});
