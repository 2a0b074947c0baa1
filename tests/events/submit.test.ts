import { beforeAll, describe, expect, test } from 'bun:test';
import { eventFor } from '../support/event.ts';
import { createTestService, statusAndBody, type TestService } from '../support/service.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DAY_MS = 86_400_000;

let service: TestService;
let token: string;
let website: { id: string; trackingCode: string };

beforeAll(async () => {
  service = await createTestService();
  token = (await service.signUp()).token;
  website = await service.addWebsite(token);
});

const event = (changes: Record<string, unknown> = {}) => eventFor(website.trackingCode, changes);

function submit(body: unknown, headers: Record<string, string> = {}) {
  return service.send('POST', '/api/v1/events', { body, headers });
}

function read(id: unknown) {
  return service.send('GET', `/api/v1/events/${id}`, { token });
}

describe('POST /events stores an event', () => {
  test('answers 201 with what was supplied, without properties', async () => {
    const full = {
      referrer: 'https://news.example.org/today',
      deviceType: 'mobile',
      browser: 'Firefox',
      os: 'Android',
      location: 'PT',
      language: 'pt-PT',
      screen: '412x915',
    };
    const { status, body } = await submit(
      event({ ...full, timestamp: service.clock.now() - 1000, properties: { plan: 'pro' } }),
    );
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(UUID),
      websiteId: website.id,
      eventType: 'pageview',
      url: 'https://example.com/',
      sessionId: 'session-1',
      visitorId: 'visitor-1',
      ...full,
      createdAt: new Date(service.clock.now() - 1000).toISOString(),
    });
  });

  test('leaves out of the answer what was not supplied', async () => {
    const { body } = await submit(event(), {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
    });
    expect(Object.keys(body as object).toSorted()).toEqual([
      'createdAt',
      'eventType',
      'id',
      'sessionId',
      'url',
      'visitorId',
      'websiteId',
    ]);
  });

  test('fills in what was left out, shown when it is read', async () => {
    const { body } = await submit(event(), {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      'Accept-Language': 'de-AT,de;q=0.8,en;q=0.5',
    });
    const stored = await read((body as { id: string }).id);
    expect(stored.body).toMatchObject({
      browser: 'Firefox',
      os: 'Linux',
      deviceType: 'desktop',
      language: 'de-AT',
      properties: null,
    });
  });

  test('gives properties back as they were sent', async () => {
    const properties = {
      plan: 'pro',
      price: 9.5,
      tags: ['a', 'b'],
      nested: { on: true, none: null },
      ü: '\u0000\ud800',
    };
    const { body } = await submit(event({ eventType: 'custom', properties }));
    const stored = await read((body as { id: string }).id);
    expect((stored.body as { properties: unknown }).properties).toEqual({ ...properties, ü: '\u0000\ud800' });
  });

  test('answers half of a surrogate pair as it will be read', async () => {
    const sent = {
      url: 'https://example.com/\ud800',
      sessionId: 's\ud800',
      visitorId: '\udc00v',
      os: '\ud800',
    };
    const kept = {
      url: 'https://example.com/\ufffd',
      sessionId: 's\ufffd',
      visitorId: '\ufffdv',
      os: '\ufffd',
    };
    const { status, body } = await submit(event(sent));
    expect({ status, body }).toMatchObject({ status: 201, body: kept });
    expect((await read((body as { id: string }).id)).body).toMatchObject(kept);
  });

  test('takes an empty string in an optional field as absent', async () => {
    const empty = {
      referrer: '',
      deviceType: '',
      browser: '',
      os: '',
      location: '',
      language: '',
      screen: '',
      id: '',
    };
    const { status, body } = await submit(event(empty));
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('referrer');
    expect(body).not.toHaveProperty('deviceType');
  });

  test('takes null in an optional field as absent', async () => {
    const none = {
      referrer: null,
      deviceType: null,
      browser: null,
      os: null,
      location: null,
      language: null,
      screen: null,
      id: null,
      timestamp: null,
      properties: null,
    };
    const names = Object.keys(none);
    const { status, body } = await submit(
      event({ ...Object.fromEntries(names.map((name) => [name, undefined])) }),
    );
    const created = body as { id: string };
    const twin = await submit(event(none));
    const { id, ...rest } = twin.body as { id: string };
    expect({ status: twin.status, rest }).toEqual({ status, rest: { ...created, id: undefined } });
    const stored = (await read(id)).body;
    expect(stored).toEqual({ ...((await read(created.id)).body as object), id });
  });

  test('reads a text/plain body as JSON', async () => {
    const answer = await service.send('POST', '/api/v1/events', {
      rawBody: JSON.stringify(event()),
      headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
    });
    expect(answer.status).toBe(201);
  });

  test('ignores fields that it does not know', async () => {
    expect((await submit(event({ websiteId: 'other', createdAt: 'never', extra: [1] }))).status).toBe(201);
  });
});

