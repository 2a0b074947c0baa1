import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { refusal } from '../support/refusals.ts';
import { type MetricsService, refused, startMetrics } from './support.ts';

/**
 * Today ann buys for €19.90 and €5.10 from Google and gets €2.00 back, bob for ¥1990; the day before bob bought for
 * €1.00.
 */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const buy = (at: string, visitor: string, amount: unknown, currency: string, name = 'purchase') =>
    ({ at, visitor, type: 'custom', properties: { name, revenue: { amount, currency } } }) as const;
  await service.track([
    { at: '2026-11-20T10:00:00Z', visitor: 'ann', page: '/', referrer: 'https://www.google.com/' },
    buy('2026-11-20T10:01:00Z', 'ann', '19.90', 'EUR'),
    buy('2026-11-20T10:02:00Z', 'ann', 5.1, 'EUR'),
    buy('2026-11-20T10:03:00Z', 'ann', '-2.00', 'EUR', 'refund'),
    buy('2026-11-20T11:00:00Z', 'bob', '1990', 'JPY'),
    buy('2026-11-20T11:01:00Z', 'bob', '19,90', 'EUR'),
    buy('2026-11-19T11:00:00Z', 'bob', '1', 'EUR'),
  ]);
  const goal = { name: 'Purchase', type: 'event', match: 'purchase' };
  await service.send('POST', `${service.base}/goals`, { token: service.ada.token, body: goal });
});
afterAll(() => service.close());

const euros = (total: string, average: string, events: number) => ({
  currency: 'EUR',
  total,
  average,
  events,
});
const YEN = { currency: 'JPY', total: '1990', average: '1990', events: 1 };
const COLUMNS = ['EUR', 'JPY']
  .flatMap((currency) => ['total', 'average', 'events'].map((part) => `revenue.${currency}.${part}`))
  .join(',');

