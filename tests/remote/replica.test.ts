import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { eventFor } from '../support/event.ts';
import { onceRead } from '../support/once-read.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { startSqld } from '../support/sqld.ts';

const primary = await startSqld({ isPrimary: true });
const replica = primary && (await startSqld({ primary }));

/**
 * A replica hands on what is written to the primary and is a few milliseconds behind it, also for the one who wrote. So
 * each of these looks until it sees; a test that never does runs into its time limit.
 */
describe.if(replica !== undefined)('a process at a replica of the server', () => {
  let near: TestService;
  let far: TestService;
  let token: string;
  let website: { id: string; trackingCode: string };

  beforeAll(async () => {
    const at = (url = '') => createTestService({ database: { kind: 'remote', url, authToken: undefined } });
    near = await at(primary?.url);
    token = (await near.signUp()).token;
    website = await near.addWebsite(token);
    far = await at(replica?.url);
    await until(async () => (await far.statusWith(token)) === 200);
  });
  afterAll(async () => {
    await near.close();
    await far.close();
    await replica?.stop();
    await primary?.stop();
  });

  const submit = (service: TestService, event: Record<string, unknown>) =>
    service.send('POST', '/api/v1/events', { body: eventFor(website.trackingCode, event) });
  const visitors = async (service: TestService) =>
    (await onceRead(() => service.send('GET', `/api/v1/websites/${website.id}/stats`, { token }))).body
      .visitors;

  test('stores an event at the primary, and comes to have it itself', async () => {
    const id = Bun.randomUUIDv7();
    expect((await submit(far, { id })).status).toBe(201);
    expect((await near.send('GET', `/api/v1/events/${id}`, { token })).status).toBe(200);
    await until(async () => (await far.send('GET', `/api/v1/events/${id}`, { token })).status === 200);
  });

  test('answers a repeat with what is stored, however far behind the replica is', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = Bun.randomUUIDv7();
      await submit(near, { id, url: 'https://example.com/first' });
      const repeat = await submit(far, { id, url: 'https://example.com/second' });
      expect(repeat).toMatchObject({ status: 201, body: { url: 'https://example.com/first' } });
    }
  });

  test('comes to the same figures, also after a visitor is erased at the other', async () => {
    await submit(near, { visitorId: 'to be erased' });
    await submit(far, { visitorId: 'to be kept' });
    expect(await visitors(near)).toBe(3);
    await until(async () => (await visitors(far)) === 3);
    const path = `/api/v1/websites/${website.id}/visitors`;
    expect((await far.send('DELETE', `${path}/to%20be%20erased`, { token })).status).toBe(200);
    expect(await visitors(near)).toBe(2);
    await until(async () => (await visitors(far)) === 2);
    expect((await near.send('DELETE', `${path}/to%20be%20kept`, { token })).status).toBe(200);
    await until(async () => (await visitors(far)) === 1);
  });

  test('erases what a filter selects at the primary, in many lists', async () => {
    const before = await visitors(near);
    const count = 3_000;
    await near.db.run(sql`
      insert into events (event_id, website_key, created_at_ms, type, url, session_id, visitor_id)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
      select randomblob(16), (select key from websites where id = ${website.id}), ${near.clock.now() - 1_000}, 0,
        'https://example.com/spam', 's', 'spam' || i from n`);
    await until(async () => (await visitors(far)) === before + count);
    const { status, body } = await far.send('POST', `/api/v1/websites/${website.id}/erasures`, {
      token,
      body: { period: '30d', filters: [['is', 'page', ['/spam']]], events: count },
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { eventsRemoved: count } });
    expect(await near.db.all(sql`select key from events where visitor_id like 'spam%'`)).toEqual([]);
    expect(await visitors(near)).toBe(before);
    await until(async () => (await visitors(far)) === before);
  });
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}
