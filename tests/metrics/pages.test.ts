import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { statusAndBody } from '../support/service.ts';
import { figures, type MetricsService, refused, startMetrics } from './support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.track([
    { at: '2026-11-20T09:00:00Z', visitor: 'a', page: '/' },
    { at: '2026-11-20T09:01:00Z', visitor: 'a', page: '/pricing', referrer: 'https://example.com/' },
    {
      at: '2026-11-20T09:02:00Z',
      visitor: 'a',
      page: '/pricing',
      type: 'custom',
      properties: { name: 'order', plan: 'pro', total: 30 },
    },
    { at: '2026-11-20T09:03:00Z', visitor: 'a', page: '/thanks' },
    { at: '2026-11-20T10:00:00Z', visitor: 'b', page: '/pricing', referrer: 'https://www.google.com/' },
    {
      at: '2026-11-20T10:01:00Z',
      visitor: 'b',
      page: '/pricing',
      type: 'custom',
      properties: { name: 'order', plan: 'free', total: -5, gift: true },
    },
    {
      at: '2026-11-20T10:02:00Z',
      visitor: 'b',
      page: '/pricing',
      type: 'custom',
      properties: { name: 'help', 'a/b %': 'x' },
    },
  ]);
});
afterAll(() => service.close());

const RANGE = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', timezone: 'UTC' };

describe('GET …/pages', () => {
  test('lists pages with entries and exits', async () => {
    expect(await service.get('/pages?period=today')).toEqual({
      range: RANGE,
      pages: [
        { page: '/pricing', ...figures(2, 2, 2, 5, 0, 150), entries: 1, exits: 1, exitRate: 0.5 },
        { page: '/', ...figures(1, 1, 1, 1, 0, 180), entries: 1, exits: 0, exitRate: 0 },
        { page: '/thanks', ...figures(1, 1, 1, 1, 0, 180), entries: 0, exits: 1, exitRate: 1 },
      ],
      pagination: { total: 3, limit: 100, offset: 0 },
    });
  });

  test.each([
    ['sort=exitRate:desc&limit=1', ['/thanks']],
    ['sort=value', ['/', '/pricing', '/thanks']],
    ['search=TH', ['/thanks']],
    ['sort=entries:asc&limit=1&offset=2', ['/pricing']],
  ])('%s', async (query, expected) => {
    const { pages } = await service.get(`/pages?period=today&${query}`);
    expect((pages as { page: string }[]).map(({ page }) => page)).toEqual(expected);
  });

  test('is sorted by visitors, however often a page was viewed', async () => {
    const { token } = await service.signUp();
    const { trackingCode, id } = await service.addWebsite(token, 'https://order.example');
    const often = Array.from({ length: 5 }, (_, index) => ({ at: index, visitor: 'a', page: '/often' }));
    const many = ['a', 'b'].map((visitor) => ({ at: 1_000, visitor, page: '/many' }));
    await service.track([...often, ...many], trackingCode);
    const { body } = await service.send('GET', `/api/v1/websites/${id}/pages`, { token });
    expect(body).toMatchObject({ pages: [{ page: '/many' }, { page: '/often' }] });
  });

  test('names its own columns when one is unknown', async () => {
    expect(statusAndBody(await service.ask('/pages?sort=x'))).toEqual(
      refused({
        sort: [
          'Unknown column "x". Valid: visitors, visits, pageviews, events, viewsPerVisit, bounceRate, visitDuration, entries, exits, exitRate, value',
        ],
      }),
    );
  });
});

describe('GET …/pages/detail', () => {
  test('answers what led to a page and away from it', async () => {
    const { sources, referrers, ...rest } = await service.get('/pages/detail?page=/pricing&period=today');
    expect(rest).toEqual({
      range: RANGE,
      page: '/pricing',
      ...figures(2, 2, 2, 5, 0, 150),
      entries: 1,
      exits: 1,
      previous: [
        { value: null, pageviews: 1 },
        { value: '/', pageviews: 1 },
      ],
      next: [
        { value: null, pageviews: 1 },
        { value: '/thanks', pageviews: 1 },
      ],
    });
    expect(sources).toMatchObject([
      { value: null, visitors: 1 },
      { value: 'Google', visitors: 1 },
    ]);
    expect(referrers).toMatchObject([{ value: 'google.com', visitors: 1 }]);
  });

  test('needs a page, on which something happened', async () => {
    expect(statusAndBody(await service.ask('/pages/detail'))).toEqual(
      refused({ page: ['Required: the path of a page, such as /pricing'] }),
    );
    expect(statusAndBody(await service.ask('/pages/detail?page=/nothing'))).toEqual({
      status: 404,
      body: { error: 'NOT_FOUND', message: 'Nothing happened on this page in this range' },
    });
  });
});

