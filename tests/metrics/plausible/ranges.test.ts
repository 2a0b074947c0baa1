import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics } from '../support.ts';

/** Now is Friday, 20 November 2026, 12:00 UTC. */
let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.track([
    { at: '2026-09-15T10:00:00Z', visitor: 'a' },
    { at: '2026-11-19T12:00:00Z', visitor: 'b' },
    { at: '2026-11-20T11:59:59Z', visitor: 'c' },
  ]);
});
afterAll(() => service.close());
beforeEach(() => service.changeSettings({ timezone: 'UTC' }));

type Body = {
  results: { dimensions: string[] }[];
  meta: { time_labels?: string[] };
  query: { date_range: string[]; dimensions: string[]; order_by: string[][] };
};

async function query(body: object): Promise<Body> {
  const answer = await service.send('POST', `${service.base}/query`, {
    token: service.ada.token,
    body: { metrics: ['visitors'], ...body },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body as Body; // the contract's answer
}

describe('a range', () => {
  test.each<[unknown, string, string]>([
    ['day', '2026-11-20T00:00:00+00:00', '2026-11-20T23:59:59+00:00'],
    ['24h', '2026-11-19T12:00:00+00:00', '2026-11-20T12:00:00+00:00'],
    ['1d', '2026-11-19T00:00:00+00:00', '2026-11-19T23:59:59+00:00'],
    ['7d', '2026-11-13T00:00:00+00:00', '2026-11-19T23:59:59+00:00'],
    ['28d', '2026-10-23T00:00:00+00:00', '2026-11-19T23:59:59+00:00'],
    ['30d', '2026-10-21T00:00:00+00:00', '2026-11-19T23:59:59+00:00'],
    ['91d', '2026-08-21T00:00:00+00:00', '2026-11-19T23:59:59+00:00'],
    ['5000d', '2013-03-13T00:00:00+00:00', '2026-11-19T23:59:59+00:00'],
    ['month', '2026-11-01T00:00:00+00:00', '2026-11-30T23:59:59+00:00'],
    ['1mo', '2026-10-01T00:00:00+00:00', '2026-10-31T23:59:59+00:00'],
    ['6mo', '2026-05-01T00:00:00+00:00', '2026-10-31T23:59:59+00:00'],
    ['12mo', '2025-11-01T00:00:00+00:00', '2026-10-31T23:59:59+00:00'],
    ['100mo', '2018-07-01T00:00:00+00:00', '2026-10-31T23:59:59+00:00'],
    ['year', '2026-01-01T00:00:00+00:00', '2026-12-31T23:59:59+00:00'],
    ['all', '2026-09-15T00:00:00+00:00', '2026-11-20T23:59:59+00:00'],
    [['2026-11-18', '2026-11-19'], '2026-11-18T00:00:00+00:00', '2026-11-19T23:59:59+00:00'],
    [
      ['2026-11-20T12:00:00+02:00', '2026-11-20T12:09:59+02:00'],
      '2026-11-20T10:00:00+00:00',
      '2026-11-20T10:09:59+00:00',
    ],
  ])('%p', async (date_range, from, to) => {
    expect((await query({ date_range })).query.date_range).toEqual([from, to]);
  });

  test.each<[string, string, string]>([
    ['day', '2026-11-21T00:00:00+14:00', '2026-11-21T23:59:59+14:00'],
    ['7d', '2026-11-14T00:00:00+14:00', '2026-11-20T23:59:59+14:00'],
    ['24h', '2026-11-20T02:00:00+14:00', '2026-11-21T02:00:00+14:00'],
    ['month', '2026-11-01T00:00:00+14:00', '2026-11-30T23:59:59+14:00'],
  ])('%s in a time zone in which it is tomorrow', async (date_range, from, to) => {
    await service.changeSettings({ timezone: 'Pacific/Kiritimati' });
    expect((await query({ date_range })).query.date_range).toEqual([from, to]);
  });

  test.each<[string, string]>([
    ['day', '2026-11-20T12:59:59+00:00'],
    ['month', '2026-11-20T23:59:59+00:00'],
    ['year', '2026-11-20T23:59:59+00:00'],
    ['7d', '2026-11-19T23:59:59+00:00'],
    ['6mo', '2026-10-31T23:59:59+00:00'],
  ])('%s is trimmed to what has come', async (date_range, to) => {
    const { query: understood } = await query({ date_range, include: { trim_relative_date_range: true } });
    expect(understood.date_range[1]).toBe(to);
  });

  test('24h counts what happened in these 24 hours', async () => {
    const { results } = await query({ date_range: '24h', dimensions: ['time:hour'] });
    expect(results.map(({ dimensions }) => dimensions)).toEqual([
      ['2026-11-19 12:00:00'],
      ['2026-11-20 11:00:00'],
    ]);
  });
});

describe('the step of time', () => {
  test.each<[unknown, string]>([
    ['day', 'time:hour'],
    ['24h', 'time:hour'],
    [['2026-11-18', '2026-11-19'], 'time:hour'],
    [['2026-11-17', '2026-11-19'], 'time:day'],
    ['30d', 'time:day'],
    ['41d', 'time:day'],
    ['42d', 'time:week'],
    ['6mo', 'time:week'],
    ['12mo', 'time:week'],
    ['371d', 'time:week'],
    ['372d', 'time:month'],
  ])('of %p is %s', async (date_range, step) => {
    const { query: understood } = await query({
      date_range,
      dimensions: ['time'],
      order_by: [['time', 'desc']],
    });
    expect(understood).toMatchObject({ dimensions: [step], order_by: [[step, 'desc']] });
  });

  test.each<[string, string, string]>([
    ['2026-10-31', '2026-11-01', 'time:hour'],
    ['2026-10-01', '2026-11-10', 'time:day'],
    ['2026-10-01', '2026-11-11', 'time:week'],
    ['2025-11-02', '2026-11-07', 'time:week'],
    ['2025-11-01', '2026-11-07', 'time:month'],
  ])('of the days from %s to %s, one of which has 25 hours, is %s', async (first, last, step) => {
    await service.changeSettings({ timezone: 'America/New_York' });
    const { query: understood } = await query({ date_range: [first, last], dimensions: ['time'] });
    expect(understood.dimensions).toEqual([step]);
  });

  test('does not depend on what is trimmed', async () => {
    const include = { trim_relative_date_range: true, time_labels: true };
    const { query: understood, meta } = await query({ date_range: 'year', dimensions: ['time'], include });
    expect(understood.dimensions).toEqual(['time:week']);
    expect(meta.time_labels?.at(-1)).toBe('2026-11-16');
  });

  test('names the first week by the first day of the range', async () => {
    const { results, meta } = await query({
      date_range: ['2026-11-12', '2026-11-20'],
      dimensions: ['time:week'],
      include: { time_labels: true },
    });
    expect(results.map(({ dimensions }) => dimensions)).toEqual([['2026-11-16']]);
    expect(meta.time_labels).toEqual(['2026-11-12', '2026-11-16']);
  });
});
