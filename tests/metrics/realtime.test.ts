import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
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

  test('names a faulty parameter as any other route', async () => {
    expect((await service.ask('/stats/realtime/stream?traffic=robots')).status).toBe(400);
  });
});
