import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics } from '../support.ts';

/**
 * The examples of Plausible's own documentation: the sixteen of https://plausible.io/docs/stats-api#examples, and the
 * requests of https://plausible.io/docs/stats-api-v1. Each is answered, or refused for a reason that stands in
 * docs/plausible.md (see refusals.test.ts).
 */
let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const at = '2026-11-18T09:00:00Z';
  const utm = '/pricing?utm_source=google&utm_medium=paid';
  await service.track([
    { at, visitor: 'a', page: '/docs/start', country: 'EE', fields: { os: 'Linux' } },
    { at, visitor: 'b', page: utm, country: 'US', fields: { os: 'macOS' } },
    { at, visitor: 'b', type: 'custom', properties: { name: 'Signup', is_customer: 'true' } },
    { at, visitor: 'c', page: '/Blog/one', referrer: 'https://www.google.com/', country: 'EE' },
    { at: '2026-11-20T10:30:00Z', visitor: 'd', properties: { is_customer: 'false' } },
    { at, visitor: 'd', type: 'custom', properties: { name: 'Download', method: 'HTTP' } },
    ...['USD', 'EUR'].map((currency) => ({
      at: '2026-01-18T09:00:00Z',
      visitor: 'a',
      type: 'custom' as const,
      properties: { name: `Purchase${currency}`, revenue: { amount: '120', currency } },
    })),
  ]);
  // What a segment is called may be the number that Plausible would have given it.
  await service.send('POST', `${service.base}/segments`, {
    token: service.ada.token,
    body: { name: '2', filters: [['is', 'country', ['EE', 'US']]] },
  });
});
afterAll(() => service.close());

type Row = { dimensions: string[]; metrics: unknown[] };
const row = (dimensions: string[], ...metrics: unknown[]): Row => ({ dimensions, metrics });

const ask = (body: object) =>
  service.send('POST', '/api/v2/query', {
    token: service.ada.apiKey,
    body: { site_id: 'example.com', ...body },
  });

describe('version 2 answers', () => {
  test.each<[string, object, Row[], object]>([
    [
      'Filtering by segment',
      { metrics: ['visitors', 'events'], filters: [['is', 'segment', [2]]], date_range: '7d' },
      [row([], 3, 4)],
      {},
    ],
    ['Simple aggregate query', { metrics: ['visitors', 'events'], date_range: '7d' }, [row([], 4, 5)], {}],
    [
      'Custom date range',
      { metrics: ['visitors'], date_range: ['2024-08-01', '2024-08-15'] },
      [row([], 0)],
      {},
    ],
    [
      'UTM medium, source analysis',
      {
        metrics: ['visitors', 'events', 'pageviews'],
        date_range: '7d',
        dimensions: ['visit:utm_medium', 'visit:utm_source'],
      },
      [row(['(not set)', '(not set)'], 3, 3, 2), row(['paid', 'google'], 1, 2, 1)],
      {},
    ],
    [
      'Filtering by page and country',
      {
        metrics: ['visitors'],
        date_range: '7d',
        filters: [
          ['contains', 'event:page', ['/docs', '/pricing']],
          ['is', 'visit:country_name', ['Estonia', 'United States of America']],
        ],
      },
      [row([], 2)],
      {},
    ],
    [
      'Case insensitive filtering',
      {
        metrics: ['visitors'],
        date_range: '7d',
        filters: [['contains', 'event:page', ['blog'], { case_sensitive: false }]],
      },
      [row([], 1)],
      {},
    ],
    [
      'Timeseries query',
      {
        metrics: ['visitors', 'events'],
        date_range: '7d',
        filters: [['is', 'visit:os', ['GNU/Linux', 'Mac']]],
        dimensions: ['time:day'],
      },
      [row(['2026-11-18'], 2, 3)],
      {},
    ],
    [
      'Timeseries query hourly, with labels',
      {
        metrics: ['visitors'],
        date_range: 'day',
        dimensions: ['time:hour'],
        include: { time_labels: true },
      },
      [row(['2026-11-20 10:00:00'], 1)],
      {
        time_labels: Array.from(
          { length: 24 },
          (_, hour) => `2026-11-20 ${String(hour).padStart(2, '0')}:00:00`,
        ),
      },
    ],
    [
      'Using custom properties',
      {
        metrics: ['visitors'],
        date_range: '7d',
        dimensions: ['time:day', 'event:props:is_customer'],
        order_by: [
          ['time:day', 'asc'],
          ['event:props:is_customer', 'desc'],
        ],
      },
      [row(['2026-11-18', 'true'], 1), row(['2026-11-18', '(none)'], 4)],
      {},
    ],
    [
      'Pagination',
      {
        metrics: ['visitors', 'events', 'pageviews'],
        date_range: '7d',
        dimensions: ['visit:utm_medium', 'visit:utm_source'],
        include: { total_rows: true },
        pagination: { limit: 3, offset: 1 },
      },
      [row(['paid', 'google'], 1, 2, 1)],
      { total_rows: 2 },
    ],
    [
      'Including imported data',
      { metrics: ['visitors'], date_range: 'all', dimensions: ['visit:source'], include: { imports: true } },
      [row(['Direct / None'], 2), row(['Google'], 2)],
      { imports_included: false, imports_skip_reason: 'no_imported_data' },
    ],
    [
      'Including imported data failed',
      {
        metrics: ['visitors'],
        date_range: 'all',
        dimensions: ['visit:source'],
        filters: [['is', 'visit:country_name', ['Estonia']]],
        include: { imports: true },
      },
      [row(['Direct / None'], 1), row(['Google'], 1)],
      { imports_included: false, imports_skip_reason: 'no_imported_data' },
    ],
    [
      'Revenue metrics',
      {
        metrics: ['total_revenue'],
        date_range: ['2026-01-01', '2026-01-31'],
        dimensions: ['event:goal'],
      },
      [
        row(['PurchaseEUR'], { value: 120, currency: 'EUR', long: '€120.00', short: '€120.0' }),
        row(['PurchaseUSD'], { value: 120, currency: 'USD', long: '$120.00', short: '$120.0' }),
      ],
      {},
    ],
    [
      'Revenue metrics could not be calculated',
      {
        metrics: ['total_revenue'],
        date_range: 'all',
        filters: [['is', 'event:goal', ['PurchaseUSD', 'PurchaseEUR']]],
      },
      [row([], null)],
      {
        metric_warnings: {
          total_revenue: {
            code: 'no_single_revenue_currency',
            warning: 'Revenue metrics are null where there are several currencies',
          },
        },
      },
    ],
    [
      'Behavioral filters',
      {
        metrics: ['visitors'],
        date_range: 'all',
        filters: [
          ['is', 'event:goal', ['Signup']],
          ['has_done', ['is', 'event:page', ['/pricing']]],
        ],
      },
      [row([], 1)],
      {},
    ],
    [
      'Country and city analysis',
      {
        metrics: ['visitors', 'pageviews'],
        date_range: '7d',
        filters: [['is_not', 'visit:country_name', ['']]],
        dimensions: ['visit:country_name', 'visit:city_name'],
      },
      [row(['Estonia', '(not set)'], 2, 2), row(['United States', '(not set)'], 1, 1)],
      {},
    ],
  ])('%s', async (_, body, results, meta) => {
    expect(await ask(body)).toMatchObject({ status: 200, body: { results, meta } });
  });
});

