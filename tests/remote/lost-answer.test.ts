import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { type FaultyProxy, NETWORK_FAULTS, startFaultyProxy } from '../support/faulty-proxy.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';

const sqld: Sqld | undefined = await startSqld();

/** The service cannot know what became of its work. It must neither say that it is done nor do it twice. */
describe.if(sqld !== undefined)('a connection to the server that is lost', () => {
  let proxy: FaultyProxy;
  let service: TestService;
  let token: string;
  let trackingCode: string;

  beforeAll(async () => {
    proxy = await startFaultyProxy(sqld?.url ?? '');
    service = await createTestService({ database: { kind: 'remote', url: proxy.url, authToken: undefined } });
    token = (await service.signUp()).token;
    ({ trackingCode } = await service.addWebsite(token));
    await service.websites.findTracked(trackingCode); // remembered while the clock stands still
  });
  afterAll(async () => {
    await service.close();
    proxy.stop();
    await sqld?.stop();
  });

  const submit = (body: Record<string, unknown>) => service.send('POST', '/api/v1/events', { body });
  async function timesStored(visitorId: string) {
    const query = `trackingCode=${trackingCode}&visitorId=${visitorId}`;
    const { body } = await service.send('GET', `/api/v1/events?${query}`, { token });
    return { listed: body.events.length, counted: body.pagination.total };
  }
  const counter = async () =>
    (await service.send('GET', `/api/v1/events?trackingCode=${trackingCode}`, { token })).body.pagination
      .total;

  for (const fault of NETWORK_FAULTS) {
    test(`${fault}, once: the event is stored once and acknowledged`, async () => {
      const before = await counter();
      const visitorId = crypto.randomUUID();
      let requests = 0;
      proxy.onRequest(() => (requests++ === 0 ? fault : undefined));
      expect((await submit(eventFor(trackingCode, { visitorId }))).status).toBe(201);
      expect(requests).toBeGreaterThan(fault === 'delay' ? 0 : 1);
      expect(await timesStored(visitorId)).toEqual({ listed: 1, counted: 1 });
      expect(await counter()).toBe(before + 1);
    });
  }

  for (const fault of NETWORK_FAULTS.filter((name) => name !== 'delay')) {
    test(`${fault}, always: 503 with Retry-After, and a repeat with the same id is stored once`, async () => {
      const before = await counter();
      const visitorId = crypto.randomUUID();
      const event = eventFor(trackingCode, { visitorId, id: Bun.randomUUIDv7() });
      proxy.onRequest(() => fault);
      const refused = await submit(event);
      proxy.onRequest(() => undefined);
      expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
      expect(refused.headers.get('retry-after')).not.toBeNull();
      expect((await submit(event)).status).toBe(201);
      expect(await timesStored(visitorId)).toEqual({ listed: 1, counted: 1 });
      expect(await counter()).toBe(before + 1);
    });
  }
});
