import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { statusAndBody } from '../support/service.ts';
import { type MetricsService, refused, startMetrics, type TestEvent } from './support.ts';

/** Visits of two weeks: mail converts well, search does not; /old is visited in the earlier week alone. */

let service: MetricsService;
let goalId: string;

const NOW_WEEK = '2026-11-18T09:0';
const EARLIER_WEEK = '2026-11-11T09:0';

function visits(week: string, source: string, count: number, buyers: number): TestEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const visitor = `${week}${source}${index}`;
    const landing = { at: `${week}0:00Z`, visitor, page: `/?utm_source=${source}` };
    const cart = { at: `${week}1:00Z`, visitor, page: '/cart' };
    const purchase = {
      at: `${week}2:00Z`,
      visitor,
      page: '/cart',
      type: 'custom' as const,
      properties: { name: 'purchase', revenue: { amount: '20.00', currency: 'EUR' } },
    };
    return index < buyers ? [landing, cart, purchase] : [landing];
  }).flat();
}

beforeAll(async () => {
  service = await startMetrics();
  await service.track([
    ...visits(NOW_WEEK, 'mail', 20, 10),
    ...visits(NOW_WEEK, 'search', 40, 4),
    ...visits(NOW_WEEK, 'rare', 1, 1),
    ...visits(EARLIER_WEEK, 'mail', 10, 1),
    ...visits(EARLIER_WEEK, 'search', 60, 6),
    ...Array.from({ length: 12 }, (_, index) => ({
      at: `${EARLIER_WEEK}5:00Z`,
      visitor: `old${index}`,
      page: '/old',
    })),
  ]);
  const goal = { name: 'Purchase', type: 'event', match: 'purchase' };
  const { body } = await service.send('POST', `${service.base}/goals`, {
    token: service.ada.token,
    body: goal,
  });
  goalId = (body as { id: string }).id;
});
afterAll(() => service.close());

const WEEK = 'from=2026-11-16&to=2026-11-22';
const COMPARED = `${WEEK}&compare=previous&compareWhole=true`;
type Row = { value: string | null; visitors: number; goalVisitors: number; goalRate: number | null };
const breakdown = async (query: string) =>
  (await service.get(`/stats/breakdown?${query}`)) as { rows: Row[]; pagination: { total: number } };

describe('the rate of a goal by row', () => {
  test('is the visitors who reached it in a visit of the row ÷ the visitors of the row', async () => {
    const { rows } = await breakdown(`dimension=source&goal=Purchase&${COMPARED}`);
    expect(rows).toMatchObject([
      { value: 'search', visitors: 40, goalVisitors: 4, goalRate: 0.1, comparison: { goalRate: 0.1 } },
      {
        value: 'mail',
        goalVisitors: 10,
        goalRate: 0.5,
        comparison: { visitors: 10, goalVisitors: 1, goalRate: 0.1, change: { goalRate: 400 } },
      },
      { value: 'rare', goalRate: 1, comparison: { visitors: 0, goalRate: null } },
    ]);
  });

  test('counts pages that a converter saw anywhere in the visit', async () => {
    const { rows } = await breakdown(`dimension=page&goal=Purchase&${WEEK}`);
    expect(rows.map(({ value, goalVisitors, goalRate }) => ({ value, goalVisitors, goalRate }))).toEqual([
      { value: '/', goalVisitors: 15, goalRate: 15 / 61 },
      { value: '/cart', goalVisitors: 15, goalRate: 1 },
    ]);
  });

  test('sorts rows, those of few visitors after all others', async () => {
    const order = async (sort: string) =>
      (await breakdown(`dimension=source&goal=Purchase&${WEEK}&sort=${sort}`)).rows.map(({ value }) => value);
    expect(await order('goalRate:desc')).toEqual(['mail', 'search', 'rare']);
    expect(await order('goalRate:asc')).toEqual(['search', 'mail', 'rare']);
    expect(await order('goalVisitors:desc')).toEqual(['mail', 'search', 'rare']);
  });

  test('is the same in the lists of the dashboard', async () => {
    const query = `goal=Purchase&${COMPARED}&breakdowns=source,page`;
    const { breakdowns } = (await service.get(`/stats/dashboard?${query}`)) as {
      breakdowns: { rows: Row[] }[];
    };
    for (const [index, dimension] of ['source', 'page'].entries())
      expect(breakdowns[index]?.rows).toEqual(
        (await breakdown(`dimension=${dimension}&goal=Purchase&${COMPARED}`)).rows,
      );
    const ranked = await service.get(`/stats/dashboard?${query}&sort=goalVisitors:desc`);
    expect(ranked).toMatchObject({
      breakdowns: [{ rows: [{ value: 'mail' }, { value: 'search' }, {}] }, {}],
    });
  });
});

