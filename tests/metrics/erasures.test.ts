import { describe, expect, test } from 'bun:test';
import { isOnServer } from '../support/test-database.ts';
import { DAY_MS, HOUR_MS, startMetrics, type TestEvent } from './support.ts';

const BOT = { headers: { 'User-Agent': 'Googlebot/2.1' } };

const EVENTS: TestEvent[] = [
  { at: 5 * DAY_MS, visitor: 'ada', page: '/landing', country: 'DE', referrer: 'https://news.example/' },
  { at: 5 * DAY_MS - 60_000, visitor: 'ada', page: '/pricing', country: 'DE' },
  { at: 5 * DAY_MS - 120_000, visitor: 'ada', type: 'custom', properties: { name: 'signup', plan: 'pro' } },
  { at: 4 * DAY_MS, visitor: 'bob', page: '/pricing', country: 'FR' },
  { at: 4 * DAY_MS - 60_000, visitor: 'bob', page: '/landing', country: 'FR' },
  { at: 3 * DAY_MS, visitor: 'cy', type: 'custom', properties: { name: 'signup', plan: 'free' } },
  // Across midnight, UTC.
  { at: '2026-11-18T23:50:00Z', visitor: 'dee', page: '/landing' },
  { at: '2026-11-19T00:10:00Z', visitor: 'dee', page: '/checkout' },
  { at: HOUR_MS, visitor: 'ada', page: '/account?token=abc' },
];

async function startWithEvents() {
  const service = await startMetrics();
  await service.track(EVENTS);
  const { trackingCode } = service.website;
  await service.send('POST', '/api/v1/events', {
    ...BOT,
    body: {
      trackingCode,
      eventType: 'pageview',
      url: 'https://example.com/landing',
      visitorId: 'robot',
      sessionId: 'r',
      timestamp: service.clock.now() - DAY_MS,
    },
  });
  const other = await service.addWebsite(service.ada.token, 'https://other.example');
  await service.track([{ at: DAY_MS, visitor: 'ada', page: '/landing' }], other.trackingCode);
  const post = (path: string, body: unknown, token: string | undefined = service.ada.token) =>
    service.send('POST', `${service.base}/erasures${path}`, { token, body });
  /** Counts of the statistics for the same selection. */
  const stats = async ({ filters, ...rest }: Record<string, unknown>) => {
    const query = new URLSearchParams(
      Object.entries({
        traffic: 'all',
        ...rest,
        ...(filters ? { filters: JSON.stringify(filters) } : {}),
      }).map(([name, value]) => [name, String(value)]),
    );
    return (await service.get(`/stats?${query}`)) as { events: number; visits: number; visitors: number };
  };
  const listed = async () => {
    const path = `/api/v1/events?trackingCode=${trackingCode}&limit=1000`;
    const { body } = await service.send('GET', path, { token: service.ada.token });
    return body as { events: { id: string }[]; pagination: { total: number } };
  };
  return { ...service, other, post, stats, listed };
}

const SELECTIONS: [what: string, body: Record<string, unknown>, events: number][] = [
  ['everything of a range', { period: '30d' }, 10],
  ['events of a page', { period: '30d', filters: [['is', 'page', ['/landing']]] }, 4],
  ['a part of an address', { period: '30d', filters: [['contains', 'page', ['/acc']]] }, 1],
  ['visits by their first page', { period: '30d', filters: [['is', 'entryPage', ['/landing']]] }, 6],
  ['visits by where they came from', { period: '30d', filters: [['is', 'referrer', ['news.example']]] }, 3],
  ['visits by their country', { period: '30d', filters: [['is', 'country', ['FR']]] }, 2],
  ['a property', { period: '30d', filters: [['is', 'property:plan', ['pro']]] }, 1],
  ['a nested condition', { period: '30d', filters: [['not', ['is', 'eventType', ['pageview']]]] }, 2],
  ['bots', { period: '30d', traffic: 'bots' }, 1],
  ['people', { period: '30d', traffic: 'people', filters: [['is', 'page', ['/landing']]] }, 3],
  ['part of a visit, cut by the range', { from: '2026-11-19', to: '2026-11-19', timezone: 'UTC' }, 2],
  ['days of a time zone', { from: '2026-11-19', to: '2026-11-19', timezone: 'Europe/Berlin' }, 3],
  ['nothing', { period: '30d', filters: [['is', 'page', ['/none']]] }, 0],
];

/** The engine decides the selection, wherever the log is: a server is asked to remove some of them. */
const TRIED = isOnServer ? SELECTIONS.slice(0, 4) : SELECTIONS;

