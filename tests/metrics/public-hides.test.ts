import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DIMENSIONS } from '../../src/vocabulary/analytics.ts';
import { statusAndBody } from '../support/service.ts';
import { type MetricsService, NOTHING, startMetrics, type TestEvent } from './support.ts';

/** Figures that a public website hides from the public. */

let service: MetricsService;
beforeAll(async () => {
  service = await startMetrics();
  const many = ['a', 'b', 'c'].flatMap((visitor): TestEvent[] => [
    { at: 90_000, visitor, page: '/popular?utm_source=news&utm_campaign=spring', country: 'DE' },
    { at: 80_000, visitor, page: '/next' },
    { at: 70_000, visitor, type: 'custom', page: '/next', properties: { name: 'signup' } },
  ]);
  await service.track([
    ...many,
    {
      at: 60_000,
      visitor: 'lone',
      page: '/users/ada?utm_content=ada@example.com&utm_source=ada-mail&utm_campaign=for-ada',
      country: 'IS',
      referrer: 'https://ada.example/',
      fields: { browser: 'AdaBrowser', os: 'AdaOS', language: 'ada', screen: '1x1' },
    },
    { at: 50_000, visitor: 'lone', page: '/popular' },
    { at: 40_000, visitor: 'lone', page: '/popular', type: 'custom', properties: { name: 'Ada Lovelace' } },
  ]);
});
afterAll(() => service.close());

const ask = (path: string) => service.send('GET', `${service.base}${path}`);
const filters = (...list: unknown[]) => `filters=${encodeURIComponent(JSON.stringify(list))}`;

/** Each with its whole answer as text: nothing of the lone visitor may stand in it. */
const EVERYWHERE = [
  ...DIMENSIONS.flatMap((dimension) => [
    `/stats/breakdown?dimension=${dimension}`,
    `/stats/values?dimension=${dimension}`,
  ]),
  '/stats/breakdown?dimension=page&sort=value&limit=1',
  '/stats/breakdown?dimension=page&sort=visitors:asc&withAbsent=true&compare=previous',
  '/stats/breakdown?dimension=page&search=ada',
  `/stats/dashboard?breakdowns=${DIMENSIONS}&limit=100&compare=previous`,
  '/stats/values?dimension=page&search=ada',
  '/stats/realtime',
  '/pages',
  '/pages?sort=visitors:asc&limit=1',
  '/pages?search=ada',
  '/pages/detail?page=/popular',
  '/pages/detail?page=/users/ada',
];
const LONE = /ada|Ada|\bIS\b|1x1/;
const FORMATS = ['json', 'csv', 'ndjson'];

