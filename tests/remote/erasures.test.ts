import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { TEST_START_MS } from '../support/clock.ts';
import { eventFor } from '../support/event.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { onceRead } from '../support/once-read.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';
import { createTestService, JWT_SECRET, type TestService, toAnswer } from '../support/service.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';

const sqld: Sqld | undefined = await startSqld();
const MINUTE_MS = 60_000;
/** Erased events: as many as take several transactions. */
const SPAM = 5_500;
const SPAM_OF_TWO_STEPS = 1_200;
const SPAM_OF_A_VISITOR = 10_500;
const KEPT = 40;
const FILTERS = [['is', 'page', ['/spam']]];

/** `far` reaches the server through a network that can fail; `near` is another process on the same server. */
describe.if(sqld !== undefined)('erasing in a log that processes share', () => {
  const dirs = [createDataDir(), createDataDir()];
  let proxy: FaultyProxy;
  let far: TestService;
  let near: TestService;
  let token: string;
  let apiKey: string;
  let domains = 0;

  const start = (url = '', dataDir = '') =>
    createTestService({ database: { kind: 'remote', url, authToken: undefined }, dataDir });
  beforeAll(async () => {
    proxy = await startFaultyProxy(sqld?.url ?? '');
    far = await start(proxy.url, dirs[0]?.path);
    near = await start(sqld?.url, dirs[1]?.path);
    ({ token, apiKey } = await near.signUp());
  });
  afterAll(async () => {
    await far.close();
    await near.close();
    proxy.stop();
    await sqld?.stop();
    for (const dir of dirs) dir.remove();
  });

  async function site() {
    domains += 1;
    const website = await near.addWebsite(token, `https://site-${domains}.example.com`);
    const base = `/api/v1/websites/${website.id}`;
    const key = sql`(select key from websites where id = ${website.id})`;
    async function totals(service: TestService) {
      const path = `${base}/stats?period=30d&traffic=all`;
      const { status, body } = await onceRead(() => service.send('GET', path, { token }));
      return status === 200 ? { visitors: body.visitors, events: body.events } : status;
    }
    return {
      ...website,
      base,
      totals,
      async send(...events: Record<string, unknown>[]) {
        const body = { events: events.map((event) => eventFor(website.trackingCode, event)) };
        expect((await near.send('POST', '/api/v1/events/batch', { body })).status).toBe(201);
      },
      /**
       * Straight into the log: many pageviews of `/spam`, each of a visitor of its own or all of one, and some of
       * `/kept`.
       */
      async fill(spam = SPAM, spammers: 'many' | 'one' = 'many') {
        const atMs = TEST_START_MS - 60 * MINUTE_MS;
        for (const [path, count, isOne] of [
          ['spam', spam, spammers === 'one'],
          ['kept', KEPT, false],
        ] as const)
          await near.db.run(sql`
            insert into events (event_id, website_key, created_at_ms, type, url, session_id, visitor_id)
            with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
            select randomblob(16), ${key}, ${atMs}, 0, ${`https://example.com/${path}`}, 's',
              ${path} || iif(${isOne}, '', i) from n`);
        await near.db.run(sql`insert into event_counts values (${key}, 0, ${spam + KEPT})`);
      },
      erase: (service: TestService, events: number, filters: unknown = FILTERS) =>
        service.send('POST', `${base}/erasures`, { token, body: { period: '30d', filters, events } }),
      eraseVisitor: (service: TestService) => service.send('DELETE', `${base}/visitors/spam`, { token }),
      /** State of the log and its counters. */
      async logged() {
        const [row] = await near.db.all<{ events: number; counted: number }>(sql`
          select (select count(*) from events where website_key = ${key}) as events,
            (select coalesce(sum(count), 0) from event_counts where website_key = ${key}) as counted`);
        return row;
      },
      async figures(service: TestService) {
        const paths = ['page', 'entryPage', 'exitPage', 'referrer', 'property:plan']
          .map((dimension) => `/stats/breakdown?dimension=${dimension}&period=30d`)
          .concat('/stats?period=30d', '/visitors?period=30d', '/stats/timeseries?period=30d&interval=hour');
        const answers = await Promise.all(
          paths.map((path) => onceRead(() => service.send('GET', `${base}${path}`, { token }))),
        );
        return answers.map(({ status, body }) => ({ status, body }));
      },
    };
  }
  const pendingLists = async () => (await near.db.all(sql`select key from erasures`)).length;

  const visitors = (...minutesAgo: [number, string][]) =>
    minutesAgo.map(([minutes, path]) => ({
      timestamp: TEST_START_MS - minutes * MINUTE_MS,
      url: `https://example.com${path}`,
    }));
  test.each([
    [
      'the first event of a visit, which said where it came from',
      visitors([50, '/spam'], [45, '/kept']).map((event, index) =>
        index === 0 ? { ...event, referrer: 'https://news.example/' } : event,
      ),
      { visits: 1, pageviews: 1 },
    ],
    [
      'the event that held a visit together',
      visitors([120, '/kept'], [100, '/spam'], [80, '/kept']),
      { visits: 2, pageviews: 2 },
    ],
    [
      'events of a visit across midnight',
      visitors(
        [12 * 60 + 10, '/kept'],
        [12 * 60 + 5, '/spam'],
        [12 * 60 - 5, '/kept'],
        [12 * 60 - 9, '/spam'],
      ),
      { visits: 1, pageviews: 2 },
    ],
    [
      'an event next to one with properties',
      visitors([30, '/spam'], [20, '/kept'], [10, '/spam']).map((event, index) => ({
        ...event,
        properties: { plan: `plan ${index}` },
      })),
      { visits: 1, pageviews: 1 },
    ],
    ['all of a visit', visitors([30, '/spam'], [20, '/spam']), { visits: 0, pageviews: 0 }],
  ])('leaves figures as of a log that never had %s', async (_what, events, expected) => {
    const mine = await site();
    await mine.send(...events);
    await Promise.all([mine.figures(near), mine.figures(far)]);
    const count = events.filter(({ url }) => url.endsWith('/spam')).length;
    expect(await mine.erase(far, count)).toMatchObject({ status: 200, body: { eventsRemoved: count } });
    const left = await mine.figures(near);
    expect(left.find(({ body }) => 'bounceRate' in body)).toMatchObject({ status: 200, body: expected });
    expect(await mine.figures(far)).toEqual(left);
    await near.analytics.rebuild();
    expect(await mine.figures(near)).toEqual(left);
  });

  test('takes what it counted, while another process takes in more of the same', async () => {
    const mine = await site();
    await mine.fill();
    expect(await mine.totals(near)).toEqual({ visitors: SPAM + KEPT, events: SPAM + KEPT });
    const more = Array.from({ length: 20 }, (_, n) => ({
      url: 'https://example.com/spam',
      visitorId: `late ${n}`,
    }));
    const [{ status, body }] = await Promise.all([
      mine.erase(far, SPAM + more.length),
      ...more.map((event) => mine.send(event)),
    ]);
    expect(status).toBe(200);
    const left = SPAM + KEPT + more.length - body.eventsRemoved;
    expect(left).toBeGreaterThanOrEqual(KEPT);
    expect(await mine.logged()).toEqual({ events: left, counted: left });
    expect([await mine.totals(near), await mine.totals(far)]).toEqual(
      Array(2).fill({ visitors: left, events: left }),
    );
    expect(await pendingLists()).toBe(0);
  });

  test('of the same events by two processes at once removes each once', async () => {
    const mine = await site();
    await mine.fill();
    const answers = await Promise.all([near, far].map((service) => mine.erase(service, SPAM)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await mine.logged()).toEqual({ events: KEPT, counted: KEPT });
    expect([await mine.totals(near), await mine.totals(far)]).toEqual(
      Array(2).fill({ visitors: KEPT, events: KEPT }),
    );
  });

  for (const fault of ['cut before', 'cut after'] as const)
    test(`takes all or nothing when the server is lost at any request (${fault}), as both processes say afterwards`, async () => {
      const spam = SPAM_OF_TWO_STEPS;
      const outcomes = new Set<number>();
      for (let lastRequest = 1; ; lastRequest += 1) {
        const mine = await site();
        await mine.fill(spam);
        await mine.totals(far);
        let requests = 0;
        proxy.onRequest(() => {
          requests += 1;
          return requests >= lastRequest ? fault : undefined;
        });
        const { status } = await mine.erase(far, spam);
        proxy.onRequest(() => undefined);
        const said = await mine.totals(far);
        const { events = -1 } = (await mine.logged()) ?? {};
        expect(said).toEqual({ visitors: events, events });
        expect(await mine.totals(near)).toEqual(said);
        expect(await mine.logged()).toEqual({ events, counted: events });
        expect([KEPT, KEPT + spam]).toContain(events);
        outcomes.add(events);
        if (requests < lastRequest) {
          expect({ status, events }).toEqual({ status: 200, events: KEPT });
          break;
        }
        // What was not refused is done.
        expect(status === 503 || events === KEPT).toBe(true);
      }
      expect(outcomes).toEqual(new Set([KEPT, KEPT + spam]));
      expect(await pendingLists()).toBe(0);
    }, 120_000);

  const WHO: [string, number, 'many' | 'one'][] = [
    ['of what a filter selects', SPAM, 'many'],
    ['of a visitor', SPAM_OF_A_VISITOR, 'one'],
  ];
  test.each(WHO)(
    '%s is finished by another process when the one that ordered it never comes back',
    async (_what, spam, spammers) => {
      const mine = await site();
      await mine.fill(spam, spammers);
      await mine.totals(far);
      let isBegun = false;
      proxy.onRequest(() => (isBegun ? 'cut before' : undefined));
      const watching = (async () => {
        while (!isBegun) isBegun = ((await mine.logged())?.events ?? 0) < spam + KEPT;
      })();
      const erasing = spammers === 'many' ? mine.erase(far, spam) : mine.eraseVisitor(far);
      const [{ status }] = await Promise.all([erasing, watching]);
      expect(status).toBe(503);
      expect(await pendingLists()).toBeGreaterThan(0);
      const left = (await mine.logged())?.events ?? 0;
      expect(left).toBeGreaterThan(KEPT);
      // The worker may be slow: a process that runs waits, one that starts does not.
      const visitors = spammers === 'many' ? left : KEPT + 1;
      expect(await mine.totals(near)).toEqual({ visitors, events: left });
      await far.close();
      proxy.onRequest(() => undefined);
      far = await start(proxy.url, dirs[0]?.path);
      expect(await mine.totals(far)).toEqual({ visitors: KEPT, events: KEPT });
      expect(await mine.totals(near)).toEqual({ visitors: KEPT, events: KEPT });
      expect(await mine.logged()).toEqual({ events: KEPT, counted: KEPT });
      expect(await pendingLists()).toBe(0);
    },
  );

  test.each(WHO)(
    '%s resumes at the next start of a process that was killed in the middle',
    async (_what, spam, spammers) => {
      const mine = await site();
      await mine.fill(spam, spammers);
      const dir = createDataDir();
      const launch = () => startProcess({ DATA_DIR: dir.path, DATABASE_URL: proxy.url, JWT_SECRET });
      const range = { from: '2026-11-20', to: '2026-11-20', timezone: 'UTC', traffic: 'all' };
      const ask = (service: ServiceProcess, path: string, given: { method?: string; body?: string } = {}) =>
        fetch(`${service.url}${mine.base}${path}`, {
          headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
          ...given,
        });
      const stats = async (service: ServiceProcess) => {
        const answer = await onceRead(async () =>
          toAnswer(await ask(service, `/stats?${new URLSearchParams(range)}`)),
        );
        return answer.body;
      };

      const first = await launch();
      expect(await stats(first)).toMatchObject({ events: spam + KEPT });
      let isBegun = false;
      proxy.onRequest(() => (isBegun ? 'cut before' : undefined));
      const body = JSON.stringify({ ...range, filters: FILTERS, events: spam });
      const erasing =
        spammers === 'many'
          ? ask(first, '/erasures', { method: 'POST', body })
          : ask(first, '/visitors/spam', { method: 'DELETE' });
      const answer = erasing.catch(() => 'killed');
      while (!isBegun) isBegun = ((await mine.logged())?.events ?? 0) < spam + KEPT;
      first.process.kill('SIGKILL');
      await first.process.exited;
      expect(await answer).toBe('killed');
      proxy.onRequest(() => undefined);
      expect(await pendingLists()).toBeGreaterThan(0);

      const second = await launch();
      expect(await stats(second)).toMatchObject({ events: KEPT });
      expect(await mine.totals(near)).toEqual({ visitors: KEPT, events: KEPT });
      expect(await mine.logged()).toEqual({ events: KEPT, counted: KEPT });
      expect(await pendingLists()).toBe(0);
      await second.stop();
      dir.remove();
    },
    60_000,
  );
});
