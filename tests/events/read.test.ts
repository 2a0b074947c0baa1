import { beforeAll, describe, expect, test } from 'bun:test';
import { EventsQuery } from '../../src/contract/event-input.ts';
import { createTestService, type TestService } from '../support/service.ts';

const MINUTE_MS = 60_000;

let service: TestService;
let owner: { token: string; apiKey: string };
let website: { id: string; trackingCode: string };

/** Ten events, a minute apart: the n-th is n minutes old. Even ones are pageviews. */
beforeAll(async () => {
  service = await createTestService();
  owner = await service.signUp();
  website = await service.addWebsite(owner.token);
  const events = Array.from({ length: 10 }, (_, age) => ({
    trackingCode: website.trackingCode,
    eventType: age % 2 === 0 ? 'pageview' : 'click',
    url: `https://example.com/${age}`,
    sessionId: `session-${age % 3}`,
    visitorId: age < 5 ? '8c1f6a52-3a6e-4a43-9c4b-0f6f2f0f6a11' : 'visitor-2',
    timestamp: service.clock.now() - age * MINUTE_MS,
    properties: { age },
  }));
  await service.send('POST', '/api/v1/events/batch', { body: { events } });
});

type Page = {
  events: { id: string; url: string; visitorId: string }[];
  pagination: { total: number; limit: number; offset: number; nextCursor?: string };
};

async function list(query: string, token = owner.token): Promise<Page> {
  const answer = await service.send('GET', `/api/v1/events?trackingCode=${website.trackingCode}${query}`, {
    token,
  });
  expect(answer.status).toBe(200);
  return answer.body as Page;
}

const ages = (page: Page) => page.events.map(({ url }) => Number(url.split('/').at(-1)));

