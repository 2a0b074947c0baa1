import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { EventPosition } from '../../src/log/event.ts';
import {
  CLIENT_DIMENSIONS,
  type ClientDimension,
  ORIGIN_DIMENSIONS,
  type OriginDimension,
} from '../../src/vocabulary/analytics.ts';
import {
  all,
  createTestLog,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  START_MS,
  type TestLog,
  WEBSITE,
} from './support.ts';

let log: TestLog;
beforeEach(async () => {
  log = await createTestLog();
  log.add(
    { at: 0, path: '/?utm_source=Google&utm_medium=cpc', sessionId: 'a', visitorId: 'anna' },
    { at: MINUTE_MS, path: '/plans', sessionId: 'a', visitorId: 'anna' },
    {
      at: 2 * MINUTE_MS,
      path: '/plans',
      sessionId: 'b',
      visitorId: 'anna',
      eventType: 'custom',
      properties: '{"name":"signup","plan":"pro","seats":3}',
    },
    { at: 3 * MINUTE_MS, path: '/docs', sessionId: 'a', visitorId: 'anna' },
    { at: DAY_MS - MINUTE_MS, path: '/docs', sessionId: 'c', visitorId: 'ben', location: 'FR' },
    { at: DAY_MS + MINUTE_MS, path: '/plans', sessionId: 'c', visitorId: 'ben', location: 'FR' },
    {
      at: 2 * DAY_MS,
      path: '/docs',
      sessionId: 'd',
      visitorId: 'ben',
      eventType: 'custom',
      properties: '{"name":"signup","plan":"free","seats":"2"}',
    },
    { at: 3 * DAY_MS, website: 2, visitorId: 'anna', sessionId: 'a' },
  );
});
afterEach(() => log.close());

const PAGE = { limit: 10, offset: 0 };

/** Absent, of an origin and of a client: their names are those of the lists. */
const NOTHING = Object.fromEntries(
  [...ORIGIN_DIMENSIONS, ...CLIENT_DIMENSIONS].map((name) => [name, null]),
) as Record<OriginDimension | ClientDimension, null>;