describe('custom events and properties', () => {
  test('GET …/stats/events lists names by visitors', async () => {
    expect(await service.get('/stats/events?period=today')).toEqual({
      range: RANGE,
      events: [
        { name: 'order', events: 2, visitors: 2 },
        { name: 'help', events: 1, visitors: 1 },
      ],
      pagination: { total: 2, limit: 100, offset: 0 },
    });
  });

  test('GET …/stats/properties lists keys, also those of one event', async () => {
    const keys = async (query: string) => {
      const { properties } = await service.get(`/stats/properties?period=today${query}`);
      return (properties as { key: string; events: number }[]).map(({ key, events }) => [key, events]);
    };
    expect(await keys('')).toEqual([
      ['name', 3],
      ['plan', 2],
      ['total', 2],
      ['a/b %', 1],
      ['gift', 1],
    ]);
    expect(await keys('&filters=[["is","event",["help"]]]')).toEqual([
      ['a/b %', 1],
      ['name', 1],
    ]);
    expect(await keys('&limit=1&offset=1')).toEqual([['plan', 2]]);
  });

  test('GET …/stats/properties/:key lists values and reckons with numbers', async () => {
    expect(await service.get('/stats/properties/total?period=today')).toEqual({
      range: RANGE,
      key: 'total',
      values: [
        { value: '-5', events: 1, visitors: 1 },
        { value: '30', events: 1, visitors: 1 },
      ],
      numbers: { count: 2, sum: 25, average: 12.5, min: -5, max: 30 },
      pagination: { total: 2, limit: 100, offset: 0 },
    });
    expect(await service.get('/stats/properties/plan?search=PR')).toMatchObject({
      values: [{ value: 'pro' }],
      numbers: null,
    });
  });

  test('keys are URL-encoded; one that was never sent has no values', async () => {
    expect(await service.get('/stats/properties/a%2Fb%20%25')).toMatchObject({
      key: 'a/b %',
      values: [{ value: 'x' }],
    });
    expect(await service.get('/stats/properties/nothing')).toMatchObject({ values: [], numbers: null });
    expect(statusAndBody(await service.ask(`/stats/properties/${'x'.repeat(129)}`))).toEqual(
      refused({ key: ['Must be 1 to 128 characters'] }),
    );
  });
});

describe('GET /stats/websites', () => {
  const overview = (query = '') =>
    service.send('GET', `/api/v1/stats/websites${query}`, { token: service.ada.token });

  test('answers the headlines of all websites of the caller, each in its own time zone', async () => {
    const second = await service.addWebsite(service.ada.token, 'https://second.example');
    await service.send('PATCH', `/api/v1/websites/${second.id}/settings`, {
      token: service.ada.token,
      body: { timezone: 'Pacific/Kiritimati' },
    });
    const bob = await service.signUp();
    await service.addWebsite(bob.token, 'https://third.example');
    const { body } = await overview('?period=today&compare=previous&series=true&interval=day');
    const none = { visitors: 0, visits: 0, pageviews: 0 };
    const unchanged = { visitors: null, visits: null, pageviews: null };
    const kiritimati = 'Pacific/Kiritimati';
    const until = '2026-11-20T12:00:00.000Z';
    expect(body).toEqual({
      websites: [
        {
          websiteId: service.website.id,
          name: 'Example',
          domain: 'https://example.com',
          range: RANGE,
          visitors: 2,
          visits: 2,
          pageviews: 4,
          comparison: {
            range: { ...RANGE, from: '2026-11-19T00:00:00.000Z', to: '2026-11-19T12:00:00.000Z' },
            until,
            ...none,
            change: unchanged,
          },
          series: { interval: 'day', points: [{ time: RANGE.from, visitors: 2 }] },
        },
        {
          websiteId: second.id,
          name: 'Example',
          domain: 'https://second.example',
          range: { from: '2026-11-20T10:00:00.000Z', to: '2026-11-21T10:00:00.000Z', timezone: kiritimati },
          ...none,
          comparison: {
            range: { from: '2026-11-19T10:00:00.000Z', to: '2026-11-19T12:00:00.000Z', timezone: kiritimati },
            until,
            ...none,
            change: unchanged,
          },
          series: { interval: 'day', points: [{ time: '2026-11-20T10:00:00.000Z', visitors: 0 }] },
        },
      ],
      total: 2,
    });
  });

  test('takes one time zone for all, and all of time', async () => {
    expect((await overview('?period=all&timezone=Asia/Kolkata')).body).toMatchObject({
      websites: [
        { range: { timezone: 'Asia/Kolkata' }, visitors: 2 },
        { range: { timezone: 'Asia/Kolkata' }, visitors: 0 },
      ],
    });
  });

  test('all of time begins with the oldest event of any of them, without events when they were created', async () => {
    const { token } = await service.signUp();
    const firstDay = async () => {
      const { body } = await service.send('GET', '/api/v1/stats/websites?period=all', { token });
      // The answer is compared as a whole above.
      return (body as { websites: { range: { from: string } }[] }).websites.map(({ range }) => range.from);
    };
    const today = RANGE.from;
    await service.addWebsite(token, 'https://idle.example');
    const { trackingCode } = await service.addWebsite(token, 'https://old.example');
    expect(await firstDay()).toEqual([today, today]);
    await service.track([{ at: '2025-03-05T23:30:00Z', visitor: 'a' }], trackingCode);
    expect(await firstDay()).toEqual(Array(2).fill('2025-03-05T00:00:00.000Z'));
  });

  test('has at most 100 points', async () => {
    expect(statusAndBody(await overview('?period=7d&series=true&interval=hour'))).toEqual(
      refused({
        interval: [
          'By hour, this range has more than 100 points; ask for a longer interval or a shorter range',
        ],
      }),
    );
  });

  test('answers a user without websites', async () => {
    const { token } = await service.signUp();
    const { status, body } = await service.send('GET', '/api/v1/stats/websites', { token });
    expect({ status, body }).toEqual({ status: 200, body: { websites: [], total: 0 } });
  });
});

test('no request above caused an internal error', () => {
  expect(service.errors).toEqual([]);
});
