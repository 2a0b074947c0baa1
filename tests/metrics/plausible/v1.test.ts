import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { statusAndBody } from '../../support/service.ts';
import { type MetricsService, refused, startMetrics } from '../support.ts';

/** Now is Friday, 20 November 2026, 12:00 UTC. */
let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const google = 'https://www.google.com/';
  await service.track([
    { at: '2026-10-30T10:00:00Z', visitor: 'a', page: '/' },
    { at: '2026-11-10T10:00:00Z', visitor: 'a', page: '/blog/one', country: 'DE' },
    { at: '2026-11-10T10:02:00Z', visitor: 'a', page: '/pricing', country: 'DE' },
    { at: '2026-11-18T10:00:00Z', visitor: 'a', page: '/blog/one/comments', country: 'DE' },
    { at: '2026-11-18T10:00:00Z', visitor: 'b', page: '/blog/two', country: 'FR', referrer: google },
    {
      at: '2026-11-19T10:00:00Z',
      visitor: 'c',
      page: '/a|b',
      type: 'custom',
      properties: { name: 'Signup', plan: 'pro' },
    },
    { at: '2026-11-20T10:00:00Z', visitor: 'd', page: '/Blog' },
    { at: '2026-11-20T11:58:00Z', visitor: 'd', page: '/pricing' },
  ]);
});
afterAll(() => service.close());

const ask = (report: string, parameters: Record<string, string> = {}, token = service.ada.apiKey) =>
  service.send(
    'GET',
    `/api/v1/stats/${report}?${new URLSearchParams({ site_id: 'example.com', ...parameters })}`,
    { token },
  );

async function results(report: string, parameters: Record<string, string>): Promise<unknown> {
  const { status, body } = await ask(report, parameters);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { results: unknown }).results;
}
/** The figure of `aggregate` without a choice of metrics. */
const visitors = async (parameters: Record<string, string>) => {
  const { visitors } = (await results('aggregate', parameters)) as { visitors: { value: number } };
  return visitors.value;
};

describe('aggregate', () => {
  test('compares with as many days before', async () => {
    const metrics = 'visitors,visits,pageviews,events,views_per_visit,bounce_rate,visit_duration';
    expect(await results('aggregate', { period: '7d', metrics, compare: 'previous_period' })).toEqual({
      visitors: { value: 3, comparison_value: 1, change: 200 },
      visits: { value: 3, comparison_value: 1, change: 200 },
      pageviews: { value: 2, comparison_value: 2, change: 0 },
      events: { value: 3, comparison_value: 2, change: 50 },
      views_per_visit: { value: 0.67, comparison_value: 2, change: -66 },
      bounce_rate: { value: 67, comparison_value: 0, change: null },
      visit_duration: { value: 0, comparison_value: 120, change: -100 },
    });
  });

  test('compares a month that is running with as many days', async () => {
    expect(await results('aggregate', { period: 'month', compare: 'previous_period' })).toEqual({
      visitors: { value: 4, comparison_value: 1, change: 300 },
    });
  });

  test.each<[Record<string, string>, number]>([
    [{}, 3],
    [{ period: '30d' }, 3],
    [{ period: '7d' }, 3],
    [{ period: '7d', date: '2026-11-18' }, 0],
    [{ period: '7d', date: '2026-11-19' }, 2],
    [{ period: 'day' }, 1],
    [{ period: 'day', date: '2026-11-18' }, 2],
    [{ period: 'day', date: 'today' }, 1],
    [{ period: 'month' }, 4],
    [{ period: 'month', date: '2026-10-03' }, 1],
    [{ period: '1mo' }, 4],
    [{ period: '6mo', date: '2026-10-03' }, 1],
    [{ period: 'custom', date: '2026-11-10, 2026-11-18' }, 2],
    [{ period: 'year' }, 4],
    [{ period: 'all' }, 4],
    [{ period: '24h' }, 1],
  ])('of %j counts %d', async (parameters, value) => {
    expect(await visitors(parameters)).toBe(value);
  });

  test.each<[string, number]>([
    ['visit:country==DE', 1],
    ['visit:country!=DE', 3],
    ['visit:country==DE|FR', 2],
    ['visit:country!=DE|FR', 2],
    ['visit:country==DE;event:page==/pricing', 1],
    [' visit:country == DE ; event:page == /pricing ', 1],
    ['event:page==/blog*', 3],
    ['event:page==*/one', 1],
    ['event:page==*one*', 1],
    ['event:page==/blog/*/comments', 1],
    ['event:page==/blog/**/comments', 1],
    ['event:page==/blog/one/*ne/comments', 0],
    ['event:page==/pricing*g**', 0],
    ['event:page!=/blog*', 3],
    ['event:page==/pricing|/blog/*o', 3],
    ['event:page==/a\\|b', 1],
    ['event:goal==Signup', 1],
    ['event:name==pageview', 3],
    ['visit:source==Direct / None', 3],
    ['event:props:plan==pro', 1],
  ])('with %j counts %d', async (filters, value) => {
    expect(await visitors({ period: 'month', filters })).toBe(value);
  });
});

