import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, refused, startMetrics } from './support.ts';

/**
 * Weeks from Monday, 2 November 2026: ann comes in each of three, bob in the first and third, cid in the second; dan
 * was there in October.
 */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const view = (day: string, visitor: string, country = 'DE') => ({
    at: `2026-${day}T10:00:00Z`,
    visitor,
    country,
  });
  await service.track([
    view('11-02', 'ann'),
    view('11-03', 'ann'),
    view('11-10', 'ann'),
    view('11-18', 'ann'),
    view('11-04', 'bob', 'FR'),
    view('11-19', 'bob', 'FR'),
    view('11-11', 'cid'),
    view('10-20', 'dan'),
    view('11-05', 'dan'),
    view('11-12', 'dan'),
  ]);
});
afterAll(() => service.close());

const WEEKS = 'from=2026-11-02&to=2026-11-22';
const cohorts = async (query: string) =>
  (await service.get(`/stats/retention?${query}`)).cohorts as Record<string, unknown>[];

describe('GET /stats/retention', () => {
  test('has the new visitors of each week and who of them came again', async () => {
    expect(await cohorts(WEEKS)).toEqual([
      {
        time: '2026-11-02T00:00:00.000Z',
        local: '2026-11-02T00:00:00+00:00',
        visitors: 2,
        returned: [2, 1, 2],
        rates: [1, 0.5, 1],
        incomplete: false,
      },
      expect.objectContaining({ visitors: 1, returned: [1, 0], rates: [1, 0] }),
      expect.objectContaining({ visitors: 0, returned: [0], rates: [0], incomplete: true }),
    ]);
  });

  test('has the mean of the cohorts whose point is whole', async () => {
    // The third week is cut, so no mean counts it.
    expect((await service.get(`/stats/retention?${WEEKS}`)).means).toEqual([1, 1 / 2, null]);
    expect((await service.get('/stats/retention?from=2026-10-05&to=2026-11-15')).means).toEqual([
      1,
      1 / 3,
      ...[1, 1, null, null],
    ]);
  });

  test('by day and month, and of those whom a filter selects', async () => {
    expect(
      (await cohorts('from=2026-11-02&to=2026-11-04&interval=day')).map(({ returned }) => returned),
    ).toEqual([[1, 1, 0], [0, 0], [1]]);
    expect(
      (await cohorts('from=2026-10-01&to=2026-11-30&interval=month')).map(({ returned }) => returned),
    ).toEqual([[1, 1], [3]]);
    const german = encodeURIComponent(JSON.stringify([['is', 'country', ['DE']]]));
    expect((await cohorts(`${WEEKS}&filters=${german}`)).map(({ returned }) => returned)).toEqual([
      [1, 1, 1],
      [1, 0],
      [0],
    ]);
  });

  test('a visitor from before the range is not new, also where it begins in the middle of a week', async () => {
    expect((await cohorts('from=2026-11-03&to=2026-11-22')).map(({ returned }) => returned)).toEqual([
      [1, 0, 1],
      [1, 0],
      [0],
    ]);
    const month = await cohorts('from=2026-11-03&to=2026-11-30&interval=month');
    expect(month.map(({ time, visitors }) => [time, visitors])).toEqual([['2026-11-01T00:00:00.000Z', 2]]);
  });

  test('is a file as well', async () => {
    const { text } = await service.ask(`/stats/retention?${WEEKS}&format=csv`);
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      'time,local,visitors,after,returned,rate',
      '2026-11-02T00:00:00.000Z,2026-11-02T00:00:00+00:00,2,0,2,1',
      '2026-11-02T00:00:00.000Z,2026-11-02T00:00:00+00:00,2,1,1,0.5',
    ]);
  });

  test.each<[string, Record<string, string[]>]>([
    ['interval=hour', { interval: ['Must be one of: day, week, month'] }],
    ['period=year&interval=day', { interval: ['There are more than 100 points: choose a longer interval'] }],
    ['traffic=all', { traffic: ['Must be people or bots'] }],
  ])('refuses %s', async (query, faults) => {
    const { status, body } = await service.ask(`/stats/retention?${query}`);
    expect({ status, body }).toEqual(refused(faults));
  });
});
