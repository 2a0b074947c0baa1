import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createTestService, type TestService } from '../support/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

let service: TestService;
let token: string;
let website: { id: string; trackingCode: string };

beforeEach(async () => {
  service = await createTestService({ trustedProxies: 1 });
  token = (await service.addUser()).apiKey;
  website = await service.addWebsite(token);
});
afterEach(() => service.close());

type Visit = { address?: string; agent?: string; code?: string; token?: string; fields?: object };

function send({ address = '203.0.113.7', agent = FIREFOX, code, fields, ...rest }: Visit = {}) {
  return service.send('POST', '/api/v1/events', {
    ...rest,
    body: {
      trackingCode: code ?? website.trackingCode,
      eventType: 'pageview',
      url: 'https://example.com/',
      anonymous: true,
      ...fields,
    },
    headers: { 'X-Forwarded-For': address, 'User-Agent': agent },
  });
}

async function idOf(visit?: Visit): Promise<string> {
  const { status, body } = await send(visit);
  expect(status).toBe(201);
  return body.visitorId as string;
}

async function ask(path: string) {
  const { body } = await service.send('GET', `/api/v1/websites/${website.id}${path}`, { token });
  return body as Record<string, unknown>;
}

const settings = (changes: object) =>
  service.send('PATCH', `/api/v1/websites/${website.id}/settings`, { token, body: changes });