const MONTHS = ['06', '07', '08', '09', '10', '11'];

describe('version 1 answers', () => {
  test.each<[string, unknown]>([
    ['realtime/visitors?site_id=example.com', 0],
    [
      'aggregate?site_id=example.com&period=6mo&metrics=visitors,pageviews,bounce_rate,visit_duration',
      {
        results: {
          visitors: { value: 4 },
          pageviews: { value: 4 },
          bounce_rate: { value: 60 },
          visit_duration: { value: 0 },
        },
      },
    ],
    [
      'timeseries?site_id=example.com&period=6mo',
      { results: MONTHS.map((month) => ({ date: `2026-${month}-01`, visitors: month === '11' ? 4 : 0 })) },
    ],
    [
      'breakdown?site_id=example.com&period=6mo&property=visit:source&metrics=visitors,bounce_rate&limit=5',
      {
        results: [
          { source: 'Direct / None', visitors: 2, bounce_rate: 67 },
          { source: 'Google', visitors: 2, bounce_rate: 50 },
        ],
      },
    ],
    [
      'breakdown?site_id=example.com&period=6mo&property=event:page&limit=1',
      { results: [{ page: '/', visitors: 2 }] },
    ],
    [
      'aggregate?site_id=example.com&period=6mo&filters=event:page%3D%3D%2Fpricing',
      { results: { visitors: { value: 1 } } },
    ],
    [
      'timeseries?site_id=example.com&period=6mo&filters=visit:source%3D%3DGoogle',
      { results: MONTHS.map((month) => ({ date: `2026-${month}-01`, visitors: month === '11' ? 2 : 0 })) },
    ],
    [
      'breakdown?site_id=example.com&period=6mo&property=event:props:method&filters=event:goal%3D%3DDownload',
      { results: [{ method: 'HTTP', visitors: 1 }] },
    ],
  ])('%s', async (path, body) => {
    const answer = await service.send('GET', `/api/v1/stats/${path}`, { token: service.ada.apiKey });
    expect([answer.status, answer.body]).toEqual([200, body]);
    expect(answer.headers.get('content-type')).toStartWith('application/json');
  });
});
