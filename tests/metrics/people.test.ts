import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { VisitorExport } from '../../src/contract/metrics/lists.ts';
import { CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from '../../src/vocabulary/analytics.ts';
import { statusAndBody } from '../support/service.ts';
import { type MetricsService, refused, startMetrics } from './support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.track([
    {
      at: '2026-11-18T09:00:00Z',
      visitor: 'a',
      session: 'tab/1',
      page: '/?utm_campaign=autumn',
      country: 'DE',
      referrer: 'https://www.google.com/',
    },
    {
      at: '2026-11-18T09:01:30.500Z',
      visitor: 'a',
      session: 'tab/1',
      page: '/pricing',
      type: 'custom',
      properties: { name: 'signup', plan: 'pro' },
    },
    { at: '2026-11-20T09:00:00Z', visitor: 'a', session: 'tab 2', page: '/pricing', country: 'DE' },
    { at: '2026-11-20T10:00:00Z', visitor: 'b', page: '/' },
  ]);
});
afterAll(() => service.close());

const RANGE = { from: '2026-10-22T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', timezone: 'UTC' };
const absent = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
const DERIVED: readonly string[] = ['country', 'screenSize', 'countedBy'];
const CLIENT = {
  ...absent(CLIENT_DIMENSIONS.filter((name) => name !== 'country')),
  countedBy: 'browser',
};
const SENT = absent(CLIENT_DIMENSIONS.filter((name) => !DERIVED.includes(name)));
const FIRST_SESSION = {
  sessionId: 'tab/1',
  visitorId: 'a',
  startedAt: '2026-11-18T09:00:00.000Z',
  lastActivityAt: '2026-11-18T09:01:30.500Z',
  duration: 90.5,
  pageviews: 1,
  events: 2,
  entryPage: '/',
  exitPage: '/',
  ...absent(ORIGIN_DIMENSIONS),
  referrer: 'google.com',
  source: 'Google',
  channel: 'Organic Search',
  utmCampaign: 'autumn',
  ...CLIENT,
  country: 'DE',
};

describe('GET …/sessions', () => {
  test('lists sessions, the latest active first', async () => {
    const answer = await service.get('/sessions');
    expect(answer).toMatchObject({
      range: RANGE,
      sessions: [{ sessionId: 'tab-b' }, { sessionId: 'tab 2' }, { sessionId: 'tab/1' }],
      pagination: { total: 3, limit: 100, offset: 0 },
    });
    expect((answer.sessions as object[])[2]).toEqual(FIRST_SESSION);
  });

  test('takes filters, a range and pages', async () => {
    const ids = async (query: string) => {
      const { sessions } = await service.get(`/sessions?${query}`);
      return (sessions as { sessionId: string }[]).map(({ sessionId }) => sessionId);
    };
    expect(await ids('limit=1&offset=1')).toEqual(['tab 2']);
    expect(await ids('from=2026-11-18&to=2026-11-18')).toEqual(['tab/1']);
    expect(await ids('filters=[["is","event",["signup"]]]')).toEqual(['tab/1']);
  });
});

describe('a filter chooses rows', () => {
  const PURCHASE = { name: 'Purchase', revenue: { amount: '79.00', currency: 'EUR' } };
  beforeAll(async () => {
    const buys = (at: string) => ({
      at,
      visitor: 'buyer',
      page: '/cart',
      type: 'custom' as const,
      properties: PURCHASE,
    });
    await service.track([
      { at: '2026-08-03T23:50:00Z', visitor: 'buyer', page: '/?utm_source=mail' },
      { at: '2026-08-04T00:01:00Z', visitor: 'buyer', page: '/cart' },
      buys('2026-08-04T00:02:00Z'),
      buys('2026-08-04T00:03:00Z'),
      { at: '2026-08-04T00:05:00Z', visitor: 'buyer', page: '/thanks' },
      { at: '2026-08-04T12:00:00Z', visitor: 'buyer', page: '/' },
      { at: '2026-08-04T13:00:00Z', visitor: 'reader', page: '/' },
    ]);
  });
  const day = 'from=2026-08-04&to=2026-08-04';
  const bought = `${day}&filters=[["is","event",["Purchase"]]]`;
  const matched = {
    events: 2,
    lastAt: '2026-08-04T00:03:00.000Z',
    eventType: 'custom',
    page: '/cart',
    name: 'Purchase',
    revenue: [{ currency: 'EUR', total: '158.00', average: '79.00', events: 2 }],
  };

  test('a filtered session is shown whole, with what matched', async () => {
    expect(await service.get(`/sessions?${bought}`)).toMatchObject({
      sessions: [
        {
          sessionId: 'tab-buyer',
          startedAt: '2026-08-03T23:50:00.000Z', // the visit, which the range does not shorten
          lastActivityAt: '2026-08-04T12:00:00.000Z',
          duration: 43_800,
          pageviews: 4,
          events: 6,
          entryPage: '/',
          exitPage: '/',
          source: 'mail',
          matched,
        },
      ],
      pagination: { total: 1 },
    });
  });

  test('a filtered visitor is shown with all visits of the range, and what matched', async () => {
    const { visitors } = await service.get(`/visitors?${bought}`);
    expect(visitors).toMatchObject([
      {
        visitorId: 'buyer',
        firstSeenAt: '2026-08-03T23:50:00.000Z',
        visits: 2,
        pageviews: 4,
        events: 6,
        matched,
      },
    ]);
    const { visitors: all } = await service.get(`/visitors?${day}`);
    expect((all as object[]).map((row) => 'matched' in row)).toEqual([false, false]);
  });

  test('a filtered file has what matched in columns', async () => {
    const { body } = await service.ask(`/sessions?${bought}&format=csv`);
    const [header = '', row = ''] = String(body).split('\r\n');
    const cells = row.split(',').slice(-6);
    expect(header.split(',').slice(-6).join()).toBe(
      'matched.events,matched.lastAt,matched.eventType,matched.page,matched.name,matched.revenue',
    );
    expect(cells).toEqual(['2', matched.lastAt, 'custom', '/cart', 'Purchase', '158.00 EUR']);
  });
});

