import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { statusAndBody } from '../../support/service.ts';
import { type MetricsService, startMetrics } from '../support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.track([
    {
      at: '2026-11-18T09:00:00Z',
      visitor: 'a',
      page: '/',
      country: 'DE',
      referrer: 'https://www.google.com/',
    },
    { at: '2026-11-18T09:01:00Z', visitor: 'a', page: '/pricing', country: 'DE' },
    {
      at: '2026-11-18T09:01:40Z',
      visitor: 'a',
      page: '/pricing',
      country: 'DE',
      type: 'custom',
      properties: { name: 'signup', plan: 'pro' },
    },
    { at: '2026-11-20T09:30:00Z', visitor: 'a', page: '/', country: 'DE' },
    {
      at: '2026-11-20T10:00:00Z',
      visitor: 'b',
      page: '/',
      country: 'FR',
      fields: { deviceType: 'mobile' },
    },
    { at: '2026-11-20T10:10:00Z', visitor: 'c', page: '/pricing' },
  ]);
});
afterAll(() => service.close());

const RANGE = ['2026-11-14', '2026-11-20'];
const query = (body: unknown, path = `${service.base}/query`) =>
  service.send('POST', path, { token: service.ada.token, body });

async function results(body: object): Promise<[string[], number[]][]> {
  const answer = await query({ date_range: RANGE, metrics: ['visitors'], ...body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { results } = answer.body as { results: { dimensions: string[]; metrics: number[] }[] };
  return results.map(({ dimensions, metrics }) => [dimensions, metrics]);
}

describe('POST …/query', () => {
  test('answers totals with the query that was understood', async () => {
    const { status, body } = await query({
      metrics: [
        'visitors',
        'visits',
        'pageviews',
        'events',
        'views_per_visit',
        'bounce_rate',
        'visit_duration',
      ],
      date_range: RANGE,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      results: [{ dimensions: [], metrics: [3, 4, 5, 6, 1.25, 75, 25] }],
      meta: {},
      query: {
        site_id: service.website.id,
        metrics: [
          'visitors',
          'visits',
          'pageviews',
          'events',
          'views_per_visit',
          'bounce_rate',
          'visit_duration',
        ],
        date_range: ['2026-11-14T00:00:00+00:00', '2026-11-20T23:59:59+00:00'],
        dimensions: [],
        filters: [],
        order_by: [['visitors', 'desc']],
        include: {
          imports: false,
          time_labels: false,
          total_rows: false,
          trim_relative_date_range: false,
        },
        pagination: { limit: 10_000, offset: 0 },
      },
    });
  });

  test.each<[string, object, [string[], number[]][]]>([
    [
      'a dimension, by the first metric',
      { metrics: ['visitors', 'percentage'], dimensions: ['visit:country'] },
      [
        [['(not set)'], [1, 33.3]],
        [['DE'], [1, 33.3]],
        [['FR'], [1, 33.3]],
      ],
    ],
    [
      'an order of its own',
      {
        dimensions: ['event:page'],
        order_by: [['event:page', 'desc']],
      },
      [
        [['/pricing'], [2]],
        [['/'], [2]],
      ],
    ],
    [
      'an order by two columns',
      {
        metrics: ['visitors', 'pageviews'],
        dimensions: ['visit:country'],
        order_by: [
          ['visitors', 'desc'],
          ['pageviews', 'asc'],
        ],
      },
      [
        [['(not set)'], [1, 1]],
        [['FR'], [1, 1]],
        [['DE'], [1, 3]],
      ],
    ],
    [
      'Plausible’s names for what is absent',
      { metrics: ['visits'], dimensions: ['visit:source'] },
      [
        [['Direct / None'], [3]],
        [['Google'], [1]],
      ],
    ],
    [
      'and in filters',
      {
        metrics: ['visits'],
        dimensions: ['visit:source'],
        filters: [['is', 'visit:source', ['Direct / None']]],
      },
      [[['Direct / None'], [3]]],
    ],
    [
      'devices in capitals',
      { dimensions: ['visit:device'], filters: [['is', 'visit:device', ['Mobile']]] },
      [[['Mobile'], [1]]],
    ],
    [
      'properties',
      { metrics: ['events'], dimensions: ['event:props:plan'] },
      [
        [['(none)'], [5]],
        [['pro'], [1]],
      ],
    ],
    ['goals', { metrics: ['events'], filters: [['is', 'event:goal', ['signup']]] }, [[[], [1]]]],
    [
      'days in which something happened',
      { dimensions: ['time:day'] },
      [
        [['2026-11-18'], [1]],
        [['2026-11-20'], [3]],
      ],
    ],
    [
      'hours',
      { date_range: 'day', dimensions: ['time'] },
      [
        [['2026-11-20 09:00:00'], [1]],
        [['2026-11-20 10:00:00'], [2]],
      ],
    ],
    ['weeks', { dimensions: ['time:week'] }, [[['2026-11-16'], [3]]]],
    ['months', { dimensions: ['time:month'] }, [[['2026-11-01'], [3]]]],
    [
      'time and a dimension',
      { dimensions: ['time:day', 'event:page'] },
      [
        [['2026-11-18', '/'], [1]],
        [['2026-11-18', '/pricing'], [1]],
        [['2026-11-20', '/'], [2]],
        [['2026-11-20', '/pricing'], [1]],
      ],
    ],
    [
      'a dimension and time',
      { dimensions: ['visit:country', 'time:day'], order_by: [['visit:country', 'desc']] },
      [
        [['FR', '2026-11-20'], [1]],
        [['DE', '2026-11-18'], [1]],
        [['DE', '2026-11-20'], [1]],
        [['(not set)', '2026-11-20'], [1]],
      ],
    ],
    [
      'two dimensions, paged',
      {
        metrics: ['pageviews'],
        dimensions: ['visit:country', 'event:page'],
        pagination: { limit: 3, offset: 1 },
      },
      [
        [['(not set)', '/pricing'], [1]],
        [['DE', '/pricing'], [1]],
        [['FR', '/'], [1]],
      ],
    ],
    [
      'and, or, not',
      {
        filters: [
          [
            'not',
            [
              'or',
              [
                ['is', 'visit:country', ['DE']],
                ['is', 'visit:country', ['FR']],
              ],
            ],
          ],
        ],
      },
      [[[], [1]]],
    ],
  ])('answers %s', async (_, body, expected) => {
    expect(await results(body)).toEqual(expected);
  });

  test('two dimensions agree with each other’s order', async () => {
    const pairs = async (...dimensions: string[]) => await results({ metrics: ['events'], dimensions });
    const turned = (await pairs('event:page', 'visit:country')).map(
      ([[page = '', country = ''], metrics]) => [[country, page], metrics],
    );
    expect(turned.toSorted()).toEqual((await pairs('visit:country', 'event:page')).toSorted());
  });

  test('includes what is asked for', async () => {
    const { body } = await query({
      metrics: ['visitors'],
      date_range: ['2026-11-19', '2026-11-20'],
      dimensions: ['time:day'],
      include: { imports: true, time_labels: true, total_rows: true },
    });
    expect(body).toMatchObject({
      results: [{ dimensions: ['2026-11-20'] }],
      meta: {
        imports_included: false,
        imports_skip_reason: 'no_imported_data',
        time_labels: ['2026-11-19', '2026-11-20'],
        total_rows: 1,
      },
    });
    const paged = await query({
      metrics: ['visitors'],
      date_range: RANGE,
      dimensions: ['visit:country'],
      include: { total_rows: true },
      pagination: { limit: 1, offset: 2 },
    });
    expect(paged.body).toMatchObject({ results: [{ dimensions: ['FR'] }], meta: { total_rows: 3 } });
  });

  test('reads days in the time zone of the website', async () => {
    await service.changeSettings({ timezone: 'Pacific/Kiritimati' });
    expect(await results({ dimensions: ['time:day'], date_range: ['2026-11-14', '2026-11-21'] })).toEqual([
      [['2026-11-18'], [1]],
      [['2026-11-20'], [1]],
      [['2026-11-21'], [2]],
    ]);
    await service.changeSettings({ timezone: 'UTC' });
  });
});

describe('POST /api/v2/query', () => {
  const ask = (site_id: unknown, token = service.ada.token) =>
    service.send('POST', '/api/v2/query', {
      token,
      body: { site_id, metrics: ['visitors'], date_range: RANGE },
    });

  test.each(['example.com', 'www.example.com', 'https://example.com', 'EXAMPLE.com', 'http://example.com/'])(
    'finds the website by %s',
    async (siteId) => {
      expect(await ask(siteId)).toMatchObject({
        status: 200,
        body: { results: [{ dimensions: [], metrics: [3] }], query: { site_id: siteId } },
      });
    },
  );

  test('finds it by its id, and with an API key that may read', async () => {
    expect((await ask(service.website.id)).status).toBe(200);
    expect((await ask('example.com', service.ada.apiKey)).status).toBe(200);
    const created = await service.send('POST', '/api/v1/auth/api-keys', {
      token: service.ada.token,
      body: { name: 'stats', scopes: ['read'] },
    });
    const { key } = created.body as { key: string }; // the contract's answer
    expect((await ask('example.com', key)).status).toBe(200);
  });

  test('does not find what is unknown', async () => {
    const notFound = { status: 404, body: { error: 'NOT_FOUND', message: 'Website not found' } };
    for (const site of ['unknown.example', 'not a domain', '__proto__', 'https://'])
      expect(statusAndBody(await ask(site))).toEqual(notFound);
  });
});

test('no request above caused an internal error', () => {
  expect(service.errors).toEqual([]);
});