describe('timeseries', () => {
  test('has every point, by day', async () => {
    expect(await results('timeseries', { period: '7d', metrics: 'visitors,visit_duration' })).toEqual([
      { date: '2026-11-13', visitors: 0, visit_duration: null },
      { date: '2026-11-14', visitors: 0, visit_duration: null },
      { date: '2026-11-15', visitors: 0, visit_duration: null },
      { date: '2026-11-16', visitors: 0, visit_duration: null },
      { date: '2026-11-17', visitors: 0, visit_duration: null },
      { date: '2026-11-18', visitors: 2, visit_duration: 0 },
      { date: '2026-11-19', visitors: 1, visit_duration: 0 },
    ]);
  });

  test.each<[Record<string, string>, number, string, string]>([
    [{}, 30, '2026-10-21', '2026-11-19'],
    [{ period: 'day' }, 24, '2026-11-20 00:00:00', '2026-11-20 23:00:00'],
    [{ period: 'month' }, 30, '2026-11-01', '2026-11-30'],
    [{ period: '6mo' }, 6, '2026-06-01', '2026-11-01'],
    [{ period: '12mo', interval: 'date' }, 365, '2025-12-01', '2026-11-30'],
    [{ period: '7d', interval: 'day' }, 7, '2026-11-13', '2026-11-19'],
    [{ period: 'custom', date: '2026-10-20,2026-11-19', interval: 'month' }, 2, '2026-10-01', '2026-11-01'],
    [{ period: 'all' }, 22, '2026-10-30', '2026-11-20'],
  ])('of %j', async (parameters, count, first, last) => {
    const points = (await results('timeseries', parameters)) as { date: string }[];
    expect([points.length, points[0]?.date, points.at(-1)?.date]).toEqual([count, first, last]);
  });
});

describe('breakdown', () => {
  test.each<[Record<string, string>, unknown]>([
    [
      { property: 'visit:source' },
      [
        { source: 'Direct / None', visitors: 2 },
        { source: 'Google', visitors: 1 },
      ],
    ],
    [
      { property: 'visit:country', metrics: 'visits,visitors' },
      [
        { country: 'DE', visits: 1, visitors: 1 },
        { country: 'FR', visits: 1, visitors: 1 },
      ],
    ],
    [{ property: 'event:goal', metrics: 'events' }, [{ goal: 'Signup', events: 1 }]],
    [
      { property: 'event:props:plan' },
      [
        { plan: '(none)', visitors: 2 },
        { plan: 'pro', visitors: 1 },
      ],
    ],
    [{ property: 'event:page', limit: '1', page: '2' }, [{ page: '/blog/one/comments', visitors: 1 }]],
    [{ property: 'event:page', limit: '2', page: '2' }, [{ page: '/blog/two', visitors: 1 }]],
    [{ property: 'event:page', page: '7' }, []],
    [{ property: 'visit:utm_source' }, []],
  ])('by %j', async (parameters, rows) => {
    expect(await results('breakdown', { period: '7d', ...parameters })).toEqual(rows);
  });
});

test('realtime/visitors is a bare number', async () => {
  const { status, body, headers } = await ask('realtime/visitors');
  expect([status, body, headers.get('content-type')]).toEqual([200, 1, 'application/json;charset=utf-8']);
});

describe('a refusal names the parameter and the reason', () => {
  const FORM = 'must be such as visit:country==DE|FR or event:page!=/blog*';
  test.each<[string, Record<string, string>, Record<string, string[]>]>([
    ['aggregate', { site_id: '' }, { site_id: ['Required'] }],
    [
      'aggregate',
      { period: 'week' },
      {
        period: [
          'Must be day, 24h, 7d, 28d, 30d, 91d, month, 6mo, 12mo, year, all or another number of d (at most 5000) or mo (100); or custom',
        ],
      },
    ],
    ['aggregate', { date: '2026-02-30' }, { date: ['Must be a date such as 2026-11-20'] }],
    ['aggregate', { date: '1700000000000' }, { date: ['Must be a date such as 2026-11-20'] }],
    [
      'aggregate',
      { period: 'custom' },
      { date: ['Must be first and last date such as 2026-11-01,2026-11-20'] },
    ],
    [
      'aggregate',
      { period: 'custom', date: '2026-11-20,2026-11-01' },
      { date: ['Must be first and last date such as 2026-11-01,2026-11-20'] },
    ],
    [
      'aggregate',
      { metrics: 'visitors,conversion_rate' },
      { metrics: ['Conversion rates and revenue are part of version 2'] },
    ],
    ['aggregate', { metrics: 'percentage' }, { metrics: ['percentage is not part of version 1'] }],
    ['aggregate', { metrics: 'visits,visits' }, { metrics: ['Must not name a metric twice'] }],
    [
      'aggregate',
      { filters: 'visit:country=DE;visit:exit_page_hostname==Berlin;event:page==' },
      {
        filters: [
          `"visit:country=DE": ${FORM}`,
          '"visit:exit_page_hostname": The hosts of entry and exit pages are not kept',
          `"event:page==": ${FORM}`,
        ],
      },
    ],
    [
      'aggregate',
      { filters: 'event:goal!=Signup;event:goal==Visit /pricing' },
      {
        filters: [
          '"event:goal": event:goal can be asked with is and contains',
          '"event:goal": This website has no goals, so its custom events stand for them; add a goal, or ask event:page',
        ],
      },
    ],
    [
      'breakdown',
      { property: 'visit:exit_page_hostname' },
      { property: ['The hosts of entry and exit pages are not kept'] },
    ],
    [
      'breakdown',
      { property: 'event:page', limit: '1001', page: '0' },
      { limit: ['Must be at most 1000'], page: ['Must be a whole number from 1'] },
    ],
  ])('%s %j', async (report, parameters, faults) => {
    expect(statusAndBody(await ask(report, parameters))).toEqual(refused(faults));
  });
});

test('no request above caused an internal error', () => {
  expect(service.errors).toEqual([]);
});