describe('an order by change', () => {
  test('has rows of the values that are gone', async () => {
    const { rows, pagination } = await breakdown(`dimension=page&${COMPARED}&sort=visitors.change:asc`);
    expect(rows).toMatchObject([
      { value: '/old', visitors: 0, comparison: { visitors: 12, change: { visitors: -100 } } },
      { value: '/', visitors: 61, comparison: { visitors: 70 } },
      { value: '/cart', visitors: 15, comparison: { visitors: 7 } },
    ]);
    expect(pagination.total).toBe(3);
    const { rows: second } = await breakdown(
      `dimension=page&${COMPARED}&sort=visitors.percent:asc&limit=1&offset=1`,
    );
    expect(second).toMatchObject([{ value: '/' }]);
  });

  test('refuses an order that the question has no figures for', async () => {
    expect(statusAndBody(await service.ask('/stats/breakdown?dimension=page&sort=visitors.change'))).toEqual(
      refused({ sort: ['visitors.change needs compare'] }),
    );
    expect(statusAndBody(await service.ask('/stats/breakdown?dimension=page&sort=goalRate'))).toEqual(
      refused({ sort: ['goalRate needs goal'] }),
    );
  });
});

describe('the primary goal of a website', () => {
  test('is a setting, and part of the profile until its goal is archived or deleted', async () => {
    const primary = async () => (await service.get('/profile')).primaryGoal;
    expect(await primary()).toBeNull();
    expect((await service.changeSettings({ primaryGoalId: goalId })).body).toMatchObject({
      primaryGoalId: goalId,
    });
    expect(await primary()).toEqual({ id: goalId, name: 'Purchase' });
    expect(await service.get(`/stats?${WEEK}&goal=primary`)).toMatchObject({ converters: 15 });
    const change = (method: 'PATCH' | 'DELETE', body?: object) =>
      service.send(method, `${service.base}/goals/${goalId}`, {
        token: service.ada.token,
        ...(body && { body }),
      });
    await change('PATCH', { isArchived: true });
    expect(await primary()).toBeNull();
    expect(await service.get(`/stats?${WEEK}&goal=primary`)).not.toHaveProperty('converters');
    await change('PATCH', { isArchived: false });
    expect((await service.changeSettings({ primaryGoalId: null })).body).toMatchObject({
      primaryGoalId: null,
    });
    expect(await primary()).toBeNull();
  });

  test('must be a goal of the website', async () => {
    const other = await service.addWebsite(service.ada.token, 'https://other.example');
    const goal = { name: 'Else', type: 'event', match: 'else' };
    const { body } = await service.send('POST', `/api/v1/websites/${other.id}/goals`, {
      token: service.ada.token,
      body: goal,
    });
    for (const primaryGoalId of ['unknown', (body as { id: string }).id])
      expect(statusAndBody(await service.changeSettings({ primaryGoalId }))).toEqual(
        refused({ primaryGoalId: ['Must be the id of a goal of the website'] }, 'Invalid request data'),
      );
  });
});

test('values of a property have the revenue of their events', async () => {
  const order = (product: string, amount: string) => ({
    at: '2026-07-01T09:00:00Z',
    visitor: `${product}${amount}`,
    type: 'custom' as const,
    properties: { name: 'order', product, revenue: { amount, currency: 'EUR' } },
  });
  await service.track([
    order('lamp', '10.00'),
    order('lamp', '5.50'),
    { ...order('chair', '0'), properties: { name: 'order', product: 'chair' } },
  ]);
  const { values } = await service.get('/stats/properties/product?from=2026-07-01&to=2026-07-01');
  expect(values).toEqual([
    {
      value: 'lamp',
      events: 2,
      visitors: 2,
      revenue: [{ currency: 'EUR', total: '15.50', average: '7.75', events: 2 }],
    },
    { value: 'chair', events: 1, visitors: 1 },
  ]);
});
