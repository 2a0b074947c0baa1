import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { VisitList } from '../../src/contract/metrics/visits.ts';
import { statusAndBody } from '../support/service.ts';
import { type MetricsService, refused, startMetrics } from './support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.send('POST', `${service.base}/goals`, {
    token: service.ada.token,
    body: { name: 'Purchase', type: 'event', match: 'purchase' },
  });
  const visit =
    (day: number, visitor: string) =>
    (minute: number, page: string, more: object = {}) => ({
      at: `2026-11-${day}T09:0${minute}:00Z`,
      visitor,
      session: `tab-${visitor}-${day}`,
      page,
      ...more,
    });
  const bought = visit(18, 'a');
  const returned = visit(19, 'a');
  const other = visit(20, 'b');
  await service.track([
    bought(0, '/?utm_source=news', { country: 'DE' }),
    bought(1, '/cart'),
    bought(2, '/cart', {
      type: 'custom',
      properties: { name: 'purchase', revenue: { amount: '79.00', currency: 'EUR' } },
    }),
    bought(3, '/thanks'),
    returned(0, '/docs'),
    other(0, '/'),
    other(1, '/', { type: 'click', properties: { href: 'https://x.example/', text: 'Out' } }),
  ]);
});
afterAll(() => service.close());

const list = async (query: string) => (await service.get(`/visits${query}`)) as unknown as VisitList; // the route's

test('each visit is a row with its path, its goals and its revenue, the latest active first', async () => {
  const { visits, pagination } = await list('');
  expect(pagination.total).toBe(3);
  expect(visits.map(({ visitorId, pageviews }) => [visitorId, pageviews])).toEqual([
    ['b', 1],
    ['a', 1],
    ['a', 3],
  ]);
  expect(visits[2]).toMatchObject({
    sessionId: 'tab-a-18',
    startedAt: '2026-11-18T09:00:00.000Z',
    endedAt: '2026-11-18T09:03:00.000Z',
    duration: 180,
    entryPage: '/',
    exitPage: '/thanks',
    source: 'news',
    country: 'DE',
    goals: ['Purchase'],
    revenue: [{ currency: 'EUR', total: '79.00', average: '79.00', events: 1 }],
    steps: [
      { eventType: 'pageview', page: '/', name: null },
      { eventType: 'pageview', page: '/cart', name: null },
      { eventType: 'custom', page: '/cart', name: 'purchase' },
      { eventType: 'pageview', page: '/thanks', name: null },
    ],
  });
  expect(visits[0]).toMatchObject({ goals: [], revenue: [], steps: [{ page: '/' }, { name: 'Out' }] });
});

test('a filter chooses visits, and each row is of the whole visit', async () => {
  const filters = encodeURIComponent(JSON.stringify([['is', 'goal', ['Purchase']]]));
  const { visits } = await list(`?filters=${filters}`);
  expect(visits).toHaveLength(1);
  expect(visits[0]).toMatchObject({ pageviews: 3, events: 4 });
});

test('minPageviews leaves out shorter visits, and must be a number', async () => {
  const { visits, pagination } = await list('?minPageviews=2');
  expect([visits.length, pagination.total]).toEqual([1, 1]);
  expect(statusAndBody(await service.ask('/visits?minPageviews=many'))).toEqual(
    refused({ minPageviews: ['Must be a whole number from 1'] }),
  );
});
