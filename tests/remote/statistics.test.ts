import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { statisticsPath } from '../../src/analytics/embedded/open.ts';
import { createCleaner } from '../../src/websites/cleaner.ts';
import { eventFor } from '../support/event.ts';
import { followOn } from '../support/follow-on.ts';
import { onceRead } from '../support/once-read.ts';
import { createDataDir } from '../support/process.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';

const sqld: Sqld | undefined = await startSqld();
const DAY_MS = 86_400_000;
const VISITOR = '8c1f6a52-3a6e-4a43-9c4b-0f6f2f0f6a11';
const OTHER = '5d0c8a10-6f57-4bb2-8f6b-f9a3a4a3c0de';

/** Each process has statistics of its own, made from the log that they share. */
describe.if(sqld !== undefined)('the statistics of processes that share a libSQL server', () => {
  const database = { kind: 'remote', url: sqld?.url ?? '', authToken: undefined } as const;
  const dirs = [createDataDir(), createDataDir(), createDataDir()];
  let one: TestService;
  let other: TestService;
  let token: string;
  let domains = 0;

  const start = (dataDir = '') => createTestService({ database, dataDir, maxEventAgeDays: 400 });
  beforeAll(async () => {
    [one, other] = [await start(dirs[0]?.path), await start(dirs[1]?.path)];
    token = (await one.signUp()).token;
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await sqld?.stop();
    for (const dir of dirs) dir.remove();
  });

  /** A website of its own for a test, and what the processes say of it. */
  async function site() {
    domains += 1;
    const website = await one.addWebsite(token, `https://site-${domains}.example.com`);
    const base = `/api/v1/websites/${website.id}`;
    return {
      ...website,
      base,
      async send(service: TestService, ...events: Record<string, unknown>[]) {
        const body = { events: events.map((event) => eventFor(website.trackingCode, event)) };
        expect((await service.send('POST', '/api/v1/events/batch', { body })).status).toBe(201);
      },
      async totals(service: TestService) {
        const path = `${base}/stats?period=12mo`;
        const { status, body } = await onceRead(() => service.send('GET', path, { token }));
        return status === 200 ? { visitors: body.visitors, pageviews: body.pageviews } : status;
      },
      get: (service: TestService, path: string) =>
        onceRead(() => service.send('GET', `${base}${path}`, { token })),
    };
  }
  const bothSay = async ({ totals }: Awaited<ReturnType<typeof site>>) => [
    await totals(one),
    await totals(other),
  ];

  test('have what any of them has acknowledged', async () => {
    const mine = await site();
    await mine.send(one, { visitorId: VISITOR }, { visitorId: OTHER });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 2 }));
    await mine.send(other, { visitorId: VISITOR });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 3 }));
  });

  test('have every event once when both take events at the same time', async () => {
    const mine = await site();
    const rounds = Array.from({ length: 20 }, (_, round) =>
      Promise.all(
        [one, other].map((service, index) =>
          mine.send(
            service,
            ...Array.from({ length: 5 }, (_, n) => ({ visitorId: `v${round} ${index} ${n}` })),
          ),
        ),
      ).then(() => Promise.all([mine.totals(one), mine.totals(other)])),
    );
    await Promise.all(rounds);
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 200, pageviews: 200 }));
  });

  test('forget a visitor whom one of them erases, and count one who returns as new', async () => {
    const mine = await site();
    await mine.send(one, { visitorId: VISITOR }, { visitorId: OTHER }, { visitorId: VISITOR });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 3 }));
    const erased = await one.send('DELETE', `${mine.base}/visitors/${VISITOR}`, { token });
    expect(erased).toMatchObject({ status: 200, body: { eventsRemoved: 2 } });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 1, pageviews: 1 }));
    for (const service of [one, other]) {
      expect((await mine.get(service, `/visitors/${VISITOR}`)).status).toBe(404);
      expect((await mine.get(service, '/visitors')).body.pagination.total).toBe(1);
    }
    const list = await other.send('GET', `/api/v1/events?trackingCode=${mine.trackingCode}`, { token });
    expect(list.body.pagination.total).toBe(1);
    await mine.send(other, { visitorId: VISITOR });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 2 }));
  });

  test('lose also what the other has not been asked about since, when it starts', async () => {
    const mine = await site();
    await mine.send(one, { visitorId: OTHER }, { visitorId: 'a visitor in words' });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 2 }));
    await other.close();
    expect(holds(dirs[1]?.path, 'a visitor in words')).toBe(true);
    await one.send('DELETE', `${mine.base}/visitors/a%20visitor%20in%20words`, { token });
    other = await start(dirs[1]?.path);
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 1, pageviews: 1 }));
  });

  test('lose the days that a website no longer keeps', async () => {
    const mine = await site();
    const nowMs = one.clock.now();
    await mine.send(one, { timestamp: nowMs - 40 * DAY_MS }, { timestamp: nowMs });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 1, pageviews: 2 }));
    await one.send('PATCH', `${mine.base}/settings`, { token, body: { retentionDays: 30 } });
    await one.cleaner.wake();
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 1, pageviews: 1 }));
  });

  test('lose what is removed in several steps by a process that is asked in between', async () => {
    const mine = await site();
    const nowMs = one.clock.now();
    const old = Array.from({ length: 30 }, (_, n) => ({
      timestamp: nowMs - 40 * DAY_MS,
      visitorId: `v${n}`,
    }));
    await mine.send(one, ...old, { timestamp: nowMs });
    await one.send('PATCH', `${mine.base}/settings`, { token, body: { retentionDays: 30 } });
    const late = await start(dirs[2]?.path);
    const cleaner = createCleaner({
      db: one.db,
      now: one.clock.now,
      onError: (error) => {
        throw error;
      },
      stepRows: 10,
      // Reads what is left of the old events, after it received the removal of the others.
      pause: () => mine.totals(late),
    });
    await cleaner.wake();
    expect([...(await bothSay(mine)), await mine.totals(late)]).toEqual(
      Array(3).fill({ visitors: 1, pageviews: 1 }),
    );
    await late.close();
  });

  test('lose a website that is deleted', async () => {
    const mine = await site();
    await mine.send(one, { visitorId: 'of the deleted website' });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 1, pageviews: 1 }));
    await other.send('DELETE', mine.base, { token });
    expect(await bothSay(mine)).toEqual([404, 404]);
    const isGone = async () => {
      const rows = await one.db.all(sql`select 1 from websites where id = ${mine.id}`);
      return rows.length === 0;
    };
    while (!(await isGone())) await new Promise(setImmediate);
    await one.close();
    expect(holds(dirs[0]?.path, 'of the deleted website')).toBe(true);
    one = await start(dirs[2]?.path); // statistics elsewhere
    await followOn(statisticsPath(dirs[0]?.path ?? ''), one.db.$client);
    expect(holds(dirs[0]?.path, 'of the deleted website')).toBe(false);
    await one.close();
    one = await start(dirs[0]?.path);
  });

  test('are the same in a process that joins later', async () => {
    const mine = await site();
    const events = Array.from({ length: 900 }, (_, n) => ({
      visitorId: `v${n % 70}`,
      url: `https://example.com/${n % 9}`,
      timestamp: one.clock.now() - (n % 20) * DAY_MS,
      // Long enough that the server refuses to send a page of them in one answer.
      properties: { text: String(n).repeat(5_000) },
    }));
    for (let from = 0; from < 900; from += 100) await mine.send(one, ...events.slice(from, from + 100));
    const late = await start(dirs[2]?.path);
    const paths = ['/stats?period=30d', '/stats/breakdown?dimension=page&period=30d', '/visitors?period=30d'];
    for (const path of paths)
      expect((await mine.get(late, path)).body).toEqual((await mine.get(one, path)).body);
    expect(await mine.totals(late)).toEqual({ visitors: 70, pageviews: 900 });
    await late.close();
  }, 60_000);

  test('answer 503 while the server is away, and go on when it is back', async () => {
    const mine = await site();
    await mine.send(one, { visitorId: VISITOR });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 1, pageviews: 1 }));
    await sqld?.kill();
    for (const service of [one, other])
      expect((await service.send('GET', `${mine.base}/stats`, { token })).status).toBe(503);
    await sqld?.start();
    await mine.send(other, { visitorId: OTHER });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 2 }));
  }, 60_000);

  test('start again on a log that is not the one they were made from', async () => {
    const mine = await site();
    await mine.send(one, { visitorId: VISITOR });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 1, pageviews: 1 }));
    await one.db.run(sql`update analytics_state set value = value + 1 where name = 'log'`);
    await one.db.run(
      sql`delete from events where website_key = (select key from websites where id = ${mine.id})`,
    );
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 0, pageviews: 0 }));
  });

  test('wait for a replica that is behind what they have read, rather than start again', async () => {
    const mine = await site();
    await mine.send(one, { visitorId: VISITOR }, { visitorId: OTHER });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 2 }));
    await one.db.run(sql`update sqlite_sequence set seq = seq - 1 where name = 'events'`);
    await one.db.run(
      sql`delete from events where website_key = (select key from websites where id = ${mine.id})`,
    );
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 2 }));
    await one.db.run(sql`update sqlite_sequence set seq = seq + 1 where name = 'events'`);
    await mine.send(other, { visitorId: 'v' });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 3, pageviews: 3 }));
  });

  test('start again when removals are no longer on record that they have not seen', async () => {
    const mine = await site();
    await mine.send(one, { visitorId: VISITOR }, { visitorId: OTHER });
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 2, pageviews: 2 }));
    await one.send('DELETE', `${mine.base}/visitors/${VISITOR}`, { token });
    await one.db.run(sql`delete from removals`);
    expect(await bothSay(mine)).toEqual(Array(2).fill({ visitors: 1, pageviews: 1 }));
    expect([...one.errors, ...other.errors].filter((error) => !isAway(error))).toEqual([]);
  });
});

/** Recognises the errors of a server that is away. */
function isAway(error: unknown): boolean {
  return /ECONN|SERVER_ERROR|Unable to connect|socket/i.test(
    String(error instanceof Error ? (error.cause ?? error) : error),
  );
}

/** Whether a text stands in one of the files of a directory. */
function holds(directory = '', text: string): boolean {
  return readdirSync(directory)
    .filter((name) => name.startsWith('statistics.db'))
    .some((name) => readFileSync(join(directory, name)).includes(text));
}
