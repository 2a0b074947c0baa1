import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { createClickHouseAnalytics } from '../../src/analytics/clickhouse/engine.ts';
import { keyAt } from '../../src/log/clickhouse/keys.ts';
import { takeBackRepeats } from '../../src/log/clickhouse/stored-ids.ts';
import type { EventPosition } from '../../src/log/event.ts';
import { openEvents } from '../../src/storage/clickhouse.ts';
import { type ClickHouse, hasClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { eventFor } from '../support/event.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { createTestService, type TestService } from '../support/service.ts';

/** Behaviour outside the contract: the service while its server is away, and several at one server. */

let started: Promise<ClickHouse> | undefined;
const clickHouse = () => (started ??= startClickHouse());
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
afterAll(async () => (await started)?.stop());

async function open(url: string, ...more: Parameters<typeof createTestService>): Promise<TestService> {
  const eventsServer = await openEvents({ url, caFile: undefined });
  opened.push(eventsServer);
  const [settings, deps] = more;
  const service = await createTestService(settings, { ...deps, eventsServer });
  opened.push(service);
  return service;
}

async function setUp() {
  const server = await clickHouse();
  const url = await server.createDatabase();
  const service = await open(url, {}, { metricsToken: 'a token for Prometheus' });
  const { apiKey } = await service.addUser();
  const website = await service.addWebsite(apiKey);
  const submit = (more: object = {}) =>
    service.send('POST', '/api/v1/events', { body: { ...eventFor(website.trackingCode), ...more } });
  const total = async () =>
    (await service.send('GET', `/api/v1/events?trackingCode=${website.trackingCode}`, { token: apiKey })).body
      .pagination.total;
  return { server, url, service, apiKey, website, submit, total };
}

describe.if(hasClickHouse)('with EVENTS_URL', () => {
  test('an event is refused with 503 while the server is away, and taken when it is back', async () => {
    const { server, service, submit, total } = await setUp();
    expect((await submit()).status).toBe(201);
    await server.kill();
    const refused = await submit();
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('2');
    service.clock.advance(5_000);
    const health = await service.send('GET', '/api/health', { token: 'a token for Prometheus' });
    expect(health.status).toBe(503);
    expect(health.body.reasons).toContain('The server of the events does not work: it does not answer');
    expect(health.body.checks.events).toMatchObject({ ok: false, engine: 'clickhouse' });
    await server.start();
    expect((await submit()).status).toBe(201);
    expect(await total()).toBe(2);
    service.clock.advance(5_000);
    expect(
      (await service.send('GET', '/api/health', { token: 'a token for Prometheus' })).body.checks.events,
    ).toMatchObject({ ok: true });
  });

  test('health and metrics say which engine it is', async () => {
    const { service } = await setUp();
    const { body } = await service.send('GET', '/api/health', { token: 'a token for Prometheus' });
    expect(body.checks).not.toHaveProperty('statistics');
    expect(body.checks.events.engine).toBe('clickhouse');
    const { text } = await service.send('GET', '/metrics', { token: 'a token for Prometheus' });
    expect(text).toContain('pagemeter_events_engine_info{engine="clickhouse"} 1\n');
    expect(text).toContain('pagemeter_events_server_up 1\n');
  });

  test('metrics say how long events have waited for the server, and how many were refused', async () => {
    const { server, service, submit } = await setUp();
    async function metric(name: string): Promise<number> {
      const { text } = await service.send('GET', '/metrics', { token: 'a token for Prometheus' });
      const line = text.split('\n').find((one) => one.startsWith(`pagemeter_${name} `));
      return Number(line?.split(' ').at(-1));
    }
    expect(await metric('ingest_lag_seconds')).toBe(0);
    server.freeze();
    const waiting = submit();
    while ((await metric('ingest_queue_events')) === 0) await Bun.sleep(5);
    service.clock.advance(3_000);
    const lag = await metric('ingest_lag_seconds');
    server.thaw();
    await waiting;
    expect(lag).toBe(3);
    expect(await metric('ingest_lag_seconds')).toBe(0);

    const before = await metric('events_total{outcome="unavailable"}');
    await server.kill();
    expect((await submit()).status).toBe(503);
    await server.start();
    expect(await metric('events_total{outcome="unavailable"}')).toBe(before + 1);
  });

  test('an event that is sent again is stored once, and answered like the first', async () => {
    const { submit, total, service } = await setUp();
    const id = crypto.randomUUID();
    const first = await submit({ id });
    service.clock.advance(60_000);
    const again = await submit({ id, url: 'https://example.com/other' });
    expect(again.body).toEqual(first.body);
    expect(await total()).toBe(1);
  });

  test('an insert whose answer is lost is sent again, and stored once', async () => {
    const server = await clickHouse();
    const direct = new URL(await server.createDatabase());
    const proxy = await startFaultyProxy(`http://${direct.host}`);
    const { host } = new URL(proxy.url);
    const service = await open(Object.assign(new URL(direct), { host }).href);
    opened.push({ close: async () => proxy.stop() });
    const { apiKey } = await service.addUser();
    const { trackingCode } = await service.addWebsite(apiKey);
    const rows = () => server.command(`SELECT count() FROM ${direct.pathname.slice(1)}.events`);
    for (const [index, fault] of (['cut after', 'cut before'] as const).entries()) {
      let requests = 0;
      // Those of an event are a look, its place, and the event itself.
      proxy.onRequest(() => {
        requests += 1;
        return requests === 3 ? fault : undefined;
      });
      const { status } = await service.send('POST', '/api/v1/events', { body: eventFor(trackingCode) });
      expect({ status, rows: await rows() }).toEqual({ status: 201, rows: `${index + 1}\n` });
      expect(requests).toBeGreaterThan(3);
    }
  });

  test('an event that two processes stored in the same moment is removed by the process that sees it twice', async () => {
    const { url, submit, total, service } = await setUp();
    const id = crypto.randomUUID();
    await submit({ id });
    await submit();
    const events = await openEvents({ url, caFile: undefined });
    opened.push(events);
    // As the other process would have stored it, which did not find it a moment ago.
    await events.command({
      text: `INSERT INTO events SELECT * REPLACE (key + 1000 AS key) FROM events WHERE id = '${id}'`,
    });
    expect(await total()).toBe(3);
    expect(await takeBackRepeats(events, { sinceKey: keyAt(service.clock.now() - 1_000) })).toBe(1);
    expect(await total()).toBe(2);
    expect(await takeBackRepeats(events, { sinceKey: 0 })).toBe(0);
  });

  test('goals that have more values than the server takes by itself are counted', async () => {
    const { url, submit, service } = await setUp();
    await submit({ url: 'https://example.com/shop/7' });
    const server = await openEvents({ url, caFile: undefined });
    opened.push(server);
    const toFilter = (values: string[]) =>
      ({ op: 'match', dimension: 'page', operator: 'starts_with', values }) as const;
    const none = Array.from({ length: 100 }, (_, goal) => toFilter(Array(70).fill(`/none/${goal}`)));
    const now = service.clock.now();
    const answer = await createClickHouseAnalytics({ server, now: Date.now }).conditions({
      websiteKey: 1,
      fromMs: now - 1_000,
      toMs: now + 1_000,
      conditions: [...none, toFilter(['/shop'])],
    });
    expect(answer.rows.map(({ events }) => events)).toEqual([...none.map(() => 0), 1]);
  }, 60_000);

  test('events that two processes gave one place are all listed and exported, page by page', async () => {
    const { url, submit, service, apiKey, website } = await setUp();
    await submit({ visitorId: 'v' });
    const events = await openEvents({ url, caFile: undefined });
    opened.push(events);
    await events.command({
      text: 'INSERT INTO events SELECT events.* REPLACE (generateUUIDv4(n.number) AS id) FROM events CROSS JOIN numbers(4) AS n',
    });
    const rows = await events.read<[id: string]>({ text: 'SELECT id FROM events ORDER BY id' });
    const ids = rows.map(([id]) => id);
    expect(new Set(ids).size).toBe(5);

    const listed: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = cursor === '' ? '' : `&cursor=${cursor}`;
      const path = `/api/v1/events?trackingCode=${website.trackingCode}&limit=2${page}`;
      const { body } = await service.send('GET', path, { token: apiKey });
      listed.push(...body.events.map(({ id }: { id: string }) => id));
      cursor = body.pagination.nextCursor;
    }
    expect(listed).toEqual(ids.toReversed());

    const analytics = createClickHouseAnalytics({ server: events, now: Date.now });
    const exported: string[] = [];
    let after: EventPosition | undefined;
    do {
      const page = await analytics.exportVisitor({ websiteKey: 1, visitorId: 'v', after, limit: 2 });
      exported.push(...page.events.map(({ id }) => id));
      after = page.next;
    } while (after);
    expect(exported).toEqual(ids);
  });

  test('of two events that two processes gave one place, the one with the lower id is the first of the visit', async () => {
    const { url, submit, service, apiKey, website } = await setUp();
    await submit({ id: '00000000-0000-4000-8000-000000000002', url: 'https://example.com/a' });
    const events = await openEvents({ url, caFile: undefined });
    opened.push(events);
    // By their pages they would be the other way round.
    await events.command({
      text: `INSERT INTO events
        SELECT * REPLACE (toUUID('00000000-0000-4000-8000-000000000001') AS id, '/z' AS page) FROM events`,
    });
    for (const [dimension, page] of [
      ['entryPage', '/z'],
      ['exitPage', '/a'],
    ]) {
      const path = `/api/v1/websites/${website.id}/stats/breakdown?dimension=${dimension}`;
      const { body } = await service.send('GET', path, { token: apiKey });
      expect(body.rows.map(({ value }: { value: string }) => value)).toEqual([page]);
    }
    const { body } = await service.send('GET', `/api/v1/websites/${website.id}/sessions`, { token: apiKey });
    expect(body.sessions).toMatchObject([{ entryPage: '/z', exitPage: '/a' }]);
  });
});