describe('what events have brought', () => {
  test('is next to the totals when it is asked for, each currency by itself', async () => {
    expect((await service.get('/stats?period=today&revenue=true')).revenue).toEqual([
      euros('23.00', '7.67', 3),
      YEN,
    ]);
    expect(await service.get('/stats?period=today')).not.toHaveProperty('revenue');
    const { comparison } = await service.get(
      '/stats?period=today&revenue=true&compare=previous&compareWhole=true',
    );
    expect(comparison).toMatchObject({ revenue: [euros('1.00', '1.00', 1)] });
  });

  test('is given for points and rows, which add up to it', async () => {
    const { points } = await service.get(
      '/stats/timeseries?from=2026-11-19&to=2026-11-20&interval=day&revenue=true',
    );
    expect((points as { revenue: unknown }[]).map(({ revenue }) => revenue)).toEqual([
      [euros('1.00', '1.00', 1)],
      [euros('23.00', '7.67', 3), YEN],
    ]);
    const series = await service.ask(
      '/stats/timeseries?from=2026-11-19&to=2026-11-20&interval=day&revenue=true&format=csv',
    );
    const [head, first, second] = series.text.split('\r\n');
    expect(head).toEndWith(`visitDuration,${COLUMNS}`);
    expect([first, second].map((line) => line?.split(',').slice(-6))).toEqual([
      ['1.00', '1.00', '1', '', '', ''],
      ['23.00', '7.67', '3', YEN.total, YEN.average, String(YEN.events)],
    ]);
    const { rows } = await service.get(
      '/stats/breakdown?dimension=source&period=today&withAbsent=true&revenue=true',
    );
    expect(rows).toMatchObject([
      { value: null, revenue: [YEN] },
      { value: 'Google', revenue: [euros('23.00', '7.67', 3)] },
    ]);
    const { text } = await service.ask(
      '/stats/breakdown?dimension=source&period=today&revenue=true&format=csv',
    );
    expect(text.split('\r\n')[0]).toEndWith('share,revenue.EUR.total,revenue.EUR.average,revenue.EUR.events');
  });

  test('is given for goals, from their conversions', async () => {
    const { goals } = await service.get('/stats/goals?period=today');
    expect(goals).toMatchObject([
      { name: 'Purchase', conversions: 4, revenue: [euros('25.00', '12.50', 2), YEN] },
    ]);
  });

  test('is given for goals as the values of a dimension', async () => {
    const path = '/stats/breakdown?dimension=goal&period=today';
    const { rows } = await service.get(`${path}&revenue=true`);
    expect(rows).toMatchObject([{ value: 'Purchase', revenue: [euros('25.00', '12.50', 2), YEN] }]);
    expect((await service.get(path)).rows).not.toContainEqual(
      expect.objectContaining({ revenue: expect.anything() }),
    );
    const { text } = await service.ask(`${path}&revenue=true&format=csv`);
    expect(text.split('\r\n')[0]).toEndWith(`,${COLUMNS}`);
  });

  test('is given with goals for the whole selection, and for the earlier range', async () => {
    const { revenue, comparison } = await service.get(
      '/stats/goals?period=today&compare=previous&compareWhole=true',
    );
    expect(revenue).toEqual([euros('23.00', '7.67', 3), YEN]);
    expect(comparison).toMatchObject({ revenue: [euros('1.00', '1.00', 1)] });
  });

  test('of UYW has four digits, as in ISO 4217', async () => {
    const other = await service.addWebsite(service.ada.token, 'https://uruguay.example');
    const revenue = { amount: '-1.2345', currency: 'UYW' };
    await service.track(
      [{ at: 0, visitor: 'v', type: 'custom', properties: { name: 'p', revenue } }],
      other.trackingCode,
    );
    const path = `/api/v1/websites/${other.id}/stats?period=today&revenue=true`;
    const { body } = await service.send('GET', path, { token: service.ada.token });
    expect(body).toMatchObject({
      revenue: [{ currency: 'UYW', total: '-1.2345', average: '-1.2345', events: 1 }],
    });
  });

  test('is a figure in files, also when refunds make it negative', async () => {
    const other = await service.addWebsite(service.ada.token, 'https://refunds.example');
    const goal = { name: 'Refund', type: 'event', match: 'refund' };
    const base = `/api/v1/websites/${other.id}`;
    await service.send('POST', `${base}/goals`, { token: service.ada.token, body: goal });
    const properties = { name: 'refund', revenue: { amount: '-5', currency: 'EUR' } };
    await service.track([{ at: 0, visitor: 'v', type: 'custom', properties }], other.trackingCode);
    for (const path of [
      'stats?',
      'stats/timeseries?interval=day&',
      'stats/breakdown?dimension=channel&',
      'stats/goals?',
      'stats/attribution?goal=Refund&dimension=channel&',
    ]) {
      const query = `${base}/${path}period=today&revenue=true`;
      const csv = await service.send('GET', `${query}&format=csv`, { token: service.ada.token });
      expect([path, csv.text]).toEqual([path, expect.stringContaining(',-5.00,')]);
      expect(csv.text).not.toContain("'");
      const lines = await service.send('GET', `${query}&format=ndjson`, { token: service.ada.token });
      expect(lines.text).toContain('"-5.00"');
    }
  });

  test('is exact beyond what a number holds', async () => {
    const other = await service.addWebsite(service.ada.token, 'https://large.example');
    const revenue = { amount: '9999999999.9999', currency: 'CLF' }; // of four minor digits
    await service.track(
      Array.from({ length: 1_000 }, () => ({
        at: 0,
        visitor: 'v',
        type: 'custom' as const,
        properties: { name: 'p', revenue },
      })),
      other.trackingCode,
    );
    const path = `/api/v1/websites/${other.id}/stats?period=today&revenue=true`;
    const { body } = await service.send('GET', path, { token: service.ada.token });
    expect(body.revenue).toEqual([
      { currency: 'CLF', total: '9999999999999.9000', average: '9999999999.9999', events: 1_000 },
    ]);
  });

  test('counts refunds, and nothing that cannot be read', async () => {
    const unreadable: unknown[] = [
      ...['NaN', Number.NaN, 1e308, '1e308', '-1e308', '19,90', '1.999', '12345678901', ' 1', '', null, true],
      ...[['1'], { amount: '1' }],
    ].map((amount) => ({ amount, currency: 'EUR' }));
    const currencies = ['XXX', 'XAU', 'euro', '', null].map((currency) => ({ amount: '1', currency }));
    const readable = [
      ...['1.00', '-3.00', 0.1 + 0.2].map((amount) => ({ amount, currency: 'EUR' })),
      { amount: '0.70', currency: 'eur' },
    ];
    const all = [...unreadable, ...currencies, ...readable, '1 EUR', 1, null];
    await service.track(
      all.map((revenue) => ({
        at: '2026-11-10T10:00:00Z',
        visitor: 'cy',
        type: 'custom' as const,
        properties: { name: 'purchase', revenue },
      })),
    );
    expect(
      await service.get('/stats?from=2026-11-10&to=2026-11-10&revenue=true&goal=Purchase'),
    ).toMatchObject({
      events: all.length,
      conversions: all.length,
      revenue: [euros('-1.00', '-0.25', 4)],
    });
  });

  test('counts next to as many other properties as an event holds', async () => {
    const items = Array.from({ length: 40 }, (_, index) => ({ sku: `article-${index}`, count: 1 }));
    await service.track([
      {
        at: '2026-11-09T10:00:00Z',
        visitor: 'dan',
        type: 'custom',
        properties: { name: 'purchase', revenue: { items, amount: '7.50', currency: 'EUR' } },
      },
    ]);
    expect(await service.get('/stats?from=2026-11-09&to=2026-11-09&revenue=true')).toMatchObject({
      events: 1,
      revenue: [euros('7.50', '7.50', 1)],
    });
  });

  test('is for the owner alone', async () => {
    await service.changeSettings({ isPublic: true });
    const { status, body } = await service.send('GET', `${service.base}/stats?revenue=true`);
    expect({ status, body }).toEqual(refusal(403, 'FORBIDDEN', 'Revenue is for the owner of the website'));
    const goals = await service.send('GET', `${service.base}/stats/goals?period=today&compare=previous`);
    expect(goals.status).toBe(200);
    expect(JSON.stringify(goals.body)).not.toContain('revenue');
    await service.changeSettings({ isPublic: false });
  });
});

test('rows in the form of Plausible are not ordered by revenue', async () => {
  const { status, body } = await service.send('POST', `${service.base}/query`, {
    token: service.ada.token,
    body: { metrics: ['total_revenue'], date_range: 'all', order_by: [['total_revenue', 'desc']] },
  });
  expect({ status, body }).toEqual(
    refused({ order_by: ['Rows are not ordered by revenue'] }, 'Invalid query'),
  );
});
