import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, type TestService } from '../support/service.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';

const sqld: Sqld | undefined = await startSqld();
if (!sqld) console.log(`No libSQL server for ${process.platform}-${process.arch}: its tests are left out.`);

const VISITOR = '8c1f6a52-3a6e-4a43-9c4b-0f6f2f0f6a11';

describe.if(sqld !== undefined)('on a remote libSQL server', () => {
  let one: TestService;
  let other: TestService;
  let token: string;
  let website: { id: string; trackingCode: string };

  beforeAll(async () => {
    const database = { kind: 'remote', url: sqld?.url ?? '', authToken: undefined } as const;
    // Two processes that start together: both migrate.
    [one, other] = await Promise.all([createTestService({ database }), createTestService({ database })]);
    token = (await one.signUp()).token;
    website = await one.addWebsite(token);
  });
  afterAll(async () => {
    await one.close();
    await other.close();
    await sqld?.stop();
  });

  const event = (changes: Record<string, unknown> = {}) =>
    eventFor(website.trackingCode, { visitorId: VISITOR, ...changes });
  const list = async (service: TestService, query = '') =>
    (await service.send('GET', `/api/v1/events?trackingCode=${website.trackingCode}${query}`, { token }))
      .body as {
      events: { id: string }[];
      pagination: { total: number };
    };

  test('an event that one process stored is read by the other', async () => {
    const id = Bun.randomUUIDv7();
    const properties = { plan: 'pro' };
    expect((await one.send('POST', '/api/v1/events', { body: event({ id, properties }) })).status).toBe(201);
    const read = await other.send('GET', `/api/v1/events/${id}`, { token });
    expect(read).toMatchObject({ status: 200, body: { id, properties, visitorId: VISITOR } });
  });

  test('addresses and client come back as they were sent', async () => {
    for (const fields of [
      {
        url: 'https://example.com/a',
        referrer: 'https://example.com/b',
        browser: 'Firefox',
        screen: '390x844',
      },
      {
        url: 'https://\uFEFFexample.com/',
        referrer: 'http://a.example/',
        browser: '\uFEFFNetscape',
        os: 'BeOS',
      },
    ]) {
      const id = Bun.randomUUIDv7();
      await one.send('POST', '/api/v1/events', { body: event({ id, ...fields }) });
      const read = await other.send('GET', `/api/v1/events/${id}`, { token });
      expect(read).toMatchObject({ status: 200, body: { id, ...fields } });
      const found = await list(other, `&url=${encodeURIComponent(fields.url)}`);
      expect(found.events).toMatchObject([{ id, ...fields }]);
    }
  });

  test('a repeat at the other process is stored once and counted once', async () => {
    const body = event({ id: Bun.randomUUIDv7(), url: 'https://example.com/first' });
    const before = (await list(one)).pagination.total;
    const answers = await Promise.all(
      [one, other, one, other].map((service) => service.send('POST', '/api/v1/events', { body })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const repeat = await other.send('POST', '/api/v1/events', {
      body: { ...body, url: 'https://example.com/second' },
    });
    expect(repeat.body).toMatchObject({ url: 'https://example.com/first' });
    expect((await list(other)).pagination.total).toBe(before + 1);
  });

  test('a batch is judged event by event', async () => {
    const answer = await one.send('POST', '/api/v1/events/batch', {
      body: { events: [event(), event({ url: 'x' }), event({ trackingCode: 'pm-unknown-1' }), event()] },
    });
    expect(answer).toMatchObject({ status: 207, body: { eventsCreated: 2, failed: 2 } });
  });

  test('events for a website that the other process has deleted are not stored', async () => {
    const gone = await one.addWebsite(token, 'https://gone.example.com');
    const body = event({ trackingCode: gone.trackingCode });
    expect((await one.send('POST', '/api/v1/events', { body })).status).toBe(201);
    await other.send('DELETE', `/api/v1/websites/${gone.id}`, { token });
    expect((await one.send('POST', '/api/v1/events', { body })).status).toBe(404);
  });

  test('a login is revoked for both', async () => {
    const person = await one.signUp();
    expect((await other.send('GET', '/api/v1/auth/me', { token: person.token })).status).toBe(200);
    await one.send('POST', '/api/v1/auth/logout', { token: person.token });
    expect((await other.send('GET', '/api/v1/auth/me', { token: person.token })).status).toBe(401);
  });

  test('the domain of a website is unique also in a race of two processes', async () => {
    const body = { name: 'Race', domain: 'https://race.example.com' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? one : other).send('POST', '/api/v1/websites', { token, body }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  });
});
