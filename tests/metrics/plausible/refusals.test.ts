import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as refusals from '../../../src/metrics/plausible/refusals.ts';
import { statusAndBody } from '../../support/service.ts';
import { type MetricsService, refused, startMetrics } from '../support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
});
afterAll(() => service.close());

const query = (body: unknown) =>
  service.send('POST', `${service.base}/query`, { token: service.ada.token, body });

describe('a refusal names each fault and the valid names', () => {
  const METRICS =
    'Valid: visitors, visits, pageviews, events, views_per_visit, bounce_rate, visit_duration, percentage, conversion_rate, group_conversion_rate, total_revenue, average_revenue';
  const RANGE =
    'Must be day, 24h, 7d, 28d, 30d, 91d, month, 6mo, 12mo, year, all or another number of d (at most 5000) or mo (100); or first and last date, in this order, such as ["2026-11-01","2026-11-20"]';
  const OPERATORS =
    'Valid: is, is_not, contains, contains_not, starts_with, ends_with, matches, matches_not, and, or, not, has_done, has_not_done';
  const FILTERS = 'Must be a list of filters such as [["is","visit:country",["DE","FR"]]]';
  const VALUES = 'Must be a list of texts or whole numbers';
  const ORDER = 'Must be a list such as [["visitors","desc"]], no longer than metrics and dimensions';
  const INCLUDE = 'Must be an object with imports, time_labels, total_rows, trim_relative_date_range';
  const PAGINATION = 'Must be an object with limit, offset';
  const MEMBERS =
    'Unknown. Valid: site_id, metrics, date_range, dimensions, filters, order_by, include, pagination';
  test.each<[unknown, Record<string, string[]>]>([
    [{}, { metrics: [`Must be a list of 1 to 12 metrics. ${METRICS}`], date_range: [`Required. ${RANGE}`] }],
    [{ metrics: ['loudness'] }, { metrics: [`Unknown metric "loudness". ${METRICS}`] }],
    [
      { metrics: ['visitors', 'scroll_depth', 'exit_rate'] },
      {
        metrics: [
          'Scroll depth is with the events, not in reports',
          'Exit rates are those of GET /api/v1/websites/:id/pages',
        ],
      },
    ],
    [
      { dimensions: ['visit:exit_page_hostname', 'visit:entry_page_hostname'] },
      {
        dimensions: [
          'The hosts of entry and exit pages are not kept',
          'The hosts of entry and exit pages are not kept',
        ],
      },
    ],
    [{ metrics: ['percentage'] }, { metrics: ['percentage needs dimensions'] }],
    [{ date_range: '0d' }, { date_range: [RANGE] }],
    [{ date_range: '5001d' }, { date_range: [RANGE] }],
    [{ date_range: '101mo' }, { date_range: [RANGE] }],
    [{ date_range: '3w' }, { date_range: [RANGE] }],
    [{ date_range: 'realtime' }, { date_range: [RANGE] }],
    [{ date_range: ['2026-11-20'] }, { date_range: [RANGE] }],
    [{ date_range: ['2026-11-20', '2026-11-19'] }, { date_range: [RANGE] }],
    [
      { dimensions: ['time', 'visit:os', 'visit:browser', 'visit:device', 'visit:source', 'event:page'] },
      { dimensions: ['Must be a list of at most 5 dimensions'] },
    ],
    [{ dimensions: ['time:day', 'time:hour'] }, { dimensions: ['Must have at most one time dimension'] }],
    [
      { date_range: '12mo', dimensions: ['time:hour'] },
      {
        dimensions: [
          'By hour, this range has more than 2000 points; ask for a longer interval or a shorter range',
        ],
      },
    ],
    [
      { filters: [['matches', 'event:page', ['^/a', '^/[']]] },
      {
        filters: ['[0][2]: Not a regular expression: Unclosed [, at character 4'],
      },
    ],
    [
      { filters: [['equals', 'event:page', ['/a']]] },
      { filters: [`[0][0]: Unknown operator "equals". ${OPERATORS}`] },
    ],
    [
      { filters: [['is', 'event:page', ['/a'], { case: false }]] },
      { filters: ['[0][3]: Must be {"case_sensitive":true} or {"case_sensitive":false}'] },
    ],
    [
      { filters: [['contains', 'event:page', ['/a'], { case_sensitive: true }]] },
      { filters: ['[0][3]: contains, starts_with and ends_with never mind the case'] },
    ],
    [
      { filters: [['is', 'event:goal', ['Visit /pricing']]] },
      {
        filters: [
          '[0][2]: This website has no goals, so its custom events stand for them; add a goal, or ask event:page',
        ],
      },
    ],
    [
      { filters: [['not', ['is_not', 'event:goal', ['signup']]]] },
      { filters: ['[0][1][0]: event:goal can be asked with is and contains'] },
    ],
    [
      { order_by: [['visits', 'desc']] },
      {
        order_by: [
          '"["visits","desc"]" must be one of the query’s metrics or dimensions with "asc" or "desc"',
        ],
      },
    ],
    [
      { order_by: 'visitors' },
      { order_by: ['Must be a list such as [["visitors","desc"]], no longer than metrics and dimensions'] },
    ],
    [{ metrics: ['visits', 'visits'] }, { metrics: ['Must not name a metric twice'] }],
    [{ metrics: [null] }, { metrics: [`Unknown metric "null". ${METRICS}`] }],
    [{ metrics: 'visits' }, { metrics: [`Must be a list of 1 to 12 metrics. ${METRICS}`] }],
    [{ metrics: ['percentage'], dimensions: [] }, { metrics: ['percentage needs dimensions'] }],
    [{ date_range: null }, { date_range: [RANGE] }],
    [{ date_range: ['2026-11-18', null] }, { date_range: [RANGE] }],
    [{ date_range: ['1700000000000', '1800000000000'] }, { date_range: [RANGE] }],
    [{ date_range: ['2026-11-18T00:00:00', '2026-11-19T00:00:00'] }, { date_range: [RANGE] }],
    [{ date_range: ['2026-11-18', '2026-11-19T00:00:00Z'] }, { date_range: [RANGE] }],
    [{ date_range: ['2026-02-29', '2026-03-01'] }, { date_range: [RANGE] }],
    [{ dimensions: null }, { dimensions: ['Must be a list of at most 5 dimensions'] }],
    [{ dimensions: 'visit:os' }, { dimensions: ['Must be a list of at most 5 dimensions'] }],
    [{ dimensions: ['visit:os', 'visit:os'] }, { dimensions: ['Must not name a dimension twice'] }],
    [{ dimensions: ['time', 'time'] }, { dimensions: ['Must not name a dimension twice'] }],
    [{ filters: null }, { filters: [FILTERS] }],
    [{ filters: {} }, { filters: [FILTERS] }],
    [{ filters: [null] }, { filters: [`[0]: ${FILTERS}`] }],
    [{ filters: ['not'] }, { filters: [`[0]: ${FILTERS}`] }],
    [{ filters: [['is', 'event:page', '/a']] }, { filters: [`[0][2]: ${VALUES}`] }],
    [{ filters: [['is', 'event:page', [null]]] }, { filters: [`[0][2]: ${VALUES}`] }],
    [{ filters: [['is', 'event:page', [true, 1.5]]] }, { filters: [`[0][2]: ${VALUES}`] }],
    [{ filters: [['is', 'event:page', [['/a']]]] }, { filters: [`[0][2]: ${VALUES}`] }],
    [{ order_by: null }, { order_by: [ORDER] }],
    [{ order_by: {} }, { order_by: [ORDER] }],
    [
      { order_by: [['visitors', 'desc', null]] },
      {
        order_by: [
          '"["visitors","desc",null]" must be one of the query’s metrics or dimensions with "asc" or "desc"',
        ],
      },
    ],
    [{ include: null }, { include: [INCLUDE] }],
    [{ include: ['total_rows'] }, { include: [INCLUDE] }],
    [
      { include: { imports: null, total_rows: 'yes', comparisons: {} } },
      {
        include: [
          'Unknown member "comparisons". Valid: imports, time_labels, total_rows, trim_relative_date_range',
          'imports must be true or false',
          'total_rows must be true or false',
        ],
      },
    ],
    [{ pagination: null }, { pagination: [PAGINATION] }],
    [{ pagination: [null, null] }, { pagination: [PAGINATION] }],
    [{ pagination: 10 }, { pagination: [PAGINATION] }],
    [
      { pagination: { limit: null, offset: null } },
      {
        pagination: [
          'limit must be a whole number from 1 to 10000',
          'offset must be a whole number from 0 to 1000000000',
        ],
      },
    ],
    [
      { pagination: { limit: '10', page: 2 } },
      {
        pagination: [
          'Unknown member "page". Valid: limit, offset',
          'limit must be a whole number from 1 to 10000',
        ],
      },
    ],
    [{ site_id: 7 }, { site_id: ['Must be a text'] }],
    [
      { filter: [], ['x'.repeat(100)]: 1 },
      { filter: [MEMBERS], ['x'.repeat(60)]: [MEMBERS] },
    ],
    [{ include: { time_labels: true } }, { include: ['time_labels needs a time dimension'] }],
    [
      { pagination: { limit: 10_001, offset: -1 } },
      {
        pagination: [
          'limit must be a whole number from 1 to 10000',
          'offset must be a whole number from 0 to 1000000000',
        ],
      },
    ],
  ])('%j', async (body, faults) => {
    const isWhole = JSON.stringify(body) === '{}';
    const sent = isWhole ? body : { metrics: ['visitors'], date_range: '7d', ...(body as object) };
    expect(statusAndBody(await query(sent))).toEqual(refused(faults, 'Invalid query'));
  });

  test('many unknown members are cut short', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`name${index}`, 1]));
    const { body } = await query({ metrics: ['visitors'], date_range: '7d', ...many });
    expect(Object.keys(body.details.fieldErrors)).toEqual(
      Array.from({ length: 10 }, (_, index) => `name${index}`),
    );
  });

  test('an unknown dimension lists Plausible’s names', async () => {
    const { body } = await query({ metrics: ['visitors'], date_range: '7d', dimensions: ['visit:town'] });
    expect(JSON.stringify(body)).toContain('Unknown dimension \\"visit:town\\". Valid: time, time:minute');
    expect(JSON.stringify(body)).toContain('visit:country');
  });

  test.each([
    ['no object', '[]', 400],
    ['unreadable', '{"metrics":', 400],
    ['nothing', '', 400],
  ])('a body that is %s', async (_, rawBody, status) => {
    const answer = await service.send('POST', `${service.base}/query`, {
      token: service.ada.token,
      rawBody,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer).toMatchObject({ status, body: { error: 'VALIDATION_ERROR' } });
  });
});

test('every reason stands in the documentation', () => {
  const text = readFileSync(join(import.meta.dir, '../../../docs/plausible.md'), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  );
  const reasons = Object.values(refusals).flatMap((value) =>
    typeof value === 'string' ? value : [...value.values()],
  );
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons.filter((reason) => !text.includes(reason))).toEqual([]);
});

test('no request above caused an internal error', () => {
  expect(service.errors).toEqual([]);
});
