import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics } from '../support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const at = '2026-11-19T10:00:00Z';
  const client = (browser: string, os: string) => ({ fields: { browser, os, deviceType: 'desktop' } });
  await service.track([
    { at, visitor: 'a', page: '/Blog', country: 'US', ...client('Edge', 'Windows') },
    { at, visitor: 'b', page: '/blog', country: 'RU', ...client('Opera', 'Linux') },
    { at, visitor: 'b', page: '/blog', ...client('Opera', 'Linux'), type: 'custom', properties: {} },
    { at, visitor: 'c', page: '/blog/a', country: 'DE', ...client('Opera Mini', 'macOS') },
    { at, visitor: 'd', page: '/', country: 'Atlantis', ...client('Instagram', 'iOS') },
    { at, visitor: 'd', page: '/', type: 'click', ...client('Instagram', 'iOS') },
    { at, visitor: 'd', page: '/', type: 'custom', properties: { name: 'signup' } },
    { at, visitor: 'e', page: '/', type: 'custom', properties: { name: 'pageview' } },
    // In the morning with Opera, in the evening with Opera Mini: one visitor of "Opera".
    { at, visitor: 'f', page: '/', ...client('Opera', 'Android') },
    { at: '2026-11-19T20:00:00Z', visitor: 'f', page: '/', ...client('Opera Mini', 'Android') },
    // Two days before, so that the figures of a day are not about it.
    {
      at: '2026-11-17T10:00:00Z',
      visitor: 'g',
      page: '/%C3%BC/A',
      fields: { url: 'https://xn--bcher-kva.example/%C3%BC/A' },
    },
  ]);
});
afterAll(() => service.close());