describe('lists', () => {
  test('sessions: the latest active first, with their own counts', async () => {
    const { rows, total } = await log.engine().sessions({ ...all(), ...PAGE });
    expect(total).toBe(4);
    expect(rows.map(({ sessionId }) => sessionId)).toEqual(['d', 'c', 'a', 'b']);
    expect(rows[2]).toEqual({
      sessionId: 'a',
      visitorId: 'anna',
      firstAtMs: START_MS,
      lastAtMs: START_MS + 3 * MINUTE_MS,
      duration: 180,
      pageviews: 3,
      events: 3,
      entryPage: '/',
      exitPage: '/docs',
      ...NOTHING,
      source: 'Google',
      channel: 'Paid Search',
      utmSource: 'Google',
      utmMedium: 'cpc',
      country: 'DE',
      deviceType: 'desktop',
      browser: 'Firefox',
      browserVersion: null,
      os: 'Linux',
      osVersion: null,
      language: 'de',
      screen: '1920x1080',
      screenSize: 'extra large',
      bot: null,
      countedBy: 'browser',
    });
    const { rows: second } = await log.engine().sessions({ ...all(), limit: 1, offset: 1 });
    expect(second.map(({ sessionId }) => sessionId)).toEqual(['c']);
  });

  test('one session: its path, also across midnight', async () => {
    const detail = await log.engine().session({ websiteKey: WEBSITE, sessionId: 'c', ...PAGE });
    expect(detail?.session).toMatchObject({ visitorId: 'ben', duration: 120, pageviews: 2 });
    expect(detail?.events.map(({ page, atMs }) => [page, atMs - START_MS])).toEqual([
      ['/docs', DAY_MS - MINUTE_MS],
      ['/plans', DAY_MS + MINUTE_MS],
    ]);
    expect(await log.engine().session({ websiteKey: WEBSITE, sessionId: 'absent', ...PAGE })).toBeUndefined();
  });

  test('the events of a session and of a visitor, a page at a time', async () => {
    const engine = log.engine();
    const page = { websiteKey: WEBSITE, limit: 2, offset: 1 };
    const session = await engine.session({ ...page, sessionId: 'a' });
    expect(session?.session.events).toBe(3);
    expect(session?.events.map(({ atMs }) => atMs - START_MS)).toEqual([MINUTE_MS, 3 * MINUTE_MS]);
    const visitor = await engine.visitor({ ...page, visitorId: 'anna' });
    expect(visitor?.visitor.events).toBe(4);
    expect(visitor?.events.map(({ atMs }) => atMs - START_MS)).toEqual([2 * MINUTE_MS, MINUTE_MS]);
    const beyond = await engine.session({ ...page, sessionId: 'a', offset: 3 });
    expect(beyond).toMatchObject({ session: { events: 3 }, events: [] });
  });

  test('visitors, and one of them', async () => {
    const engine = log.engine();
    const { rows, total } = await engine.visitors({ ...all(), ...PAGE });
    expect(total).toBe(2);
    expect(
      rows.map(({ visitorId, visits, pageviews, events }) => [visitorId, visits, pageviews, events]),
    ).toEqual([
      ['ben', 2, 2, 3],
      ['anna', 1, 3, 4],
    ]);
    const ben = await engine.visitor({ websiteKey: WEBSITE, visitorId: 'ben', ...PAGE });
    expect(
      ben?.visits.map(({ startMs, pageviews, entryPage }) => [startMs - START_MS, pageviews, entryPage]),
    ).toEqual([
      [2 * DAY_MS, 0, null],
      [DAY_MS - MINUTE_MS, 2, '/docs'],
    ]);
    expect(ben?.events.map(({ name, page }) => name ?? page)).toEqual(['signup', '/plans', '/docs']);
    expect(await engine.visitor({ websiteKey: 2, visitorId: 'ben', ...PAGE })).toBeUndefined();
  });

  test('pages with entries and exits, and one of them with its neighbours', async () => {
    const engine = log.engine();
    const { rows } = await engine.pages({ ...all(), ...PAGE });
    expect(
      rows.map(({ value, pageviews, visits, entries, exits }) => [value, pageviews, visits, entries, exits]),
    ).toEqual([
      ['/docs', 2, 3, 1, 1],
      ['/plans', 2, 2, 0, 1],
      ['/', 1, 1, 1, 0],
    ]);
    const page = await engine.page({ ...all(), page: '/plans', limit: 10 });
    expect(page).toMatchObject({
      totals: { visitors: 2, pageviews: 2, events: 3 },
      entries: 0,
      exits: 1,
      previous: [
        { value: '/', pageviews: 1 },
        { value: '/docs', pageviews: 1 },
      ],
      next: [
        { value: null, pageviews: 1 },
        { value: '/docs', pageviews: 1 },
      ],
    });
    expect(await engine.page({ ...all(), page: '/none', limit: 10 })).toBeUndefined();
  });

  test('custom events, keys and values of their properties', async () => {
    const engine = log.engine();
    expect(await engine.customEvents({ ...all(), ...PAGE })).toEqual({
      rows: [{ name: 'signup', events: 2, visitors: 2 }],
      total: 1,
    });
    expect(await engine.propertyKeys({ ...all(), ...PAGE })).toEqual({
      rows: ['name', 'plan', 'seats'].map((key) => ({ key, events: 2, visitors: 2 })),
      total: 3,
    });
    expect(await engine.propertyValues({ ...all(), ...PAGE, key: 'seats' })).toEqual({
      rows: [
        { value: '2', events: 1, visitors: 1 },
        { value: '3', events: 1, visitors: 1 },
      ],
      total: 2,
      numbers: { count: 1, sum: 3, average: 3, min: 3, max: 3 },
    });
    expect((await engine.propertyValues({ ...all(), ...PAGE, key: 'plan' })).numbers).toBeUndefined();
  });

  test('a dimension that is asked for twice is counted once', async () => {
    const twice = [1, 2].map(() => ({ dimension: 'page' as const, limit: 1 }));
    const { breakdowns } = await log.engine().query(all({ breakdowns: twice }));
    expect(breakdowns?.map(({ rows }) => rows[0]?.events)).toEqual([3, 3]);
  });

  test('realtime: five minutes and thirty', async () => {
    const now = await log
      .engine()
      .realtime({ websiteKey: WEBSITE, nowMs: START_MS + 3 * MINUTE_MS, limit: 10 });
    expect(now).toMatchObject({
      visitors: 1,
      pages: [
        { value: '/', visitors: 1, events: 1 },
        { value: '/docs', visitors: 1, events: 1 },
        { value: '/plans', visitors: 1, events: 2 },
      ],
      sources: [{ value: 'Google', visitors: 1, events: 4 }],
      events: [{ value: 'signup', visitors: 1, events: 1 }],
    });
    expect(now.minutes).toHaveLength(30);
    expect(now.minutes.slice(-5).map(({ events }) => events)).toEqual([0, 1, 1, 1, 1]);
  });

  test('values for autocomplete, and headlines of several websites', async () => {
    const engine = log.engine();
    expect(await engine.values({ ...all(), dimension: 'page', search: 'D', limit: 5 })).toEqual([
      { value: '/docs', events: 3 },
    ]);
    expect(
      await engine.headlines({ websiteKeys: [1, 2], fromMs: START_MS, toMs: START_MS + 10 * DAY_MS }),
    ).toEqual([
      { websiteKey: 1, visitors: 2, visits: 3, pageviews: 5 },
      { websiteKey: 2, visitors: 1, visits: 1, pageviews: 1 },
    ]);
  });
});

