import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { statusAndBody } from '../support/service.ts';
import { figures, type MetricsService, NOTHING, refused, startMetrics } from './support.ts';

let service: MetricsService;
const get = (path: string) => service.get(`/stats${path}`);

beforeAll(async () => {
  service = await startMetrics();
  await service.track([
    // Today: a visit of two pages and a signup, one bounce, one bot.
    { at: '2026-11-20T09:00:00Z', visitor: 'a', page: '/?utm_source=news', country: 'DE' },
    { at: '2026-11-20T09:01:00Z', visitor: 'a', page: '/pricing', country: 'DE' },
    {
      at: '2026-11-20T09:02:00Z',
      visitor: 'a',
      page: '/pricing',
      country: 'DE',
      type: 'custom',
      properties: { name: 'signup', plan: 'pro' },
    },
    { at: '2026-11-20T10:30:00Z', visitor: 'b', country: 'FR', referrer: 'https://www.google.com/' },
    // Yesterday, the last one after midnight in Kolkata.
    { at: '2026-11-19T08:00:00Z', visitor: 'a', page: '/pricing', country: 'DE' },
    { at: '2026-11-19T20:00:00Z', visitor: 'c', page: '/blog/a', country: 'AT' },
    // A year ago.
    { at: '2025-11-20T08:00:00Z', visitor: 'd', country: 'DE' },
  ]);
  await service.send('POST', '/api/v1/events', {
    headers: { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
    body: {
      trackingCode: service.website.trackingCode,
      eventType: 'pageview',
      url: 'https://example.com/',
      visitorId: 'bot',
      sessionId: 's',
      timestamp: Date.parse('2026-11-20T10:00:00Z'),
    },
  });
});
afterAll(() => service.close());

const TODAY = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', timezone: 'UTC' };
const NOW = '2026-11-20T12:00:00.000Z';
const YESTERDAY = { from: '2026-11-19T00:00:00.000Z', to: TODAY.from, timezone: 'UTC' };
const OF_TODAY = figures(2, 2, 3, 4, 0.5, 60);
const OF_YESTERDAY = figures(2, 2, 2, 2, 1, 0);

describe('GET …/stats', () => {
  test('answers the seven metrics and the range that was meant', async () => {
    expect(await get('?period=today')).toEqual({ range: TODAY, ...OF_TODAY });
  });

  test('means the last 30 days by default', async () => {
    expect(await get('')).toEqual({
      range: { ...TODAY, from: '2026-10-22T00:00:00.000Z' },
      ...figures(3, 4, 5, 6, 0.75, 30),
    });
  });

  test('compares with the same part of the day before, in percent with one decimal', async () => {
    expect(await get('?period=today&compare=previous')).toEqual({
      range: TODAY,
      ...OF_TODAY,
      comparison: {
        range: { ...YESTERDAY, to: '2026-11-19T12:00:00.000Z' },
        until: NOW,
        ...figures(1, 1, 1, 1, 1, 0),
        change: {
          visitors: 100,
          visits: 100,
          pageviews: 200,
          events: 300,
          viewsPerVisit: 50,
          bounceRate: -50,
          visitDuration: null,
        },
      },
    });
  });

  test('compares with the year before; what is compared with nothing has no change', async () => {
    const { comparison } = await get('?from=2026-11-20&to=2026-11-20&compare=year');
    expect(comparison).toEqual({
      range: { from: '2025-11-20T00:00:00.000Z', to: '2025-11-20T12:00:00.000Z', timezone: 'UTC' },
      until: NOW,
      ...figures(1, 1, 1, 1, 1, 0),
      change: {
        visitors: 100,
        visits: 100,
        pageviews: 200,
        events: 300,
        viewsPerVisit: 50,
        bounceRate: -50,
        visitDuration: null,
      },
    });
    expect(await get('?period=yesterday&compare=year')).toHaveProperty('comparison.change.visitors', null);
  });

  test.each([
    ['traffic=people', 2],
    ['traffic=bots', 1],
    ['traffic=all', 3],
  ])('%s counts %d visitors', async (query, visitors) => {
    expect(await get(`?period=today&${query}`)).toMatchObject({ visitors });
  });

  test.each([
    ['is', 'country', ['DE', 'FR'], 2],
    ['is_not', 'country', ['DE'], 1],
    ['contains', 'page', ['PRIC'], 1],
    ['is', 'event:props:plan', ['pro'], 1],
    ['is', 'visit:source', ['Google'], 1],
    ['is', 'entryPage', ['/pricing'], 0],
  ])('filters by %s %s %p', async (operator, dimension, values, visitors) => {
    const filters = encodeURIComponent(JSON.stringify([[operator, dimension, values]]));
    expect(await get(`?period=today&filters=${filters}`)).toMatchObject({ visitors });
  });

  test('reads dates in the time zone that is asked for, by default the website’s', async () => {
    const kolkata = { range: { from: '2026-11-19T18:30:00.000Z' }, visitors: 3 };
    expect(await get('?from=2026-11-20&to=2026-11-20&timezone=Asia/Kolkata')).toMatchObject(kolkata);
    await service.changeSettings({ timezone: 'Asia/Kolkata' });
    expect(await get('?from=2026-11-20&to=2026-11-20')).toMatchObject(kolkata);
    await service.changeSettings({ timezone: 'UTC' });
  });

  test('takes times half-open, and from alone until the end of today', async () => {
    expect(await get('?from=2026-11-20T09:00Z&to=2026-11-20T09:02Z')).toMatchObject({ events: 2 });
    expect(await get('?from=2026-11-20')).toMatchObject({ range: TODAY });
  });

  test('all begins with the day of the first event', async () => {
    expect(await get('?period=all')).toMatchObject({
      range: { from: '2025-11-20T00:00:00.000Z' },
      visitors: 4,
    });
  });
});

describe('GET …/stats/timeseries', () => {
  test('has every point of the day, zeros included, and marks what is not over', async () => {
    const { range, points } = await get('/timeseries?period=today');
    expect(range).toEqual({ ...TODAY, interval: 'hour' });
    // 24 hours of the day.
    const list = points as Record<string, unknown>[];
    expect(list).toHaveLength(24);
    expect(list[8]).toEqual({
      time: '2026-11-20T08:00:00.000Z',
      local: '2026-11-20T08:00:00+00:00',
      incomplete: false,
      ...NOTHING,
    });
    expect(list[9]).toMatchObject({ local: '2026-11-20T09:00:00+00:00', ...figures(1, 1, 2, 3, 0, 120) });
    expect(list.map(({ incomplete }) => incomplete).indexOf(true)).toBe(12);
  });

  test('has the points of the earlier range next to them', async () => {
    const answer = await get('/timeseries?from=2026-11-19&to=2026-11-20&interval=day&compare=previous');
    expect(answer).toMatchObject({
      points: [
        { time: YESTERDAY.from, incomplete: false, ...OF_YESTERDAY },
        { time: TODAY.from, incomplete: true, ...OF_TODAY },
      ],
      comparison: {
        range: { from: '2026-11-17T00:00:00.000Z', to: '2026-11-18T12:00:00.000Z', interval: 'day' },
        points: [
          { time: '2026-11-17T00:00:00.000Z', incomplete: false, ...NOTHING },
          { time: '2026-11-18T00:00:00.000Z', incomplete: true, ...NOTHING },
        ],
      },
    });
  });

  test('covers weeks that the range cuts, counting only what lies inside', async () => {
    const answer = await get('/timeseries?from=2026-11-20&to=2026-11-20&interval=week');
    expect(answer).toMatchObject({
      points: [{ local: '2026-11-16T00:00:00+00:00', incomplete: true, visitors: 2 }],
    });
  });

  test('gives days of 23 and 25 hours as many points', async () => {
    const count = async (day: string) => {
      const { points } = await get(`/timeseries?from=${day}&to=${day}&interval=hour&timezone=Europe/Berlin`);
      return (points as unknown[]).length; // a list
    };
    expect([await count('2026-03-29'), await count('2026-10-25')]).toEqual([23, 25]);
  });

  test('its pageviews and events add up to the totals', async () => {
    const totals = await get('?period=30d');
    const { points } = await get('/timeseries?period=30d');
    const sum = (metric: string) =>
      (points as Record<string, number>[]).reduce((sum, point) => sum + (point[metric] ?? 0), 0);
    expect([sum('pageviews'), sum('events')]).toEqual([totals.pageviews, totals.events] as number[]);
  });
});

describe('GET …/stats/breakdown', () => {
  const rows = async (query: string) => {
    const { rows } = await get(`/breakdown?${query}`);
    // A list of rows.
    return (rows as { value: string | null; visitors: number }[]).map(({ value, visitors }) => [
      value,
      visitors,
    ]);
  };

  test('answers each value with the seven metrics and its share', async () => {
    expect(await get('/breakdown?dimension=country&period=today')).toEqual({
      range: TODAY,
      dimension: 'country',
      rows: [
        { value: 'DE', ...figures(1, 1, 2, 3, 0, 120), share: 0.5 },
        { value: 'FR', ...figures(1, 1, 1, 1, 1, 0), share: 0.5 },
      ],
      pagination: { total: 2, limit: 100, offset: 0 },
    });
  });

  test.each([
    [
      'dimension=page',
      [
        ['/', 2],
        ['/pricing', 1],
      ],
    ],
    [
      'dimension=page&sort=value:desc',
      [
        ['/pricing', 1],
        ['/', 2],
      ],
    ],
    [
      'dimension=page&sort=events',
      [
        ['/', 2],
        ['/pricing', 1],
      ],
    ],
    ['dimension=page&sort=events:asc&limit=1', [['/', 2]]],
    ['dimension=page&sort=value&limit=1&offset=1', [['/pricing', 1]]],
    ['dimension=page&search=PRI', [['/pricing', 1]]],
    [
      'dimension=source',
      [
        ['Google', 1],
        ['news', 1],
      ],
    ],
    [
      'dimension=visit:channel',
      [
        ['Organic Search', 1],
        ['Referral', 1],
      ],
    ],
    ['dimension=event', [['signup', 1]]],
    [
      'dimension=event&withAbsent=true',
      [
        [null, 2],
        ['signup', 1],
      ],
    ],
    ['dimension=property:plan', [['pro', 1]]],
    ['dimension=property:nothing', []],
  ])('%s', async (query, expected) => {
    expect(await rows(`period=today&${query}`)).toEqual(expected as [string, number][]);
  });

  test('says how many there are beyond the limit', async () => {
    expect(await get('/breakdown?dimension=page&period=today&limit=1')).toMatchObject({
      pagination: { total: 2, limit: 1, offset: 0 },
    });
    expect(await get('/breakdown?dimension=page&limit=99999')).toMatchObject({
      pagination: { limit: 10_000 },
    });
  });

  test('compares each value with itself, and new ones with nothing', async () => {
    const { rows, comparison } = await get('/breakdown?dimension=page&period=today&compare=previous');
    expect(comparison).toEqual({ range: { ...YESTERDAY, to: '2026-11-19T12:00:00.000Z' }, until: NOW });
    expect(rows).toMatchObject([
      { value: '/', comparison: { ...NOTHING, change: { visitors: null } } },
      { value: '/pricing', comparison: { visitors: 1, pageviews: 1, change: { visitors: 0, events: 100 } } },
    ]);
  });

  test('pageviews over pages add up to the total', async () => {
    const { rows } = await get('/breakdown?dimension=page');
    const sum = (rows as { pageviews: number }[]).reduce((sum, row) => sum + row.pageviews, 0);
    expect((await get('')).pageviews).toBe(sum);
  });
});

describe('GET …/stats/values', () => {
  test('lists values for autocomplete, those with most events first', async () => {
    expect(await get('/values?dimension=page&period=today')).toEqual({
      range: TODAY,
      dimension: 'page',
      values: [
        { value: '/', events: 2 },
        { value: '/pricing', events: 2 },
      ],
    });
    expect(await get('/values?dimension=page&search=blog')).toMatchObject({
      values: [{ value: '/blog/a', events: 1 }],
    });
    expect(await get('/values?dimension=page&limit=1')).toMatchObject({ values: { length: 1 } });
  });
});

describe('GET …/stats/dashboard', () => {
  test('agrees with the routes that it stands for', async () => {
    const query = '?period=today&compare=previous';
    const dashboard = await get(`/dashboard${query}&breakdowns=page,visit:country&limit=1`);
    const { range: _range, comparison, ...totals } = await get(query);
    const { range, points, comparison: earlier } = await get(`/timeseries${query}`);
    const { rows: pages } = await get(`/breakdown${query}&dimension=page&limit=1`);
    const { rows: countries } = await get(`/breakdown${query}&dimension=country&limit=1`);
    expect(dashboard).toEqual({
      range,
      totals,
      points,
      breakdowns: [
        { dimension: 'page', rows: pages, total: 2 },
        { dimension: 'country', rows: countries, total: 2 },
      ],
      comparison: { ...(comparison as object), ...(earlier as object) },
    });
  });

  test('shows six breakdowns by default, and takes a JSON list for keys with commas', async () => {
    const named = async (query: string) => {
      const { breakdowns } = await get(`/dashboard?${query}`);
      return (breakdowns as { dimension: string }[]).map(({ dimension }) => dimension);
    };
    expect(await named('')).toEqual(['page', 'source', 'country', 'deviceType', 'browser', 'os']);
    expect(await named('breakdowns=["property:a,b","page"]')).toEqual(['property:a,b', 'page']);
  });
});

describe('GET …/stats/dimensions', () => {
  test('lists every name that the other routes accept', async () => {
    const lists = await get('/dimensions');
    expect(Object.keys(lists)).toEqual([
      'dimensions',
      'metrics',
      'operators',
      'traffic',
      'periods',
      'intervals',
      'comparisons',
    ]);
    for (const { name } of lists.dimensions as { name: string }[])
      expect((await service.ask(`/stats/breakdown?dimension=${name}`)).status).toBe(200);
    for (const { name } of lists.metrics as { name: string }[])
      expect((await service.ask(`/stats/breakdown?dimension=page&sort=${name}:asc`)).status).toBe(200);
    for (const { name } of lists.periods as { name: string }[])
      expect((await service.ask(`/stats?period=${name}`)).status).toBe(200);
  });
});

describe('a refusal names each fault and the valid names', () => {
  const DIMENSIONS =
    'Valid: page, hostname, eventType, event, entryPage, exitPage, referrer, source, channel, utmSource, utmMedium, utmCampaign, utmContent, utmTerm, country, region, city, deviceType, browser, browserVersion, os, osVersion, language, screen, screenSize, bot, countedBy, visitorType, property:KEY';
  const INSTANT =
    'Must be a date such as 2026-11-20, a time such as 2026-11-20T13:00, or milliseconds since the epoch; from the year 1970 on';
  test.each<[string, Record<string, string[]>]>([
    ['?period=today&from=2026-11-01', { period: ['Must not be given together with from and to'] }],
    ['?from=x&to=y', { from: [INSTANT], to: [INSTANT] }],
    ['?to=2026-11-20', { from: ['Required with to'] }],
    ['?from=2026-11-20&to=2026-11-19', { to: ['Must be after from'] }],
    ['?from=2026-11-20T10:00&to=2026-11-20T10:00', { to: ['Must be after from'] }],
    ['?from=2027-01-01', { from: ['Must not be after today'] }],
    ['?timezone=Mars', { timezone: ['Must be an IANA time zone such as Europe/Berlin'] }],
    ['?timezone=%2B01:00', { timezone: ['Must be an IANA time zone such as Europe/Berlin'] }],
    [
      '/timeseries?interval=minute',
      {
        interval: [
          'By minute, this range has more than 2000 points; ask for a longer interval or a shorter range',
        ],
      },
    ],
    ['/breakdown', { dimension: [`Required. ${DIMENSIONS}`] }],
    ['/breakdown?dimension=contry', { dimension: [`Unknown dimension "contry". ${DIMENSIONS}`] }],
    ['/breakdown?dimension=property:', { dimension: [`Unknown dimension "property:". ${DIMENSIONS}`] }],
    ['/breakdown?dimension=toString', { dimension: [`Unknown dimension "toString". ${DIMENSIONS}`] }],
    [
      '/breakdown?dimension=page&sort=bounces:up',
      {
        sort: [
          'Unknown column "bounces". Valid: visitors, visits, pageviews, events, viewsPerVisit, bounceRate, visitDuration, goalVisitors, goalRate, METRIC.change, METRIC.percent, value',
          'The direction must be asc or desc',
        ],
      },
    ],
    ['/dashboard?breakdowns=page,contry', { breakdowns: [`Unknown dimension "contry". ${DIMENSIONS}`] }],
    [
      `/dashboard?breakdowns=${Array(31).fill('page').join(',')}`,
      { breakdowns: ['Must be at most 30 dimensions'] },
    ],
    [
      '?period=x&filters=[["is"]]&compare=z',
      {
        period: [
          'Must be one of: today, yesterday, 24h, 7d, 28d, 30d, 90d, 91d, month, lastmonth, year, 6mo, 12mo, all',
        ],
        filters: [
          `[0][1]: Unknown dimension "nothing". ${DIMENSIONS}, goal, segment`,
          '[0][2]: Must be a list of texts, numbers or booleans',
        ],
        compare: ['Must be one of: previous, year, custom'],
      },
    ],
  ])('%s', async (path, faults) => {
    expect(statusAndBody(await service.ask(`/stats${path}`))).toEqual(refused(faults));
  });

  test('no request above caused an internal error', () => {
    expect(service.errors).toEqual([]);
  });
});
