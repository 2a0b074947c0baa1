import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics } from './support.ts';

/** Ann comes by Google in October and directly in November, Bob by a newsletter twice in November, Cid directly once. */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const google = { referrer: 'https://www.google.com/' };
  const letter = { page: '/?utm_source=Newsletter' };
  await service.track([
    { at: '2026-10-20T10:00:00Z', visitor: 'ann', ...google },
    { at: '2026-11-02T10:00:00Z', visitor: 'ann' },
    { at: '2026-11-02T10:05:00Z', visitor: 'ann', page: '/pricing' },
    { at: '2026-11-03T10:00:00Z', visitor: 'bob', ...letter },
    { at: '2026-11-09T10:00:00Z', visitor: 'bob', ...letter },
    { at: '2026-11-10T10:00:00Z', visitor: 'cid' },
  ]);
});
afterAll(() => service.close());

const NOVEMBER = 'from=2026-11-01&to=2026-11-20';
const asked = (...filters: unknown[]) => `filters=${encodeURIComponent(JSON.stringify(filters))}`;

async function visitsOf(query: string): Promise<unknown> {
  return (await service.get(`/stats?${NOVEMBER}&${query}`)).visits;
}

describe('new and returning', () => {
  test('visits are rows of a breakdown', async () => {
    const { rows } = await service.get(`/stats/breakdown?${NOVEMBER}&dimension=visitorType`);
    expect(rows).toMatchObject([
      { value: 'new', visitors: 2, visits: 2, pageviews: 2 },
      { value: 'returning', visitors: 2, visits: 2, pageviews: 3 },
    ]);
  });

  test('visits are filtered by', async () => {
    expect(await visitsOf(asked(['is', 'visitorType', ['new']]))).toBe(2);
    expect(await visitsOf(asked(['is_not', 'visitorType', ['new']]))).toBe(2);
    expect(await visitsOf(asked(['is', 'visitorType', ['neither']]))).toBe(0);
  });

  test('depend on what is stored now', async () => {
    await service.track([{ at: '2026-11-01T10:00:00Z', visitor: 'cid' }]);
    expect(await visitsOf(asked(['is', 'visitorType', ['returning']]))).toBe(3);
    const { status } = await service.send('POST', `${service.base}/erasures`, {
      token: service.ada.token,
      body: { from: '2026-11-01', to: '2026-11-01', events: 1 },
    });
    expect(status).toBe(200);
    expect(await visitsOf(asked(['is', 'visitorType', ['returning']]))).toBe(2);
  });
});

describe('cohorts', () => {
  test('are those who were first seen in some days', async () => {
    expect(await visitsOf(asked(['first_seen', { to: '2026-10-31' }]))).toBe(1);
    expect(await visitsOf(asked(['first_seen', { from: '2026-11-03', to: '2026-11-03' }]))).toBe(2);
    expect(await visitsOf(asked(['not', ['first_seen', { from: '2026-11-03' }]]))).toBe(1);
  });

  test('are those who first came by a source, or saw a page then', async () => {
    expect(await visitsOf(asked(['first_visit', ['is', 'source', ['Google']]]))).toBe(1);
    expect(await visitsOf(asked(['first_visit', ['is', 'source', ['Newsletter']]]))).toBe(2);
    expect(await visitsOf(asked(['first_visit', ['is', 'page', ['/pricing']]]))).toBe(0);
    expect(
      await visitsOf(
        asked(['first_visit', ['is', 'source', ['Newsletter']]], ['is', 'visitorType', ['returning']]),
      ),
    ).toBe(1);
  });

  test('are asked of funnels and retention too', async () => {
    const newcomers = asked(['first_seen', { from: '2026-11-01' }]);
    const steps = encodeURIComponent(
      JSON.stringify([
        ['is', 'page', ['/']],
        ['is', 'page', ['/']],
      ]),
    );
    const funnel = await service.get(`/stats/funnel?${NOVEMBER}&steps=${steps}&${newcomers}`);
    expect(funnel.steps).toMatchObject([{ reached: 2 }, { reached: 1 }]);
    const { cohorts } = await service.get(`/stats/retention?${NOVEMBER}&interval=month&${newcomers}`);
    expect(cohorts).toMatchObject([{ returned: [2] }]);
  });
});
