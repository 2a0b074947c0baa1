import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, refused, startMetrics } from './support.ts';

/** Ann comes by Google, by a newsletter, and directly when she buys for 10.00; Bob buys for 0.01 at his second visit. */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.send('POST', `${service.base}/goals`, {
    token: service.ada.token,
    body: { name: 'Purchase', type: 'event', match: 'purchase' },
  });
  const buy = (amount: string) => ({
    type: 'custom' as const,
    properties: { name: 'purchase', revenue: { amount, currency: 'EUR' } },
  });
  const google = { referrer: 'https://www.google.com/' };
  const letter = { page: '/?utm_source=Newsletter&utm_campaign=May' };
  await service.track([
    { at: '2026-11-01T10:00:00Z', visitor: 'ann', ...google },
    { at: '2026-11-05T10:00:00Z', visitor: 'ann', ...letter },
    { at: '2026-11-10T10:00:00Z', visitor: 'ann' },
    { at: '2026-11-10T10:05:00Z', visitor: 'ann', ...buy('10.00') },
    { at: '2026-11-09T10:00:00Z', visitor: 'bob', ...letter },
    { at: '2026-11-10T11:00:00Z', visitor: 'bob', ...google },
    { at: '2026-11-10T11:05:00Z', visitor: 'bob', ...buy('0.01') },
    { at: '2026-11-11T11:05:00Z', visitor: 'bob', ...letter },
  ]);
});
afterAll(() => service.close());

const DAY = 'from=2026-11-10&to=2026-11-10&goal=Purchase';
type Row = { value: string | null } & Record<
  'first' | 'last' | 'linear',
  { conversions: number; revenue: { amount: string }[] }
>;

async function rowsOf(query: string): Promise<unknown[]> {
  const { rows } = await service.get(`/stats/attribution?${DAY}&${query}`);
  return (rows as Row[]).map(({ value, first, last, linear }) => [
    value,
    ...[first, last, linear].map(({ conversions, revenue }) => [conversions, revenue[0]?.amount]),
  ]);
}

describe('GET /stats/attribution', () => {
  test('gives conversions and revenue to the first visit, the last, or all alike', async () => {
    expect(await rowsOf('')).toEqual([
      ['Google', [1, '10.00'], [1, '0.01'], [0.833334, '3.34']],
      ['Newsletter', [1, '0.01'], [0, undefined], [0.833333, '3.34']],
      [null, [0, undefined], [1, '10.00'], [0.333333, '3.33']],
    ]);
  });

  test('counts visits of the days before a conversion', async () => {
    expect(await rowsOf('lookback=6d&dimension=channel')).toEqual([
      ['Email', [2, '10.01'], [0, undefined], [1, '5.01']],
      ['Direct', [0, undefined], [1, '10.00'], [0.5, '5.00']],
      ['Organic Search', [0, undefined], [1, '0.01'], [0.5, '0.00']],
    ]);
  });

  test('says what was asked for, and is a file as well', async () => {
    const query = `/stats/attribution?${DAY}&dimension=utmCampaign`;
    expect(await service.get(`${query}&limit=1`)).toMatchObject({
      dimension: 'utmCampaign',
      lookbackDays: 30,
      conversions: 2,
      total: 2,
      rows: [{ value: null, first: { conversions: 1, revenue: [{ currency: 'EUR', amount: '10.00' }] } }],
    });
    expect((await service.ask(`${query}&format=csv`)).text.trimEnd().split('\r\n')).toEqual([
      'value,first,last,linear,first.EUR,last.EUR,linear.EUR',
      ',1,2,1.166667,10.00,10.01,6.67',
      'May,1,0,0.833333,0.01,,3.34',
    ]);
  });

  test('chooses conversions by filters, and counts all visits before them', async () => {
    const filters = encodeURIComponent(JSON.stringify([['is', 'source', [null]]]));
    expect(await rowsOf(`filters=${filters}`)).toEqual([
      ['Google', [1, '10.00'], [0, undefined], [0.333334, '3.34']],
      [null, [0, undefined], [1, '10.00'], [0.333333, '3.33']],
      ['Newsletter', [0, undefined], [0, undefined], [0.333333, '3.33']],
    ]);
  });

  test.each<[string, Record<string, string[]>]>([
    ['goal=Nothing', { goal: ['Unknown goal "Nothing"'] }],
    ['period=7d', { goal: ['Required'] }],
    ['goal=Purchase&dimension=page', { dimension: ['Must be one of: source, channel, utmCampaign'] }],
    ['goal=Purchase&lookback=366d', { lookback: ['Must be such as 7d or 90d, at most 365d'] }],
  ])('refuses %s', async (query, faults) => {
    const { status, body } = await service.ask(`/stats/attribution?${query}`);
    expect({ status, body }).toEqual(refused(faults));
  });
});
