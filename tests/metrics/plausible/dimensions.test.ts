import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics, type TestEvent } from '../support.ts';

const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18'];
const COUNTRIES = ['DE', 'FR', 'US'];
const BROWSERS = ['Firefox', 'Edge'];
const SYSTEMS = ['Linux', 'iOS'];
const PAGES = ['/', '/a', '/b', '/c'];

/** Pages that each visitor views once, half an hour and more apart: every event is a visit of its own. */
const events = DAYS.flatMap((day, dayIndex) =>
  Array.from({ length: 40 }, (_, index) => {
    const number = dayIndex * 7 + index;
    const pick = (list: string[], step: number) => list[Math.floor(number / step) % list.length] ?? '';
    return {
      day,
      visitor: `v${index % 11}`,
      country: pick(COUNTRIES, 2),
      browser: pick(BROWSERS, 3),
      os: pick(SYSTEMS, 1),
      page: pick(PAGES, 1),
      at: Date.parse(`${day}T00:00:00Z`) + index * 35 * 60_000,
    };
  }),
);
type Attribute = 'day' | 'country' | 'browser' | 'os' | 'page';
const ATTRIBUTES: Record<string, Attribute> = {
  'time:day': 'day',
  'visit:country': 'country',
  'visit:browser': 'browser',
  'visit:os': 'os',
  'event:page': 'page',
};
const TEXTS: Record<string, string> = { Edge: 'Microsoft Edge', Linux: 'GNU/Linux' };

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  await service.track(
    events.map(
      ({ at, visitor, country, browser, os, page }): TestEvent => ({
        at: new Date(at).toISOString(),
        visitor,
        country,
        page,
        fields: { browser, os },
      }),
    ),
  );
  await service.track(
    Array.from({ length: 400 }, (_, hour) => ({
      at: Date.parse('2026-10-01T00:00:00Z') + hour * 3_600_000,
      visitor: 'w',
      page: `/${hour}`,
      country: COUNTRIES[hour % 3] ?? '',
    })).map(({ at, ...event }) => ({ ...event, at: new Date(at).toISOString() })),
  );
});
afterAll(() => service.close());

const query = (body: object) =>
  service.send('POST', `${service.base}/query`, {
    token: service.ada.token,
    body: { metrics: ['visitors', 'visits', 'events'], date_range: '7d', ...body },
  });

/** Counts by looking at every event. */
function countByHand(dimensions: string[]): Record<string, number[]> {
  const groups = Map.groupBy(events, (event) =>
    dimensions.map((name) => toText(event[ATTRIBUTES[name] ?? 'page'])).join(),
  );
  return Object.fromEntries(
    [...groups].map(([key, group]) => [
      key,
      [new Set(group.map(({ visitor }) => visitor)).size, group.length, group.length],
    ]),
  );
}
const toText = (value: string) => TEXTS[value] ?? value;

describe('figures by several dimensions are those of a count by hand', () => {
  test.each([
    [['visit:browser', 'visit:os']],
    [['event:page', 'visit:country', 'visit:browser']],
    [['visit:country', 'time:day', 'event:page']],
    [['time:day', 'visit:browser', 'visit:os', 'event:page']],
    [['event:page', 'visit:os', 'time:day', 'visit:browser', 'visit:country']],
  ])('%j', async (dimensions) => {
    const { status, body } = await query({ dimensions, include: { total_rows: true } });
    const { results, meta } = body as {
      results: { dimensions: string[]; metrics: number[] }[];
      meta: { total_rows: number };
    };
    const rows = Object.fromEntries(results.map(({ dimensions, metrics }) => [dimensions.join(), metrics]));
    expect({ status, rows }).toEqual({ status: 200, rows: countByHand(dimensions) });
    expect(meta.total_rows).toBe(results.length);
  });
});

