import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { statusAndBody } from '../support/service.ts';
import { type MetricsService, refused, startMetrics, type TestEvent } from './support.ts';

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const goal = { name: 'Purchase', type: 'event', match: 'purchase' };
  await service.send('POST', `${service.base}/goals`, { token: service.ada.token, body: goal });
});
afterAll(() => service.close());

type Visits = { count: number; source: string; page?: string; device?: string; buyers?: number };

function visits(
  day: string,
  { count, source, page = '/', device = 'desktop', buyers = 0 }: Visits,
): TestEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const visitor = `${day}${source}${page}${device}${index}`;
    const common = { visitor, fields: { deviceType: device } };
    const landing = { ...common, at: `${day}T09:00:00Z`, page: `${page}?utm_source=${source}` };
    const purchase = {
      ...common,
      at: `${day}T09:01:00Z`,
      page,
      type: 'custom' as const,
      properties: { name: 'purchase' },
    };
    return index < buyers ? [landing, purchase] : [landing];
  }).flat();
}

const ask = (from: string, to: string, more = '') =>
  service.get(`/stats/changes?from=${from}&to=${to}&compare=previous&compareWhole=true${more}`);

describe('GET …/stats/changes', () => {
  test('names the row that explains the visitors, and the largest that is new', async () => {
    await service.track([
      ...visits('2026-01-05', { count: 100, source: 'search' }),
      ...visits('2026-01-05', { count: 20, source: 'mail' }),
      ...visits('2026-01-06', { count: 100, source: 'search' }),
      ...visits('2026-01-06', { count: 120, source: 'mail' }),
      ...visits('2026-01-06', { count: 30, source: 'search', page: '/sale' }),
    ]);
    expect(await ask('2026-01-06', '2026-01-06')).toMatchObject({
      visitors: 250,
      comparison: { visitors: 120 },
      changes: [
        {
          kind: 'visitors',
          dimension: 'source',
          value: 'mail',
          now: 120,
          before: 20,
          change: 500,
          contribution: 100 / 130,
        },
        {
          kind: 'new',
          dimension: 'page',
          value: '/sale',
          now: 30,
          before: 0,
          change: null,
          contribution: null,
          filter: ['is', 'page', ['/sale']],
        },
      ],
    });
  });

  test('names the row that explains the rate of the goal', async () => {
    const week = (day: string, mobileBuyers: number) => [
      ...visits(day, { count: 200, source: 'search', buyers: 40 }),
      ...visits(day, { count: 200, source: 'search', device: 'mobile', buyers: mobileBuyers }),
    ];
    await service.track([...week('2026-02-02', 40), ...week('2026-02-03', 5)]);
    const { changes } = await ask('2026-02-03', '2026-02-03', '&goal=Purchase');
    expect(changes).toMatchObject([
      {
        kind: 'goalRate',
        dimension: 'deviceType',
        value: 'mobile',
        now: 0.025,
        before: 0.2,
        contribution: 1,
      },
    ]);
  });

  test('omits changes that may be chance, and has none for a website that has just begun', async () => {
    await service.track([
      ...visits('2026-03-02', { count: 100, source: 'search' }),
      ...visits('2026-03-03', { count: 112, source: 'search' }),
      ...visits('2026-03-03', { count: 9, source: 'mail' }),
      ...visits('2026-04-02', { count: 50, source: 'search' }),
    ]);
    expect((await ask('2026-03-03', '2026-03-03')).changes).toEqual([]);
    expect((await ask('2026-04-02', '2026-04-02')).changes).toEqual([]);
  });

  test('needs an earlier range', async () => {
    for (const query of ['', '&compare=previous&period=all'])
      expect(statusAndBody(await service.ask(`/stats/changes?${query}`))).toEqual(
        refused({ compare: ['Required, and a period other than all'] }),
      );
  });

  test('is a file as well', async () => {
    const { body } = await service.ask(
      '/stats/changes?from=2026-02-03&to=2026-02-03&compare=previous&goal=Purchase&format=csv',
    );
    expect(String(body).split('\r\n')[0]).toBe('kind,dimension,value,now,before,change,contribution,filter');
  });
});
