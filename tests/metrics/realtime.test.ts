import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createTestService } from '../support/service.ts';
import { type MetricsService, startMetrics } from './support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.track([
    { at: 10_000, visitor: 'a', page: '/a', country: 'DE', referrer: 'https://www.google.com/' },
    { at: 70_000, visitor: 'b', page: '/a' },
    { at: 5 * 60_000, visitor: 'too-long-ago', page: '/b', country: 'FR' },
  ]);
});
afterAll(() => service.close());

describe('GET …/stats/realtime', () => {
  test('answers who is online, 30 minutes, and lists of the last 5', async () => {
    const { minutes, ...rest } = await service.get('/stats/realtime');
    expect(rest).toEqual({
      at: '2026-11-20T12:00:00.000Z',
      windowMinutes: 5,
      visitors: 2,
      pages: [{ value: '/a', visitors: 2, events: 2 }],
      sources: [
        { value: null, visitors: 1, events: 1 },
        { value: 'Google', visitors: 1, events: 1 },
      ],
      countries: [
        { value: null, visitors: 1, events: 1 },
        { value: 'DE', visitors: 1, events: 1 },
      ],
      events: [],
    });
    // A list of minutes.
    const list = minutes as object[];
    expect(list).toHaveLength(30);
    expect(list[0]).toEqual({ time: '2026-11-20T11:30:00.000Z', visitors: 0, pageviews: 0, events: 0 });
    expect(list[29]).toEqual({ time: '2026-11-20T11:59:00.000Z', visitors: 1, pageviews: 1, events: 1 });
  });

  test('takes filters and a limit', async () => {
    expect(await service.get('/stats/realtime?limit=1&filters=[["is","country",["DE"]]]')).toMatchObject({
      visitors: 1,
      sources: [{ value: 'Google' }],
    });
  });
});

describe('GET …/stats/realtime/stream', () => {
  test('has 20 places for an account, and 10 for an address that watches a public website', async () => {
    const busy = await createTestService({ trustedProxies: 1 });
    const ada = await busy.addUser();
    const { id } = await busy.addWebsite(ada.apiKey);
    await busy.send('PATCH', `/api/v1/websites/${id}/settings`, {
      token: ada.apiKey,
      body: { isPublic: true },
    });
    const statusOf = async (address: string, token?: string) => {
      const response = await busy.app.handle(
        new Request(`http://localhost/api/v1/websites/${id}/stats/realtime/stream`, {
          headers: { 'X-Forwarded-For': address, ...(token !== undefined && { 'X-API-Key': token }) },
        }),
      );
      return response.status;
    };
    const times = async (count: number, ...by: Parameters<typeof statusOf>) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1) statuses.push(await statusOf(...by));
      return statuses;
    };
    expect(await times(21, '192.0.2.1', ada.apiKey)).toEqual([...new Array(20).fill(200), 429]);
    expect(await times(11, '192.0.2.1')).toEqual([...new Array(10).fill(200), 429]);
    expect(await times(11, '2001:db8::1')).toEqual([...new Array(10).fill(200), 429]);
    expect(await statusOf('2001:db8::2')).toBe(429);
    // A user who watches another owner's website is a stranger there.
    expect(await statusOf('192.0.2.1', (await busy.addUser()).apiKey)).toBe(429);
    expect(await statusOf('192.0.2.2')).toBe(200);
    busy.streams.close();
    await busy.close();
  });
});

describe('GET …/stats/realtime/stream over a connection', () => {
  test('sends a snapshot at once, and gives the place back when the client goes away', async () => {
    service.app.listen({ port: 0, hostname: '127.0.0.1' });
    const { server } = service.app;
    if (!server) throw new Error('The server did not start.');
    const leave = new AbortController();
    const response = await fetch(new URL(`${service.base}/stats/realtime/stream`, server.url), {
      headers: { Authorization: `Bearer ${service.ada.token}` },
      signal: leave.signal,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const { value } = (await response.body?.getReader().read()) ?? {};
    const [, data = ''] =
      /^retry: 2000\nevent: snapshot\ndata: (.*)\n\n$/.exec(new TextDecoder().decode(value)) ?? [];
    expect(JSON.parse(data)).toEqual(await service.get('/stats/realtime'));
    leave.abort();
    service.streams.close();
    await server.stop();
    expect(server.pendingRequests).toBe(0);
  });

  test('HEAD opens nothing', async () => {
    const { status, body } = await service.send('HEAD', `${service.base}/stats/realtime/stream`, {
      token: service.ada.token,
    });
    expect({ status, body }).toEqual({ status: 200, body: '' });
  });
});