describe('the time of an event', () => {
  const createdAt = async (timestamp: unknown) =>
    ((await submit(event({ timestamp }))).body as { createdAt?: string }).createdAt;

  test('is the timestamp that was sent', async () => {
    const atMs = service.clock.now() - 3 * DAY_MS;
    expect(await createdAt(atMs)).toBe(new Date(atMs).toISOString());
  });

  test('may be up to 5 minutes ahead, beyond that it is the server’s', async () => {
    const now = service.clock.now();
    expect(await createdAt(now + 300_000)).toBe(new Date(now + 300_000).toISOString());
    expect(await createdAt(now + 300_001)).toBe(new Date(now).toISOString());
    expect(await createdAt(8.64e15)).toBe(new Date(now).toISOString());
  });

  test('may be 30 days ago and no older', async () => {
    const oldest = service.clock.now() - 30 * DAY_MS;
    expect(await createdAt(oldest)).toBe(new Date(oldest).toISOString());
    expect(await submit(event({ timestamp: oldest - 1 }))).toMatchObject({
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        details: { fieldErrors: { timestamp: ['Must not be more than 30 days ago'] } },
      },
    });
  });

  test('may be any with an API key of the owner with scope events', async () => {
    const owner = await service.signUp();
    const { trackingCode } = await service.addWebsite(owner.token);
    const old = event({ trackingCode, timestamp: 1_000_000_000_000 });
    expect(await submit(old, { 'X-API-Key': owner.apiKey })).toMatchObject({
      status: 201,
      body: { createdAt: '2001-09-09T01:46:40.000Z' },
    });
    const stranger = await service.signUp();
    expect((await submit(old, { 'X-API-Key': stranger.apiKey })).status).toBe(400);
  });

  test('is refused when it is in seconds, with a key and without', async () => {
    const owner = await service.signUp();
    const { trackingCode } = await service.addWebsite(owner.token);
    const headers: Record<string, string>[] = [{}, { 'X-API-Key': owner.apiKey }];
    const now = Math.floor(service.clock.now() / 1_000);
    for (const [timestamp, key] of [now, now - 86_400, 1_000_000_000].flatMap((each) =>
      headers.map((header) => [each, header] as const),
    ))
      expect(await submit(event({ trackingCode, timestamp }), key)).toMatchObject({
        status: 400,
        body: {
          details: {
            fieldErrors: {
              timestamp: [`Must be in milliseconds since the epoch; ${timestamp} looks like seconds`],
            },
          },
        },
      });
    for (const timestamp of [0, 999_999_999, now * 10, -now])
      expect((await submit(event({ trackingCode, timestamp }), headers[1])).status).toBe(201);
  });

  test.each([
    ['behind by 40 days', -40 * DAY_MS],
    ['behind by 56 years, as without a battery', -56 * 365 * DAY_MS],
    ['ahead by a year', 365 * DAY_MS],
    ['behind by just more than 5 minutes', -300_001],
  ])('is corrected when the clock of its sender is wrong: %s', async (_name, errorMs) => {
    const now = service.clock.now();
    const sentAt = now + errorMs;
    const { body } = await submit(event({ timestamp: sentAt - 7_000, sentAt }));
    expect(body).toMatchObject({ createdAt: new Date(now - 7_000).toISOString() });
    expect(body).not.toHaveProperty('sentAt');
  });

  test('is not corrected for a difference of up to 5 minutes', async () => {
    const now = service.clock.now();
    for (const errorMs of [-300_000, 300_000, 0]) {
      const { body } = await submit(event({ timestamp: now - 7_000, sentAt: now + errorMs }));
      expect(body).toMatchObject({ createdAt: new Date(now - 7_000).toISOString() });
    }
  });

  test('is judged after the correction: no older than 30 days, no later than now', async () => {
    const sentAt = service.clock.now() - 365 * DAY_MS;
    expect(await submit(event({ timestamp: sentAt - 30 * DAY_MS - 1, sentAt }))).toMatchObject({
      status: 400,
      body: { details: { fieldErrors: { timestamp: ['Must not be more than 30 days ago'] } } },
    });
    const { body } = await submit(event({ timestamp: sentAt + 300_001, sentAt }));
    expect(body).toMatchObject({ createdAt: new Date(service.clock.now()).toISOString() });
  });

  test('is refused when no date can hold it after the correction', async () => {
    const owner = await service.signUp();
    const { trackingCode } = await service.addWebsite(owner.token);
    const impossible = event({ trackingCode, timestamp: -8.64e15, sentAt: 8.64e15 });
    expect(await submit(impossible, { 'X-API-Key': owner.apiKey })).toMatchObject({
      status: 400,
      body: { details: { fieldErrors: { timestamp: ['Must be at least -8640000000000000'] } } },
    });
  });

  test('is the one that was sent when the sender does not tell its clock', async () => {
    const atMs = service.clock.now() - DAY_MS;
    const { body } = await submit(event({ timestamp: atMs, sentAt: null }));
    expect(body).toMatchObject({ createdAt: new Date(atMs).toISOString() });
  });
});

