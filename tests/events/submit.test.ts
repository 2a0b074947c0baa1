import { beforeAll, describe, expect, test } from 'bun:test';
import { createTestService, type TestService } from '../support/service.ts';

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

function event(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    trackingCode: website.trackingCode,
    eventType: 'pageview',
    url: 'https://example.com/',
    sessionId: 'session-1',
    visitorId: 'visitor-1',
    ...changes,
  };
}

function submit(body: unknown, headers: Record<string, string> = {}) {
  return service.send('POST', '/api/v1/events', { body, headers });
}

function read(id: unknown) {
  return service.send('GET', `/api/v1/events/${id}`, { token });
}

describe('POST /events stores an event', () => {
  test('and answers 201 with what was supplied, without properties', async () => {
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

  test('and leaves out of the answer what was not supplied', async () => {
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

  test('and fills in what was left out, shown when it is read', async () => {
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

  test('and gives properties back as they were sent', async () => {
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

  test('and answers half of a surrogate pair as it will be read', async () => {
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

  test('and takes an empty string in an optional field as absent', async () => {
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

  test('and reads a text/plain body as JSON', async () => {
    const answer = await service.send('POST', '/api/v1/events', {
      rawBody: JSON.stringify(event()),
      headers: { 'Content-Type': 'text/plain;charset=UTF-8' },
    });
    expect(answer.status).toBe(201);
  });

  test('and ignores fields that it does not know', async () => {
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

  test('is refused an unknown API key', async () => {
    expect((await submit(event(), { 'X-API-Key': `pk_${'x'.repeat(32)}` })).status).toBe(401);
  });
});

describe('POST /events refuses', () => {
  const long = (length: number) => 'x'.repeat(length);
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  const REFUSED: [string, () => Record<string, unknown>, Record<string, string[]>][] = [
    ['a missing tracking code', () => event({ trackingCode: undefined }), { trackingCode: ['Required'] }],
    [
      'a malformed tracking code',
      () => event({ trackingCode: 'UA-1' }),
      { trackingCode: ['Invalid tracking code format'] },
    ],
    [
      'a tracking code that is a number',
      () => event({ trackingCode: 5 }),
      { trackingCode: ['Must be a string'] },
    ],
    ['a missing event type', () => event({ eventType: undefined }), { eventType: ['Required'] }],
    [
      'an unknown event type',
      () => event({ eventType: 'scroll' }),
      { eventType: ['Must be one of: pageview, click, custom'] },
    ],
    ['a missing url', () => event({ url: undefined }), { url: ['Required'] }],
    ['a relative url', () => event({ url: '/pricing' }), { url: ['Must be an http or https URL'] }],
    [
      'a script as url',
      () => event({ url: 'javascript:alert(1)' }),
      { url: ['Must be an http or https URL'] },
    ],
    ['a url without a host', () => event({ url: 'http://' }), { url: ['Must be an http or https URL'] }],
    [
      'a url that is too long',
      () => event({ url: `https://example.com/${long(2029)}` }),
      { url: ['Must be at most 2048 characters'] },
    ],
    [
      'a url with control characters',
      () => event({ url: 'https://example.com/\u0000' }),
      { url: ['Must be an http or https URL'] },
    ],
    [
      'a malformed referrer',
      () => event({ referrer: 'news' }),
      { referrer: ['Must be an http or https URL'] },
    ],
    ['a missing session id', () => event({ sessionId: undefined }), { sessionId: ['Required'] }],
    ['an empty session id', () => event({ sessionId: '' }), { sessionId: ['Must not be empty'] }],
    [
      'a session id that is too long',
      () => event({ sessionId: long(129) }),
      { sessionId: ['Must be at most 128 characters'] },
    ],
    ['a missing visitor id', () => event({ visitorId: undefined }), { visitorId: ['Required'] }],
    [
      'an unknown device type',
      () => event({ deviceType: 'watch' }),
      { deviceType: ['Must be one of: mobile, tablet, desktop'] },
    ],
    ['null for an optional field', () => event({ browser: null }), { browser: ['Must be a string'] }],
    [
      'a browser name that is too long',
      () => event({ browser: long(65) }),
      { browser: ['Must be at most 64 characters'] },
    ],
    ['an os name that is too long', () => event({ os: long(65) }), { os: ['Must be at most 64 characters'] }],
    [
      'a location that is too long',
      () => event({ location: long(17) }),
      { location: ['Must be at most 16 characters'] },
    ],
    ['an id that is no UUID', () => event({ id: 'first' }), { id: ['Must be a UUID'] }],
    [
      'a timestamp as text',
      () => event({ timestamp: '2026-11-20' }),
      { timestamp: ['Must be a whole number'] },
    ],
    ['half a millisecond', () => event({ timestamp: 1.5 }), { timestamp: ['Must be a whole number'] }],
    [
      'a timestamp that no date can hold',
      () => event({ timestamp: 8.64e15 + 1 }),
      { timestamp: ['Must be at most 8640000000000000'] },
    ],
    [
      'an infinite timestamp',
      () => event({ timestamp: 1e300 }),
      { timestamp: ['Must be at most 8640000000000000'] },
    ],
    ['properties that are a list', () => event({ properties: [1] }), { properties: ['Must be an object'] }],
    [
      'properties with too many keys',
      () => event({ properties: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, n])) }),
      { properties: ['Must have at most 100 keys'] },
    ],
    [
      'a property key that is too long',
      () => event({ properties: { [long(129)]: 1 } }),
      { properties: ['Must have keys of at most 128 characters'] },
    ],
    [
      'properties that are nested too deeply',
      () => event({ properties: deep(5) }),
      { properties: ['Must be nested at most 4 levels deep'] },
    ],
    [
      'properties that are too large',
      () => event({ properties: { a: long(16_384) } }),
      { properties: ['Must be at most 16384 bytes as JSON'] },
    ],
    [
      'two faults at once, naming both',
      () => event({ url: 'x', referrer: 'y' }),
      { url: ['Must be an http or https URL'], referrer: ['Must be an http or https URL'] },
    ],
  ];
  for (const [name, make, fieldErrors] of REFUSED) {
    test(`${name} with 400, naming the field`, async () => {
      const { status, body } = await submit(make());
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          error: 'VALIDATION_ERROR',
          message: 'Invalid event data',
          details: { formErrors: [], fieldErrors },
        },
      });
    });
  }

  const AT_THE_BOUND: [string, () => Record<string, unknown>][] = [
    ['a url of 2,048 characters', () => event({ url: `https://example.com/${long(2028)}` })],
    ['ids of 128 characters', () => event({ sessionId: long(128), visitorId: long(128) })],
    ['4 levels of properties', () => event({ properties: deep(4) })],
    [
      '100 keys',
      () => event({ properties: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [n, n])) }),
    ],
    ['16 KiB of properties', () => event({ properties: { a: long(16_384 - '{"a":""}'.length) } })],
    ['an unusual but valid address', () => event({ url: 'https://bücher.example:8443/{x}|y?q=%zz#ü' })],
  ];
  for (const [name, make] of AT_THE_BOUND) {
    test(`nothing at the bound: ${name}`, async () => {
      expect((await submit(make())).status).toBe(201);
    });
  }

  test('an unknown tracking code with 404', async () => {
    expect(await submit(event({ trackingCode: 'pm-unknown-1' }))).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND', message: 'Website with this tracking code not found' },
    });
  });

  test('the tracking code of a deleted website with 404', async () => {
    const { id, trackingCode } = await service.addWebsite(token, 'https://gone.example.com');
    expect((await submit(event({ trackingCode }))).status).toBe(201);
    await service.send('DELETE', `/api/v1/websites/${id}`, { token });
    expect((await submit(event({ trackingCode }))).status).toBe(404);
  });

  test('an event of more than 64 KiB with 413', async () => {
    expect(await submit(event({ padding: long(65_536) }))).toMatchObject({
      status: 413,
      body: { error: 'PAYLOAD_TOO_LARGE' },
    });
  });

  const UNREADABLE: [string, string, Record<string, string>, number, string][] = [
    ['JSON that cannot be read', '{"a":', { 'Content-Type': 'application/json' }, 400, 'VALIDATION_ERROR'],
    ['an empty body', '', { 'Content-Type': 'application/json' }, 400, 'VALIDATION_ERROR'],
    ['a list', '[]', { 'Content-Type': 'application/json' }, 400, 'VALIDATION_ERROR'],
    ['a number', '5', { 'Content-Type': 'application/json' }, 400, 'VALIDATION_ERROR'],
    ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ];
  for (const [name, rawBody, headers, status, error] of UNREADABLE) {
    test(`${name} with ${status}`, async () => {
      const answer = await service.send('POST', '/api/v1/events', { rawBody, headers });
      expect(answer).toMatchObject({ status, body: { error } });
      if (error === 'VALIDATION_ERROR')
        expect(answer.body).toMatchObject({ details: { formErrors: [expect.any(String)], fieldErrors: {} } });
    });
  }
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