describe('a public website that hides small rows', () => {
  beforeAll(() => service.changeSettings({ isPublic: true, publicHides: ['smallRows'] }));

  test.each(EVERYWHERE)('%s holds no row of fewer than three visitors, in any format', async (path) => {
    for (const format of FORMATS) {
      const { status, text } = await ask(`${path}${path.includes('?') ? '&' : '?'}format=${format}`);
      expect([200, 404]).toContain(status);
      expect(text).not.toMatch(LONE);
    }
  });

  test('sends them to no public viewer, although the owner watches as well', async () => {
    const snapshots = await Promise.all(
      [service.ada.token, undefined].map(async (token) => {
        const response = await service.app.handle(
          new Request(`http://localhost${service.base}/stats/realtime/stream`, {
            ...(token && { headers: { Authorization: `Bearer ${token}` } }),
          }),
        );
        const reader = (response.body as ReadableStream<Uint8Array>).getReader(); // a stream always has one
        const { value } = await reader.read();
        await reader.cancel();
        return new TextDecoder().decode(value);
      }),
    );
    expect(snapshots[0]).toMatch(LONE);
    expect(snapshots[1]).toContain('/popular');
    expect(snapshots[1]).not.toMatch(LONE);
  });

  test('counts and pages what is left', async () => {
    const pages = (await ask('/stats/breakdown?dimension=page&sort=value:desc')).body;
    expect(pages.rows.map(({ value, visitors }: Record<string, unknown>) => [value, visitors])).toEqual([
      ['/popular', 4],
      ['/next', 3],
    ]);
    expect(pages.pagination).toEqual({ total: 2, limit: 100, offset: 0 });
    const second = (await ask('/pages?sort=visitors:desc&limit=1&offset=1')).body;
    expect(second.pages).toMatchObject([{ page: '/next', visitors: 3 }]);
    expect(second.pagination).toEqual({ total: 2, limit: 1, offset: 1 });
    expect((await ask('/stats')).body).toMatchObject({ visitors: 4, events: 12 });
  });

  test.each([
    ['a page', filters(['is', 'page', ['/users/ada']])],
    ['a country', filters(['is', 'country', ['IS']])],
    ['nested ones', filters(['not', ['or', [['is_not', 'country', ['IS']]]]])],
  ])('answers %s of fewer than three visitors like one without visitors', async (_name, condition) => {
    expect((await ask(`/stats?${condition}`)).body).toMatchObject(NOTHING);
    const { points } = (await ask(`/stats/timeseries?period=today&interval=minute&${condition}`)).body;
    expect(points.every(({ events }: { events: number }) => events === 0)).toBe(true);
    const { totals, breakdowns } = (await ask(`/stats/dashboard?${condition}`)).body;
    expect({ totals, rows: breakdowns.flatMap((list: { rows: [] }) => list.rows) }).toEqual({
      totals: NOTHING,
      rows: [],
    });
    const now = (await ask(`/stats/realtime?${condition}`)).body;
    expect(now).toMatchObject({ visitors: 0, pages: [], sources: [], countries: [], events: [] });
    expect(now.minutes.every(({ events }: { events: number }) => events === 0)).toBe(true);
    expect((await ask(`/pages?${condition}`)).body.pages).toEqual([]);
    expect((await ask(`/pages/detail?page=/popular&${condition}`)).status).toBe(404);
  });

  test('answers a filter of three visitors', async () => {
    expect((await ask(`/stats?${filters(['is', 'country', ['DE']])}`)).body).toMatchObject({ visitors: 3 });
  });

  test('shows its owner everything', async () => {
    const { rows } = (await service.get('/stats/breakdown?dimension=page')) as { rows: unknown[] };
    expect(rows).toHaveLength(3);
    expect(await service.get(`/stats?${filters(['is', 'country', ['IS']])}`)).toMatchObject({ visitors: 1 });
  });
});

describe('a public website that hides custom events and campaigns', () => {
  beforeAll(() => service.changeSettings({ isPublic: true, publicHides: ['customEvents', 'campaigns'] }));
  const EVENTS = 'Custom events are for the owner of the website';
  const CAMPAIGNS = 'Campaigns are for the owner of the website';

  test.each([
    ['/stats/breakdown?dimension=event', EVENTS],
    ['/stats/breakdown?dimension=event:name', EVENTS],
    ['/stats/breakdown?dimension=event&format=csv', EVENTS],
    ['/stats/breakdown?dimension=utmContent', CAMPAIGNS],
    ['/stats/values?dimension=event', EVENTS],
    ['/stats/values?dimension=utmSource', CAMPAIGNS],
    ['/stats/dashboard?breakdowns=page,event', EVENTS],
    [`/stats?${filters(['is', 'event', ['Ada Lovelace']])}`, EVENTS],
    [
      `/stats/timeseries?${filters(['not', ['and', [['contains', 'visit:utm_content', ['ada']]]]])}`,
      CAMPAIGNS,
    ],
    [
      `/stats/dashboard?${filters([
        'or',
        [
          ['is', 'page', ['/']],
          ['not', ['is', 'event', ['x']]],
        ],
      ])}`,
      EVENTS,
    ],
    [`/stats/values?dimension=page&${filters(['is', 'utmCampaign', ['x']])}`, CAMPAIGNS],
    [`/stats/realtime?${filters(['is', 'event', ['x']])}`, EVENTS],
    [`/stats/realtime/stream?${filters(['is', 'event', ['x']])}`, EVENTS],
    [`/pages?${filters(['is', 'event', ['x']])}`, EVENTS],
    [`/pages/detail?page=/popular&${filters(['is', 'utmTerm', ['x']])}`, CAMPAIGNS],
  ])('refuses %s', async (path, message) => {
    expect(statusAndBody(await ask(path))).toEqual({ status: 403, body: { error: 'FORBIDDEN', message } });
    if (!path.includes('stream')) expect([200, 404]).toContain((await service.ask(path)).status);
  });

  test('names no custom event in what happens now, and keeps the rest', async () => {
    const now = (await ask('/stats/realtime')).body;
    expect(now.events).toEqual([]);
    expect(now.pages).toHaveLength(3);
    expect((await ask('/stats/dashboard')).status).toBe(200);
    expect((await ask('/profile')).body.publicHides).toEqual(['customEvents', 'campaigns']);
  });
});