describe('an anonymous event', () => {
  test('is of one visitor for the same address and User-Agent, and of another for others', async () => {
    const id = await idOf();
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(await idOf()).toBe(id);
    const other = await service.addWebsite(token, 'https://other.example');
    const others = [
      await idOf({ address: '203.0.113.8' }),
      await idOf({ agent: CHROME }),
      await idOf({ code: other.trackingCode }),
      await idOf({ agent: '' }),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
  });

  test('is of one visitor for all addresses of an IPv6 network', async () => {
    const id = await idOf({ address: '2001:db8:1:2:aaaa::1' });
    expect(await idOf({ address: '2001:db8:1:2:bbbb::9' })).toBe(id);
    expect(await idOf({ address: '2001:db8:1:3:aaaa::1' })).not.toBe(id);
  });

  test('needs no ids, and those that it carries are ignored', async () => {
    const id = await idOf();
    const { body } = await send({ fields: { visitorId: 'v', sessionId: 's' } });
    expect(body).toMatchObject({ visitorId: id, sessionId: id });
    expect(await idOf({ fields: { visitorId: null } })).toBe(id);
  });

  test('is refused when anonymous is not a boolean, and others are when they lack an id', async () => {
    const wrong = await send({ fields: { anonymous: 'yes' } });
    expect([wrong.status, wrong.body.details]).toEqual([
      400,
      { formErrors: [], fieldErrors: { anonymous: ['Must be true or false'] } },
    ]);
    const missing = await send({ fields: { anonymous: false } });
    expect([missing.status, missing.body.details]).toEqual([
      400,
      { formErrors: [], fieldErrors: { sessionId: ['Required'], visitorId: ['Required'] } },
    ]);
  });

  test('is stored once when it is sent again, also on the next day', async () => {
    const fields = { id: '01938f5e-8c00-7a3b-9c41-0d2f6b7a9e10' };
    await send({ fields });
    service.clock.advance(24 * HOUR_MS);
    expect((await send({ fields })).status).toBe(201);
    expect(await ask('/stats?period=7d')).toMatchObject({ visitors: 1, events: 1 });
  });

  test('of a back end with a key is of the visitor that it names, for one day', async () => {
    const backEnd = (visitorId: string) => idOf({ token, fields: { visitorId, sessionId: 's' } });
    const id = await backEnd('ada');
    expect(id).not.toBe('ada');
    expect([await backEnd('ada'), (await backEnd('bob')) === id]).toEqual([id, false]);
    service.clock.advance(24 * HOUR_MS);
    expect(await backEnd('ada')).not.toBe(id);
  });
});

describe('a visitor who is counted by day', () => {
  test('is another one after midnight in the time zone of the website', async () => {
    await settings({ timezone: 'America/New_York' });
    const id = await idOf(); // 07:00 in New York
    service.clock.advance(16 * HOUR_MS); // 23:00, and the next day in UTC
    expect(await idOf()).toBe(id);
    service.clock.advance(2 * HOUR_MS);
    expect(await idOf()).not.toBe(id);
  });

  test('stays the same for a visit that crosses midnight, until half an hour passes without an event', async () => {
    service.clock.advance(11.75 * HOUR_MS); // 23:45
    const id = await idOf();
    for (const minutes of [20, 25, 29]) {
      service.clock.advance(minutes * MINUTE_MS);
      expect(await idOf()).toBe(id);
    }
    service.clock.advance(31 * MINUTE_MS);
    expect(await idOf()).not.toBe(id);
    expect(await ask('/stats?period=7d')).toMatchObject({ visitors: 2, visits: 2 });
  });

  test('is a new one after a pause over midnight', async () => {
    service.clock.advance(11.75 * HOUR_MS);
    const id = await idOf();
    service.clock.advance(31 * MINUTE_MS);
    expect(await idOf()).not.toBe(id);
  });

  test('cannot be derived again once the clock is set back to a day that is over', async () => {
    const id = await idOf();
    service.clock.advance(24 * HOUR_MS);
    await service.dailyVisitors.forgetPast(service.clock.now());
    service.clock.advance(-24 * HOUR_MS);
    expect(await idOf()).not.toBe(id);
  });
});

describe('the setting anonymous of a website', () => {
  test('derives the visitor for every sender, whatever ids they send', async () => {
    await settings({ anonymous: true });
    const fields = { anonymous: undefined, visitorId: 'v', sessionId: 's' };
    const id = await idOf({ fields });
    expect(id).not.toBe('v');
    expect(await idOf({ fields: { ...fields, visitorId: 'w' } })).toBe(id);
  });
});

describe('answers about visitors who are counted by day', () => {
  const exact = { anonymous: false, visitorId: 'v', sessionId: 's' };

  test('say so, and say when others are counted by browser', async () => {
    await send({ fields: exact });
    expect(await ask('/stats?period=today')).not.toHaveProperty('visitorsCountedBy');
    service.clock.advance(24 * HOUR_MS);
    await send();
    for (const path of [
      '/stats',
      '/stats/timeseries',
      '/stats/dashboard',
      '/stats/breakdown?dimension=page',
      '/pages',
    ]) {
      const query = path.includes('?') ? '&' : '?';
      expect(await ask(`${path}${query}period=today`)).toMatchObject({ visitorsCountedBy: 'day' });
      expect(await ask(`${path}${query}period=7d`)).toMatchObject({ visitorsCountedBy: 'mixed' });
      expect(await ask(`${path}${query}period=yesterday`)).not.toHaveProperty('visitorsCountedBy');
    }
  });

  test('tell the two kinds apart by the dimension countedBy', async () => {
    await send({ fields: exact });
    await send();
    const { rows } = await ask('/stats/breakdown?dimension=countedBy&period=today');
    expect(rows).toMatchObject([
      { value: 'browser', visitors: 1 },
      { value: 'day', visitors: 1 },
    ]);
  });

  test('refuse retention and first visits when no visitor lasts, and count the others', async () => {
    await send();
    const cohort = encodeURIComponent('[["is","visitorType",["new"]]]');
    for (const [field, path] of [
      ['period', '/stats/retention?period=7d&interval=day'],
      ['filters', `/stats?period=7d&filters=${cohort}`],
    ] as const)
      expect(await ask(path)).toMatchObject({
        error: 'VALIDATION_ERROR',
        details: {
          fieldErrors: { [field]: [expect.stringMatching(/^Unavailable: the visitors of this range/)] },
        },
      });
    await send({ fields: exact });
    const { cohorts, visitorsCountedBy } = await ask('/stats/retention?period=today&interval=day');
    expect([cohorts, visitorsCountedBy]).toMatchObject([[{ visitors: 1 }], 'mixed']);
  });
});