async function results(body: object): Promise<[string, number][]> {
  const answer = await service.send('POST', `${service.base}/query`, {
    token: service.ada.token,
    body: { metrics: ['visitors'], date_range: '1d', ...body },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const { results } = answer.body as { results: { dimensions: string[]; metrics: number[] }[] };
  return results.map(({ dimensions, metrics: [figure = 0] }) => [dimensions.join(), figure]);
}

const count = async (...filters: unknown[]) => (await results({ filters }))[0]?.[1];

describe('answers have Plausible’s names', () => {
  test.each<[string, [string, number][]]>([
    [
      'visit:browser',
      [
        ['Opera', 3],
        ['(not set)', 1],
        ['Microsoft Edge', 1],
        ['Mobile App', 1],
      ],
    ],
    [
      'visit:os',
      [
        ['(not set)', 1],
        ['Android', 1],
        ['GNU/Linux', 1],
        ['Mac', 1],
        ['Windows', 1],
        ['iOS', 1],
      ],
    ],
    [
      'visit:country_name',
      [
        ['(not set)', 2],
        ['Atlantis', 1],
        ['Germany', 1],
        ['Russian Federation', 1],
        ['United States', 1],
      ],
    ],
    [
      'visit:screen',
      [
        ['Desktop', 5],
        ['(not set)', 1],
      ],
    ],
    [
      'event:name',
      [
        ['pageview', 6],
        ['(not set)', 1],
        ['click', 1],
        ['signup', 1],
      ],
    ],
    [
      'event:goal',
      [
        ['pageview', 1],
        ['signup', 1],
      ],
    ],
    [
      'browser',
      [
        ['Opera', 2],
        ['Opera Mini', 2],
        ['(not set)', 1],
        ['Edge', 1],
        ['Instagram', 1],
      ],
    ],
  ])('%s', async (dimension, rows) => {
    expect(await results({ dimensions: [dimension] })).toEqual(rows);
  });

  test('in their order, on pages, and with the number of rows', async () => {
    const rows = await results({
      dimensions: ['visit:country_name'],
      order_by: [['visit:country_name', 'desc']],
      pagination: { limit: 2, offset: 1 },
    });
    expect(rows).toEqual([
      ['Russian Federation', 1],
      ['Germany', 1],
    ]);
  });

  test('next to another dimension', async () => {
    const filters = [['is', 'visit:browser', ['Opera']]];
    expect(await results({ dimensions: ['visit:browser', 'event:page'], filters })).toEqual([
      ['Opera,/', 1],
      ['Opera,/blog', 1],
      ['Opera,/blog/a', 1],
    ]);
    expect(await results({ dimensions: ['visit:os', 'visit:browser'], filters })).toEqual([
      ['Android,Opera', 1],
      ['GNU/Linux,Opera', 1],
      ['Mac,Opera', 1],
    ]);
  });

  test('as shares of all visitors', async () => {
    expect(await results({ metrics: ['percentage'], dimensions: ['event:goal'] })).toEqual([
      ['pageview', 16.7],
      ['signup', 16.7],
    ]);
  });
});

describe('filters understand them', () => {
  test.each<[number, unknown[]]>([
    [1, ['is', 'visit:browser', ['Microsoft Edge']]],
    [0, ['is', 'visit:browser', ['Edge']]],
    [1, ['is', 'browser', ['Edge']]],
    [3, ['is', 'visit:browser', ['Opera']]],
    [3, ['is_not', 'visit:browser', ['Opera']]],
    [1, ['is', 'visit:browser', ['microsoft edge'], { case_sensitive: false }]],
    [1, ['contains', 'visit:browser', ['MICRO']]],
    [1, ['is', 'visit:browser', ['(not set)']]],
    [5, ['is_not', 'visit:browser', ['']]],
    [2, ['is', 'visit:os', ['GNU/Linux', 'Mac']]],
    [1, ['is', 'visit:country_name', ['Estonia', 'United States of America']]],
    [1, ['is', 'visit:country_name', ['Russia']]],
    [1, ['is', 'visit:country_name', ['Atlantis']]],
    [3, ['contains', 'visit:country_name', ['an']]],
    [4, ['is_not', 'visit:country_name', ['']]],
    [1, ['is', 'visit:country', ['de'], { case_sensitive: false }]],
    [6, ['is', 'event:name', ['pageview']]],
    [1, ['is', 'event:name', ['click']]],
    [2, ['is', 'event:name', ['click', '(not set)']]],
    [1, ['is', 'event:name', ['signup']]],
    [1, ['contains', 'event:goal', ['SIGN']]],
    [0, ['is', 'event:goal', ['purchase']]],
    [1, ['is', 'event:page', ['/blog']]],
    [2, ['is', 'event:page', ['/BLOG'], { case_sensitive: false }]],
    [1, ['is', 'event:page', ['/blog'], { case_sensitive: true }]],
    [4, ['is_not', 'event:page', ['/BLOG'], { case_sensitive: false }]],
    [3, ['is', 'event:page', ['/'], { case_sensitive: false }]],
    [3, ['contains', 'event:page', ['BLOG'], { case_sensitive: false }]],
  ])('%d: %j', async (visitors, filter) => {
    expect(await count(filter)).toBe(visitors);
  });

  test.each<[number, unknown[]]>([
    [1, ['is', 'event:page', ['/%C3%BC/a'], { case_sensitive: false }]],
    [1, ['is', 'event:page', ['/\u00dc/a'], { case_sensitive: false }]],
    [0, ['is', 'event:page', ['/%C3%BC/a']]],
    [0, ['is_not', 'event:page', ['/%c3%bc/a'], { case_sensitive: false }]],
    [1, ['is', 'event:hostname', ['XN--bcher-kva.example'], { case_sensitive: false }]],
    [1, ['is', 'visit:source', ['direct / NONE'], { case_sensitive: false }]],
  ])('in either form and in any case: %d: %j', async (visitors, filter) => {
    const rows = await results({ filters: [filter], date_range: ['2026-11-17', '2026-11-17'] });
    expect(rows).toEqual([['', visitors]]);
  });

  test('where one condition is no other’s', async () => {
    expect(
      await count(
        ['is', 'event:name', ['pageview']],
        [
          'or',
          [
            ['is', 'visit:os', ['Mac']],
            ['not', ['contains', 'visit:country_name', ['a']]],
          ],
        ],
      ),
    ).toBe(3);
  });
});

test('no request above caused an internal error', () => {
  expect(service.errors).toEqual([]);
});