describe('GET /events', () => {
  test('lists the newest first, without websiteId and properties', async () => {
    const page = await list('');
    expect(ages(page)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(page.events[0]).toEqual({
      id: expect.any(String),
      eventType: 'pageview',
      url: 'https://example.com/0',
      sessionId: 'session-0',
      visitorId: '8c1f6a52-3a6e-4a43-9c4b-0f6f2f0f6a11',
      createdAt: new Date(service.clock.now()).toISOString(),
    } as never);
    expect(page.pagination).toEqual({ total: 10, limit: 100, offset: 0 });
  });

  const FILTERS: [string, () => string, number[]][] = [
    ['eventType', () => '&eventType=click', [1, 3, 5, 7, 9]],
    ['sessionId', () => '&sessionId=session-1', [1, 4, 7]],
    ['a visitorId that is a UUID', () => '&visitorId=8c1f6a52-3a6e-4a43-9c4b-0f6f2f0f6a11', [0, 1, 2, 3, 4]],
    ['a visitorId that is none', () => '&visitorId=visitor-2', [5, 6, 7, 8, 9]],
    ['url', () => `&url=${encodeURIComponent('https://example.com/7')}`, [7]],
    ['from, which is included', () => `&from=${service.clock.now() - 2 * MINUTE_MS}`, [0, 1, 2]],
    ['to, which is not', () => `&to=${new Date(service.clock.now() - 7 * MINUTE_MS).toISOString()}`, [8, 9]],
    ['several at once', () => '&eventType=pageview&visitorId=visitor-2', [6, 8]],
    ['values that match nothing', () => '&sessionId=absent', []],
  ];
  for (const [name, query, expected] of FILTERS) {
    test(`filters by ${name}, and total counts what matches`, async () => {
      const page = await list(query());
      expect(ages(page)).toEqual(expected);
      expect(page.pagination.total).toBe(expected.length);
    });
  }

  test('pages by limit and offset', async () => {
    const page = await list('&limit=3&offset=8');
    expect(ages(page)).toEqual([8, 9]);
    expect(page.pagination).toEqual({ total: 10, limit: 3, offset: 8 });
  });

  test('pages by cursor, without gaps or repeats', async () => {
    const seen: number[] = [];
    for (let cursor = '', pages = 0; pages < 10; pages += 1) {
      const page = await list(`&limit=3${cursor}`);
      seen.push(...ages(page));
      if (!page.pagination.nextCursor) break;
      cursor = `&cursor=${page.pagination.nextCursor}`;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([
    ['2026-11-20', true],
    ['2026-11-20T13:00', true],
    ['2026-11-20T13:00:30.123456789Z', true],
    ['2026-11-20T13:00:30+0530', true],
    ['0000-01-01T00:00-23:59', true],
    ['-1', true],
    ['2026-13-01', false],
    ['2026-11-00', false],
    ['2026-11-20T24:01', false],
    ['2026-11-20T13:60', false],
    ['2026-11-20T13:00+24:00', false],
    ['2026-11-20Z', false],
    ['20261', true],
  ])('reads from=%p as its description says', async (from, isInstant) => {
    const path = `/api/v1/events?trackingCode=${website.trackingCode}&from=${encodeURIComponent(from)}`;
    const { status } = await service.send('GET', path, { token: owner.token });
    const { pattern = '$.' } = EventsQuery.properties.from;
    expect({ status, isDescribed: new RegExp(pattern).test(from) }).toEqual({
      status: isInstant ? 200 : 400,
      isDescribed: isInstant,
    });
  });

  test('takes a limit above 1,000 as 1,000', async () => {
    expect((await list('&limit=5000')).pagination.limit).toBe(1000);
    expect((await list('&limit=99999999999999999999')).pagination.limit).toBe(1000);
  });

  test('takes an offset above 1,000,000,000 as that', async () => {
    const page = await list('&offset=99999999999999999999');
    expect(page).toMatchObject({ events: [], pagination: { total: 10, offset: 1_000_000_000 } });
  });

  test('takes an empty parameter for an absent one', async () => {
    expect(await list('&limit=&offset=&eventType=&from=&to=&sessionId=&url=&cursor=')).toEqual(
      await list(''),
    );
  });

  test('refuses a cursor together with an offset', async () => {
    const { nextCursor } = (await list('&limit=3')).pagination;
    const { status, body } = await service.send(
      'GET',
      `/api/v1/events?trackingCode=${website.trackingCode}&offset=1&cursor=${nextCursor}`,
      { token: owner.token },
    );
    expect([status, body.details.fieldErrors]).toEqual([
      400,
      { offset: ['Must not be given together with cursor'] },
    ]);
  });

  test('gives cursors that hold no place of an event in the clear, and takes no other', async () => {
    const { nextCursor = '' } = (await list('&limit=3')).pagination;
    const bytes = Buffer.from(nextCursor, 'base64url');
    expect(bytes.toString('latin1')).not.toMatch(/\d{4}/);
    bytes[20] = 255 - (bytes[20] ?? 0);
    const path = `/api/v1/events?trackingCode=${website.trackingCode}&cursor=${bytes.toString('base64url')}`;
    expect((await service.send('GET', path, { token: owner.token })).status).toBe(400);
  });

  const REFUSED: [string, string][] = [
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=%2010', 'limit'],
    ['offset=1e300', 'offset'],
    ['from=yesterday', 'from'],
    ['from=2026-02-31T99:00', 'from'],
    ['to=99999999999999999', 'to'],
    ['cursor=!!', 'cursor'],
    ['eventType=view', 'eventType'],
    [`sessionId=${'x'.repeat(129)}`, 'sessionId'],
    ['url=a&url=b', 'url'],
    ['cursor=MS4y', 'cursor'],
  ];
  for (const [query, field] of REFUSED) {
    test(`refuses ${query.slice(0, 40)} with 400, naming ${field}`, async () => {
      const { status, body } = await service.send(
        'GET',
        `/api/v1/events?trackingCode=${website.trackingCode}&${query}`,
        { token: owner.token },
      );
      expect({ status, body }).toEqual({
        status: 400,
        body: {
          error: 'VALIDATION_ERROR',
          message: 'Invalid query parameters',
          details: { formErrors: [], fieldErrors: { [field]: [expect.any(String)] } },
        },
      });
    });
  }

  test.each([
    ['', 'Required'],
    ['?trackingCode=', 'Required'],
    ['?trackingCode=a&trackingCode=b', 'Must be given once'],
  ])('names the tracking code of %p alone, before the website is looked for', async (query, sentence) => {
    const path = `/api/v1/events${query}${query === '' ? '?' : '&'}limit=0`;
    const { status, body } = await service.send('GET', path, { token: owner.token });
    expect({ status, faults: body.details.fieldErrors }).toEqual({
      status: 400,
      faults: { trackingCode: [sentence] },
    });
  });

  test('answers 404 for an unknown tracking code, however long, before other faults', async () => {
    const path = `/api/v1/events?trackingCode=${'x'.repeat(5_000)}&limit=0`;
    expect((await service.send('GET', path, { token: owner.token })).status).toBe(404);
  });

  test('takes an API key with the scope read', async () => {
    const answer = await service.send('GET', `/api/v1/events?trackingCode=${website.trackingCode}`, {
      headers: { 'X-API-Key': owner.apiKey },
    });
    expect(answer.status).toBe(200);
  });
});

describe('GET /events/:id', () => {
  let id: string;
  beforeAll(async () => {
    id = (await list('&limit=1')).events[0]?.id ?? '';
  });

  test('answers the event with websiteId and properties', async () => {
    const { status, body } = await service.send('GET', `/api/v1/events/${id}`, { token: owner.token });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id,
        websiteId: website.id,
        eventType: 'pageview',
        url: 'https://example.com/0',
        sessionId: 'session-0',
        visitorId: '8c1f6a52-3a6e-4a43-9c4b-0f6f2f0f6a11',
        createdAt: new Date(service.clock.now()).toISOString(),
        properties: { age: 0 },
      },
    });
  });

  const UNKNOWN = [
    'unknown',
    '00000000-0000-7000-8000-000000000000',
    '1',
    'x'.repeat(500),
    '%00',
    "1' OR '1'='1",
  ];
  for (const unknown of UNKNOWN) {
    test(`answers 404 for ${unknown.slice(0, 40)}`, async () => {
      expect(
        await service.send('GET', `/api/v1/events/${encodeURIComponent(unknown)}`, { token: owner.token }),
      ).toMatchObject({
        status: 404,
        body: { error: 'NOT_FOUND', message: 'Event not found' },
      });
    });
  }
});
