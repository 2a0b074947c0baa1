import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics } from './support.ts';

const long = `/${'l'.repeat(300)}`;

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const at = '2026-11-18T09:00:00Z';
  await service.track([
    { at, visitor: 'a', page: '/%C3%BC' },
    { at, visitor: 'b', page: long },
  ]);
});
afterAll(() => service.close());

describe('a page with escapes, and one longer than 255 characters', () => {
  const range = 'from=2026-11-18&to=2026-11-18';
  test.each([
    ['/%C3%BC', '/ü'],
    ['/%c3%bc', '/ü'],
    ['/ü', '/ü'],
    [long, long.slice(0, 255)],
    [`${long}other`, long.slice(0, 255)],
  ])('the detail of %s is of the page as the list calls it', async (page, called) => {
    const detail = await service.get(`/pages/detail?page=${encodeURIComponent(page)}&${range}`);
    expect(detail).toMatchObject({ page: called, visitors: 1 });
    const { pages } = await service.get(`/pages?${range}`);
    expect(pages).toContainEqual(expect.objectContaining({ page: called }));
  });

  test.each(['is', 'contains', 'starts_with', 'ends_with'])(
    'a filter by %s cuts its value as values are cut',
    async (operator) => {
      const filters = encodeURIComponent(JSON.stringify([[operator, 'page', [long]]]));
      expect(await service.get(`/stats?${range}&filters=${filters}`)).toMatchObject({ visitors: 1 });
    },
  );
});

describe('the keys of properties', () => {
  test('GET …/stats/properties has no empty key', async () => {
    const properties = { '': 1, k: 2 };
    await service.track([{ at: 0, visitor: 'v', type: 'custom', properties }]);
    expect(await service.get('/stats/properties?period=today')).toMatchObject({
      properties: [{ key: 'k', events: 1, visitors: 1 }],
      pagination: { total: 1 },
    });
  });
});