describe('GET …/sessions/:sessionId', () => {
  test('answers the session with its path, whatever its id is made of', async () => {
    const { session, events, pagination } = await service.get('/sessions/tab%2F1');
    expect(session).toEqual(FIRST_SESSION);
    expect(pagination).toEqual({ total: 2, limit: 1_000, offset: 0 });
    expect(events).toMatchObject([
      { eventType: 'pageview', url: 'https://example.com/?utm_campaign=autumn', page: '/', properties: null },
      {
        createdAt: '2026-11-18T09:01:30.500Z',
        eventType: 'custom',
        page: '/pricing',
        name: 'signup',
        properties: { name: 'signup', plan: 'pro' },
      },
    ]);
    expect(await service.get('/sessions/tab%202')).toMatchObject({ session: { sessionId: 'tab 2' } });
  });

  test.each(['unknown', '%zz', '%00', 'TAB%2F1', `${'x'.repeat(5_000)}`])('does not find %p', async (id) => {
    expect(statusAndBody(await service.ask(`/sessions/${id}`))).toEqual({
      status: 404,
      body: { error: 'NOT_FOUND', message: 'Session not found' },
    });
  });

  test('says 404 before it says what is wrong with the parameters', async () => {
    for (const [kind, id] of [
      ['sessions', 'tab-b'],
      ['visitors', 'b'],
    ]) {
      const query = '?format=xml&limit=0&offset=-1';
      expect((await service.ask(`/${kind}/unknown${query}`)).status).toBe(404);
      expect(statusAndBody(await service.ask(`/${kind}/${id}${query}`))).toEqual(
        refused({
          limit: ['Must be a whole number from 1'],
          offset: ['Must be a whole number from 0'],
          format: ['Must be one of: json, csv, ndjson'],
        }),
      );
    }
  });
});

const VISITOR_A = {
  visitorId: 'a',
  firstSeenAt: '2026-11-18T09:00:00.000Z',
  lastSeenAt: '2026-11-20T09:00:00.000Z',
  visits: 2,
  pageviews: 2,
  events: 3,
  country: 'DE',
  ...CLIENT,
};

describe('GET …/visitors', () => {
  test('lists visitors, the latest active first', async () => {
    const { visitors, ...rest } = await service.get('/visitors');
    expect(rest).toEqual({ range: RANGE, pagination: { total: 2, limit: 100, offset: 0 } });
    expect((visitors as object[])[1]).toEqual(VISITOR_A);
  });

  test('answers one with visits and events, newest first', async () => {
    const { visitor, visits, events, pagination } = await service.get('/visitors/a');
    expect(pagination).toEqual({ total: 3, limit: 1_000, offset: 0 });
    expect(visitor).toEqual(VISITOR_A);
    expect(visits).toMatchObject([
      { startedAt: '2026-11-20T09:00:00.000Z', endedAt: '2026-11-20T09:00:00.000Z', entryPage: '/pricing' },
      { startedAt: '2026-11-18T09:00:00.000Z', endedAt: '2026-11-18T09:01:30.500Z', source: 'Google' },
    ]);
    expect(events).toMatchObject([{ page: '/pricing' }, { name: 'signup' }, { page: '/' }]);
  });

  test('does not find an unknown one', async () => {
    const notFound = { status: 404, body: { error: 'NOT_FOUND', message: 'Visitor not found' } };
    for (const path of ['/visitors/unknown', '/visitors/%zz', '/visitors/unknown/export'])
      expect(statusAndBody(await service.ask(path))).toEqual(notFound);
  });
});

