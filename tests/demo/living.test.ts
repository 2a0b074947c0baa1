import { afterAll, beforeAll, expect, test } from 'bun:test';
import { DEMO } from '../../src/demo/website.ts';
import { createTestService, type TestService, type User } from '../support/service.ts';

/** A demo continues while the service runs. It begins as a loaded one: the domain and the notes say that it is one. */

const MINUTE_MS = 60_000;
const LATE_MS = 60_000;

let service: TestService;
let user: User;
let trackingCode: string;
beforeAll(async () => {
  service = await createTestService();
  user = await service.addUser();
  trackingCode = (await add(user, DEMO)).trackingCode;
});
afterAll(() => service.close());

async function add({ apiKey }: User, website: object) {
  return (await service.send('POST', '/api/v1/websites', { token: apiKey, body: website })).body;
}

async function eventsOf(code: string, { apiKey }: User = user) {
  const path = `/api/v1/events?trackingCode=${code}&limit=1000`;
  const { body } = await service.send('GET', path, { token: apiKey });
  return body.events.map(({ createdAt }: { createdAt: string }) => Date.parse(createdAt)) as number[];
}

async function live(minutes: number): Promise<void> {
  for (let ticks = 0; ticks < minutes * 2; ticks += 1) {
    service.clock.advance(MINUTE_MS / 2);
    await service.livingDemos.tick();
  }
}

test('events come as time goes by, none of them from the future, and only to demos', async () => {
  const other = await service.addUser();
  const real = await add(other, { ...DEMO, description: 'A real website of that name' });
  await service.livingDemos.tick();
  expect(await eventsOf(trackingCode)).toEqual([]);
  await live(120);
  const times = await eventsOf(trackingCode);
  expect(times.length).toBeGreaterThan(20);
  expect(Math.max(...times)).toBeLessThanOrEqual(service.clock.now());
  expect(Math.min(...times)).toBeGreaterThan(service.clock.now() - 121 * MINUTE_MS);
  expect(await eventsOf(real.trackingCode, other)).toEqual([]);
});

test('a demo continues the next day', async () => {
  service.clock.advance(25 * 60 * MINUTE_MS);
  await service.livingDemos.tick(); // what is late is left out
  await live(120);
  const since = service.clock.now() - 120 * MINUTE_MS - LATE_MS;
  const times = await eventsOf(trackingCode);
  expect(times.filter((atMs) => atMs > since).length).toBeGreaterThan(20);
  expect(times.filter((atMs) => atMs <= since && atMs > since - 22 * 60 * MINUTE_MS)).toEqual([]);
});

test('one that is deleted gets no more', async () => {
  const { body } = await service.send('GET', '/api/v1/websites', { token: user.apiKey });
  await service.send('DELETE', `/api/v1/websites/${body.websites[0].id}`, { token: user.apiKey });
  await live(30);
  expect(service.errors).toEqual([]);
});