describe('the means of a group', () => {
  const rowsOf = async (trackingService: MetricsService, body: object) => {
    const { body: answer } = await trackingService.send('POST', `${trackingService.base}/query`, {
      token: trackingService.ada.token,
      body: { date_range: ['2026-11-17', '2026-11-17'], ...body },
    });
    const { results } = answer as { results: { dimensions: string[]; metrics: number[] }[] };
    return Object.fromEntries(
      results.map(({ dimensions, metrics }) => [dimensions.join().replace('2026-11-17 ', ''), metrics]),
    );
  };
  const nl = (at: string, visitor: string, page: string, source = 'nl'): TestEvent => ({
    at: `2026-11-${at}:00Z`,
    visitor,
    page: `${page}?utm_source=${source}`,
  });

  test('by time are those of the visits that begin in its points', async () => {
    const own = await startMetrics();
    await own.track([
      nl('17T10:50', 'a', '/p'),
      nl('17T11:15', 'a', '/p'),
      nl('17T11:40', 'a', '/p'),
      nl('17T12:05', 'a', '/p'),
      // Begins the day before.
      nl('16T23:50', 'b', '/p'),
      nl('17T00:10', 'b', '/p'),
      nl('17T11:05', 'c', '/p'),
    ]);
    const metrics = ['visit_duration', 'bounce_rate', 'visits'];
    const points = {
      '00:00:00': [0, 0, 1],
      '10:00:00': [4500, 0, 1],
      '11:00:00': [0, 100, 2],
      '12:00:00': [0, 0, 1],
    };
    expect(await rowsOf(own, { metrics, dimensions: ['time:hour'] })).toEqual(points);
    for (const value of ['visit:source', 'event:page', 'visit:entry_page', 'event:hostname'])
      for (const dimensions of [
        ['time:hour', value],
        [value, 'time:hour'],
      ]) {
        const rows = await rowsOf(own, { metrics, dimensions });
        expect([dimensions, Object.values(rows).sort()]).toEqual([dimensions, Object.values(points).sort()]);
      }
    const pages = ['time:hour', 'event:page', 'visit:source'];
    expect(Object.values(await rowsOf(own, { metrics, dimensions: pages })).sort()).toEqual(
      Object.values(points).sort(),
    );
    await own.close();
  });

  test('by page are those of the visits that entered there, whatever others did', async () => {
    const own = await startMetrics();
    await own.track([
      nl('17T10:00', 'b', '/p'),
      ...['c0', 'c1', 'c2'].flatMap((visitor) => [
        nl('17T10:00', visitor, '/x'),
        { at: '2026-11-17T10:01:00Z', visitor, page: '/p' },
      ]),
    ]);
    const asked = { metrics: ['bounce_rate', 'visitors'] };
    const row = { '/p,nl': [100, 4] };
    for (const dimensions of [
      ['event:page', 'visit:source'],
      ['page', 'visit:source'],
      ['event:page', 'time:day', 'visit:source'],
    ]) {
      const rows = await rowsOf(own, { ...asked, dimensions });
      expect(Object.entries(rows).filter(([key]) => key.startsWith('/p,'))).toEqual([
        [dimensions.length === 2 ? '/p,nl' : '/p,2026-11-17,nl', [100, 4]],
      ]);
    }
    await own.track(
      Array.from({ length: 9 }, (_, index) => nl('17T11:00', `d${index}`, '/other', `s${index}`)),
    );
    expect(await rowsOf(own, { ...asked, dimensions: ['event:page', 'visit:source'] })).toMatchObject(row);
    await own.close();
  });
});

test('the same dimension under two names', async () => {
  const { body } = await query({
    metrics: ['events'],
    dimensions: ['visit:country', 'visit:country_name'],
    order_by: [['visit:country', 'asc']],
  });
  expect(body).toMatchObject({
    results: [
      { dimensions: ['DE', 'Germany'] },
      { dimensions: ['FR', 'France'] },
      { dimensions: ['US', 'United States'] },
    ],
  });
});

describe('what takes more than 370 questions is refused', () => {
  const sentence = 'Together these take more than 370 questions: leave one out, filter, or shorten the range';
  test.each([
    ['points of time', { dimensions: ['time:hour', 'visit:country'] }],
    ['values', { dimensions: ['event:page', 'visit:entry_page'] }],
    ['groups of three', { dimensions: ['visit:country', 'event:page', 'visit:entry_page'] }],
  ])('%s', async (_, body) => {
    expect(await query({ ...body, date_range: ['2026-10-01', '2026-10-17'] })).toMatchObject({
      status: 400,
      body: { details: { fieldErrors: { dimensions: [sentence] } } },
    });
  });

  test.each([
    ['few points', ['2026-10-01', '2026-10-15'], ['time:hour', 'event:page']],
    ['few values', ['2026-10-01', '2026-10-17'], ['event:page', 'visit:country']],
  ])('but not %s', async (_, date_range, dimensions) => {
    expect(await query({ date_range, dimensions })).toMatchObject({ status: 200 });
  });
});