describe('the events of one that has many', () => {
  const COUNT = 2_345;
  /** Both in the order of time. */
  const paths = Array.from({ length: COUNT }, (_, index) => `/${index}`);
  beforeAll(async () => {
    const events = paths.map((page, index) => ({ at: 5_000 - index, visitor: 'many', page }));
    // The latest first, as a queue that was kept offline may arrive.
    const stored = events.toReversed();
    for (let start = 0; start < COUNT; start += 1_000)
      await service.track(stored.slice(start, start + 1_000));
  });
  afterAll(() => service.send('DELETE', `${service.base}/visitors/many`, { token: service.ada.token }));

  test.each([
    ['a session, in the order of time', '/sessions/tab-many', paths],
    ['a visitor, newest first', '/visitors/many', paths.toReversed()],
  ])('come in pages: of %s', async (_, path, expected) => {
    const found: string[] = [];
    for (const offset of [0, 1_000, 2_000, 3_000]) {
      const { events, pagination } = await service.get(`${path}?offset=${offset}&limit=5000`);
      expect(pagination).toEqual({ total: COUNT, limit: 1_000, offset });
      found.push(...(events as { page: string }[]).map(({ page }) => page));
    }
    expect(found).toEqual(expected);
    const { events } = await service.get(`${path}?limit=2&offset=3`);
    expect(events).toMatchObject(expected.slice(3, 5).map((page) => ({ page })));
    const { body } = await service.ask(`${path}?limit=2&offset=3&format=ndjson`);
    expect(
      String(body)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).page),
    ).toEqual(expected.slice(3, 5));
  });

  test.each(['json', 'ndjson', 'csv'])('are exported in the order of time, as %s', async (format) => {
    const { body } = await service.ask(`/visitors/many/export?format=${format}`);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect([...text.matchAll(/example\.com(\/\d+)/g)].map(([, page]) => page)).toEqual(paths);
  });
});

describe('GET …/visitors/:visitorId/export', () => {
  test('holds everything that is stored, in the order of time', async () => {
    const { status, body, headers } = await service.ask('/visitors/a/export');
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="example.com-visitor-export.json"');
    expect(body).toEqual({
      visitorId: 'a',
      exportedAt: '2026-11-20T12:00:00.000Z',
      events: [
        {
          id: expect.any(String),
          createdAt: '2026-11-18T09:00:00.000Z',
          eventType: 'pageview',
          url: 'https://example.com/?utm_campaign=autumn',
          referrer: 'https://www.google.com/',
          sessionId: 'tab/1',
          visitorId: 'a',
          ...SENT,
          location: 'DE',
          engagedSeconds: null,
          scrollDepth: null,
          isBot: false,
          isExcluded: false,
          isAnonymous: false,
          properties: null,
        },
        expect.objectContaining({ properties: { name: 'signup', plan: 'pro' } }),
        expect.objectContaining({ sessionId: 'tab 2' }),
      ],
    });
  });

  test('is what its description says', async () => {
    const { body } = await service.ask('/visitors/a/export');
    expect([...Value.Errors(VisitorExport, body)].map(({ path }) => path)).toEqual([]);
  });
});

describe('DELETE …/visitors/:visitorId', () => {
  const erase = (visitorId: string) =>
    service.send('DELETE', `${service.base}/visitors/${visitorId}`, { token: service.ada.token });

  test('removes the events of the visitor, and of no other visitor', async () => {
    await service.track([
      { at: 1_000, visitor: 'gone' },
      { at: 2_000, visitor: 'gone' },
    ]);
    const { visitors } = await service.get('/stats');
    expect(statusAndBody(await erase('gone'))).toEqual({
      status: 200,
      body: { success: true, message: 'Visitor erased', eventsRemoved: 2 },
    });
    expect((await service.get('/stats')).visitors).toBe(Number(visitors) - 1);
    expect((await service.ask('/visitors/gone')).status).toBe(404);
    expect((await service.ask('/visitors/gone/export')).status).toBe(404);
  });

  test('does not find one who is unknown or was erased before', async () => {
    const notFound = { status: 404, body: { error: 'NOT_FOUND', message: 'Visitor not found' } };
    for (const id of ['unknown', 'gone', '%zz']) expect(statusAndBody(await erase(id))).toEqual(notFound);
  });

  test('does not find the visitor of another website of the same account', async () => {
    const other = await service.addWebsite(service.ada.token, 'https://other.example');
    await service.track([{ at: 1_000, visitor: 'elsewhere' }], other.trackingCode);
    expect((await erase('elsewhere')).status).toBe(404);
  });
});

test('no request above caused an internal error', () => {
  expect(service.errors).toEqual([]);
});
