import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { openEvents } from '../../src/storage/clickhouse.ts';
import { fillUp, mountSmallDisk } from '../faults/stage/small-disk.ts';
import { type ClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { eventFor } from '../support/event.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { createTestService } from '../support/service.ts';
import { isOnClickHouse } from '../support/test-events.ts';

setDefaultTimeout(120_000);

/** A server that is there and does not do its work, or not in time. */

/** More than anybody who sends events waits for. */
const TOO_LATE_MS = 11_000;
const isRoot = process.getuid?.() === 0;

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

async function startServer(disk?: string): Promise<ClickHouse> {
  const server = await startClickHouse(disk);
  opened.push(() => server.stop());
  return server;
}

async function startProxy(url: string, delayMs: number) {
  const { host } = new URL(url);
  const proxy = await startFaultyProxy(`http://${host}`, delayMs);
  opened.push(() => proxy.stop());
  return { proxy, proxied: Object.assign(new URL(url), { host: new URL(proxy.url).host }).href };
}

async function serve(url: string) {
  const eventsServer = await openEvents({ url, caFile: undefined });
  opened.push(() => eventsServer.close());
  const service = await createTestService({}, { eventsServer, metricsToken: 'look-inside' });
  opened.push(() => service.close());
  const { apiKey } = await service.addUser();
  const { trackingCode } = await service.addWebsite(apiKey);
  const list = () => service.send('GET', `/api/v1/events?trackingCode=${trackingCode}`, { token: apiKey });
  return {
    health: () => service.send('GET', '/api/health', { token: 'look-inside' }),
    submit: (id: string) => service.send('POST', '/api/v1/events', { body: eventFor(trackingCode, { id }) }),
    list,
    total: async () => (await list()).body.pagination.total,
  };
}

const REFUSED = { status: 503, body: { error: 'SERVICE_UNAVAILABLE' } };

describe.if(isOnClickHouse)('an event is refused with 503, and stored once when it is sent again,', () => {
  test.if(isRoot)('while the disk of the server is full, which still answers questions', async () => {
    const disk = mountSmallDisk('64m');
    opened.push(() => disk.unmount());
    const server = await startServer(disk.path);
    const { submit, total } = await serve(await server.createDatabase());
    const [stored, id] = [crypto.randomUUID(), crypto.randomUUID()];
    expect((await submit(stored)).status).toBe(201);
    const fill = fillUp(disk.path);
    const refused = await submit(id);
    expect(refused).toMatchObject(REFUSED);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await total()).toBe(1);
    fill.free();
    expect((await submit(id)).status).toBe(201);
    expect(await total()).toBe(2);
  });

  test('while the server is silent', async () => {
    const server = await startServer();
    const { submit, total } = await serve(await server.createDatabase());
    const id = crypto.randomUUID();
    server.freeze();
    const refused = await submit(id);
    server.thaw();
    expect(refused).toMatchObject(REFUSED);
    expect((await submit(id)).status).toBe(201);
    expect(await total()).toBe(1);
  });

  test('after health has reported it, while the server is silent', async () => {
    const server = await startServer();
    const { submit, health } = await serve(await server.createDatabase());
    server.freeze();
    const refused = submit(crypto.randomUUID());
    const first = await Promise.race([refused, health()]);
    server.thaw();
    expect(first).toMatchObject({ status: 503, body: { checks: { events: { ok: false } } } });
    await refused;
  });

  test('when the server stores it and says so too late', async () => {
    const server = await startServer();
    const url = await server.createDatabase();
    const { proxy, proxied } = await startProxy(url, TOO_LATE_MS);
    const { submit, total } = await serve(proxied);
    const id = crypto.randomUUID();
    let requests = 0;
    // Those of an event are a look, its place, and the event itself.
    proxy.onRequest(() => {
      requests += 1;
      return requests === 3 ? 'delay' : undefined;
    });
    expect(await submit(id)).toMatchObject(REFUSED);
    expect(await server.command(`SELECT count() FROM ${new URL(url).pathname.slice(1)}.events`)).toBe('1\n');
    expect((await submit(id)).status).toBe(201);
    expect(await total()).toBe(1);
  });
});

test.if(isOnClickHouse).each([
  [201, 'QUOTA_EXCEEDED'],
  [307, 'TOO_MANY_BYTES'],
  [745, 'SERVER_OVERLOADED'],
])('events and questions are refused with 503 while the server says %d, %s', async (code, name) => {
  const server = await startServer();
  const url = new URL(await server.createDatabase());
  const { host } = url;
  let isRefusing = false;
  const between = Bun.serve({
    port: 0,
    async fetch(request) {
      if (isRefusing)
        return new Response(`Code: ${code}. DB::Exception: Not now. (${name})`, { status: 500 });
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      return fetch(`http://${host}${pathname}${search}`, { method, headers, body: await request.text() });
    },
  });
  opened.push(() => between.stop(true));
  url.host = `127.0.0.1:${between.port}`;
  const { submit, list, total } = await serve(url.href);
  const id = crypto.randomUUID();
  isRefusing = true;
  expect(await submit(id)).toMatchObject(REFUSED);
  expect(await list()).toMatchObject(REFUSED);
  isRefusing = false;
  expect((await submit(id)).status).toBe(201);
  expect(await total()).toBe(1);
});

test.if(isOnClickHouse)('a server that takes its time is waited for', async () => {
  const server = await startServer();
  const { proxy, proxied } = await startProxy(await server.createDatabase(), 500);
  const { submit, total } = await serve(proxied);
  proxy.onRequest(() => 'delay');
  expect((await submit(crypto.randomUUID())).status).toBe(201);
  expect(await total()).toBe(1);
});