describe('an event with an id of its own', () => {
  const ID = '0192f0c1-7b2a-7c3d-8e4f-5a6b7c8d9e0f';

  test('is stored under it', async () => {
    expect((await submit(event({ id: ID, url: 'https://example.com/first' }))).body).toMatchObject({
      id: ID,
    });
  });

  test('is stored once, and a repeat is answered like the first time, whatever else it says', async () => {
    const before = await total();
    const repeat = await submit(
      event({ id: ID.toUpperCase(), url: 'https://example.com/second', browser: 'X' }),
    );
    expect(repeat.status).toBe(201);
    expect(repeat.body).toMatchObject({ id: ID, url: 'https://example.com/first' });
    expect(repeat.body).not.toHaveProperty('browser');
    expect(await total()).toBe(before);
  });

  test('is not told to another visitor, who gets back what was sent', async () => {
    const before = await total();
    const id = crypto.randomUUID();
    await submit(event({ id, url: 'https://example.com/private', visitorId: 'ada', browser: 'X' }));
    const timestamp = service.clock.now() - 1_000;
    const other = event({ id, url: 'https://example.com/other', visitorId: 'eve', timestamp });
    const { trackingCode, timestamp: _timestamp, ...sent } = other;
    const answer = { ...sent, websiteId: website.id, createdAt: new Date(timestamp).toISOString() };
    expect(statusAndBody(await submit(other))).toEqual({ status: 201, body: answer });
    const batch = await service.send('POST', '/api/v1/events/batch', { body: { events: [other] } });
    const { sessionId, visitorId, ...item } = answer as Record<string, unknown>;
    expect(batch.body).toMatchObject({ eventsCreated: 1, events: [item] });
    expect(await total()).toBe(before + 1);
  });

  test('is a conflict when another website holds the id', async () => {
    const { trackingCode } = await service.addWebsite(token, 'https://other.example.com');
    expect(await submit(event({ id: ID, trackingCode }))).toMatchObject({
      status: 409,
      body: { error: 'CONFLICT' },
    });
  });

  async function total(): Promise<number> {
    const { body } = await service.send('GET', `/api/v1/events?trackingCode=${website.trackingCode}`, {
      token,
    });
    return (body as { pagination: { total: number } }).pagination.total;
  }
});