describe('an erasure removes exactly what the statistics count', () => {
  test.each(TRIED)('of %s', async (_what, body, expected) => {
    const service = await startWithEvents();
    const { post, stats, listed } = service;
    const before = await stats({ period: '30d' });
    const counted = await stats(body);
    const preview = await post('/preview', body);
    const { events, visits, visitors } = counted;
    const figures = () =>
      Promise.all(
        ['/stats/breakdown?dimension=page&', '/stats/timeseries?interval=day&', '/visitors?'].map((path) =>
          service.get(`${path}period=30d&traffic=all`),
        ),
      );
    expect(preview).toMatchObject({ status: 200, body: { events: expected, visits, visitors } });
    expect(events).toBe(expected);

    const { status, body: answer } = await post('', { ...body, events });
    expect({ status, answer }).toEqual({
      status: 200,
      answer: { success: true, message: 'Events erased', eventsRemoved: expected },
    });
    const rest = await stats({ period: '30d' });
    expect(rest.events).toBe(before.events - expected);
    const { events: left, pagination } = await listed();
    expect([left.length, pagination.total]).toEqual([rest.events, rest.events]);
    expect((await stats(body)).events).toBe(0);

    // A fresh derivation from the log agrees with what was left of it.
    const derived = await figures();
    await service.analytics.rebuild();
    expect(await figures()).toEqual(derived);
    const elsewhere = await service.send('GET', `/api/v1/websites/${service.other.id}/stats`, {
      token: service.ada.token,
    });
    expect(elsewhere.body).toMatchObject({ events: 1 });
    await service.close();
  });
});

describe('an erasure', () => {
  test('spares what arrived after the preview, whose range ends now', async () => {
    const service = await startWithEvents();
    const filters = [['is', 'page', ['/landing']]];
    const { body: seen } = await service.post('/preview', { period: 'all', filters });
    expect(seen).toMatchObject({ events: 4, to: '2026-11-20T12:00:00.000Z' });
    service.clock.advance(60_000);
    await service.track([{ at: 0, visitor: 'late', page: '/landing' }]);
    const { from, to, events } = seen as { from: string; to: string; events: number };
    expect(await service.post('', { from, to, filters, events })).toMatchObject({
      status: 200,
      body: { eventsRemoved: 4 },
    });
    expect(await service.stats({ period: '30d', filters })).toMatchObject({ events: 1, visitors: 1 });
    await service.close();
  });

  test('is refused with 409 when more is selected than was seen, and removes nothing', async () => {
    const service = await startWithEvents();
    const before = await service.listed();
    expect(await service.post('', { period: '30d', events: 9 })).toMatchObject({
      status: 409,
      body: {
        error: 'CONFLICT',
        message:
          '10 events are selected by now, more than the 9 of the preview. Nothing was erased: look at the preview again',
      },
    });
    expect(await service.listed()).toEqual(before);
    await service.close();
  });

  test.each([
    ['no range', { events: 1 }, { period: ['Required, or from and to'] }],
    ['an empty range', { from: '', events: 1 }, { period: ['Required, or from and to'] }],
    ['two ranges', { period: '30d', from: '2026-11-01', events: 1 }, { period: expect.anything() }],
    [
      'an unknown dimension',
      { period: '30d', events: 1, filters: [['is', 'colour', ['red']]] },
      { filters: [expect.stringContaining('Unknown dimension')] },
    ],
    [
      'filters that are too long',
      { period: '30d', events: 1, filters: [['is', 'page', ['x'.repeat(9_000)]]] },
      { filters: ['Must be at most 8192 characters'] },
    ],
  ])('is refused with 400 for %s', async (_what, body, fieldErrors) => {
    const service = await startMetrics();
    const answer = await service.send('POST', `${service.base}/erasures`, { token: service.ada.token, body });
    expect(answer).toMatchObject({ status: 400, body: { details: { fieldErrors } } });
    await service.close();
  });

  test('is for the owner alone, also of a public website', async () => {
    const service = await startMetrics();
    await service.changeSettings({ isPublic: true });
    const eve = await service.addUser();
    const reader = await service.addKey(service.ada.token, { scopes: ['read'] });
    for (const path of ['/erasures', '/erasures/preview']) {
      const statusFor = async (token?: string) =>
        (await service.send('POST', service.base + path, { ...(token && { token }), body: {} })).status;
      expect([await statusFor(), await statusFor(eve.apiKey), await statusFor(reader.key)]).toEqual([
        401, 404, 403,
      ]);
    }
    await service.close();
  });
});
