import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics, type TestEvent } from '../support.ts';

const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18'];
const COUNTRIES = ['DE', 'FR', 'US'];
const BROWSERS = ['Firefox', 'Edge'];
const SYSTEMS = ['Linux', 'iOS'];
const PAGES = ['/', '/a', '/b', '/c'];

/** What each visitor looks at once, half an hour and more apart: every event is a visit of its own. */
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

/** The same by looking at every event. */
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