describe('the export of a visitor', () => {
  test.each([1, 2, 3, 7, 100])('is in the order of time, %d events a page', async (limit) => {
    // Stored in another order; of one time in that of storing; bots between people, of one visitor.
    const times = [5 * HOUR_MS, -DAY_MS, 2 * DAY_MS, MINUTE_MS, MINUTE_MS, -1, 4 * DAY_MS];
    log.add(...times.map((at, index) => ({ at, visitorId: 'late', path: `/${index}`, flags: index % 2 })), {
      at: 0,
      visitorId: 'late',
      path: '/elsewhere',
      website: 2,
    });
    const engine = log.engine();
    const found: string[] = [];
    let after: EventPosition | undefined;
    do {
      const request = { websiteKey: WEBSITE, visitorId: 'late', after, limit };
      const { events, next } = await engine.exportVisitor(request);
      expect(events.length).toBeLessThanOrEqual(limit);
      found.push(...events.map(({ url }) => new URL(url).pathname));
      after = next;
    } while (after);
    expect(found).toEqual(['/1', '/5', '/3', '/4', '/0', '/2', '/6']);
  });
});

describe('removal', () => {
  test('exports and erases a visitor of one website, from the log and from everything derived', async () => {
    const engine = log.engine();
    const first = await engine.exportVisitor({ websiteKey: WEBSITE, visitorId: 'anna', limit: 3 });
    expect(first.events).toHaveLength(3);
    const rest = await engine.exportVisitor({
      websiteKey: WEBSITE,
      visitorId: 'anna',
      after: first.next,
      limit: 3,
    });
    expect(rest).toMatchObject({ events: [{ url: 'https://example.com/docs' }], next: undefined });
    expect(await engine.eraseVisitor({ websiteKey: WEBSITE, visitorId: 'anna' })).toEqual({
      eventsRemoved: 4,
    });
    const everything = all({ breakdowns: [{ dimension: 'property:plan', limit: 10 }] });
    const after = await engine.query(everything);
    expect(after).toMatchObject({
      totals: { visitors: 1, visits: 2, events: 3 },
      breakdowns: [{ rows: [{ value: 'free' }] }],
    });
    expect(log.database.prepare('SELECT count(*) AS n FROM events').get()).toMatchObject({ n: 4 });
    expect(log.database.prepare('SELECT sum(count) AS n FROM event_counts').get()).toMatchObject({ n: 4 });
    await engine.rebuild();
    expect(await engine.query(everything)).toEqual(after);
    log.add({ at: 5 * HOUR_MS, visitorId: 'anna' });
    expect((await engine.query(all())).totals).toMatchObject({ visitors: 2, events: 4 });
  });
});
