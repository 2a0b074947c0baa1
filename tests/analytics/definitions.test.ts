import { describe, expect, test } from 'bun:test';
import type { Analytics } from '../../src/analytics/analytics.ts';
import { createEngine } from '../../src/analytics/embedded/engine.ts';
import type { Query } from '../../src/analytics/interface/query.ts';
import type { Filter, Selection } from '../../src/analytics/interface/selection.ts';
import { openDatabase } from '../../src/db/open.ts';
import { EVENT_FLAGS } from '../../src/vocabulary/contract.ts';
import type { Limits } from './oracle/log.ts';
import { DAY_MS } from './oracle/raw-event.ts';
import { openStage } from './oracle/stage.ts';
import { FIRST_DAY_MS, type Sketch } from './oracle/traffic.ts';

/**
 * The surprising rules of docs/definitions.md, by example: the engine and the naive implementation must agree, and
 * answer what stands here.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ALL: Selection = { websiteKey: 1, fromMs: FIRST_DAY_MS - DAY_MS, toMs: FIRST_DAY_MS + 60 * DAY_MS };

/** At a minute of the first day, of /. */
function at(minute: number, given: Partial<Sketch> = {}): Sketch {
  return { createdAtMs: FIRST_DAY_MS + minute * MINUTE_MS, ...given };
}

function path(page: string): Partial<Sketch> {
  return { url: `https://a.example${page}` };
}

async function play<Answer>(
  { events, limits = {} }: { events: readonly Sketch[]; limits?: Limits },
  ask: (analytics: Analytics, stage: Awaited<ReturnType<typeof openStage>>) => Promise<Answer>,
): Promise<Answer> {
  const database = await openDatabase({ kind: 'memory' }, 'normal');
  const onError = (error: unknown) => {
    throw error;
  };
  const { local } = database;
  if (!local) throw new Error('A database in memory is local.');
  const options = { cacheBytesMax: 2 ** 24, ...limits, onError };
  const stage = await openStage(database, () => createEngine({ database: local, ...options }), { limits });
  try {
    await stage.play({ do: 'store', events });
    return await ask(stage.engine(), stage);
  } finally {
    await stage.close();
    database.close();
  }
}

/** @returns what the engine answers, once the naive implementation has answered the same */
function query(events: readonly Sketch[], request: Partial<Query>, limits: Limits = {}) {
  return play({ events, limits }, async (engine, stage) => {
    const whole = { ...ALL, ...request };
    await stage.compare({ ask: 'query', request: whole });
    return engine.query(whole);
  });
}

/** Value and events of each row, those with most events first. */
async function rowsOf(
  events: readonly Sketch[],
  dimension: NonNullable<Query['breakdowns']>[number]['dimension'],
  { limits = {}, filter, search }: { limits?: Limits; filter?: Filter; search?: string } = {},
) {
  const breakdown = {
    dimension,
    limit: 100,
    sort: { by: 'events' as const, descending: true },
    ...(search && { search }),
  };
  const { breakdowns } = await query(events, { breakdowns: [breakdown], ...(filter && { filter }) }, limits);
  return breakdowns?.[0]?.rows.map(({ value, events }) => [value, events]);
}

describe('means of a point', () => {
  // A visit of 75 minutes from 9:50, and a bounce at 10:30.
  const events = [...[590, 615, 640, 665].map((minute) => at(minute)), at(630, { visitorId: 'w' })];
  const bounds = [9, 10, 11, 12].map((hour) => FIRST_DAY_MS + hour * HOUR_MS);

  test('are those of the visits that begin in it', async () => {
    const { series, totals } = await query(events, { totals: true, series: { bounds } });
    expect(
      series?.map(({ visits, bounceRate, visitDuration }) => [visits, bounceRate, visitDuration]),
    ).toEqual([
      [1, 0, 4_500],
      [2, 1, 0],
      [1, 0, 0],
    ]);
    expect(totals).toMatchObject({ visits: 2, bounceRate: 0.5, visitDuration: 2_250 });
  });

  test('know nothing of a visit from before the range', async () => {
    const { series, totals } = await query(events, {
      fromMs: FIRST_DAY_MS + 600 * MINUTE_MS,
      totals: true,
      series: { bounds: [FIRST_DAY_MS, ...bounds.slice(2)] },
    });
    expect(series?.map(({ bounceRate }) => bounceRate)).toEqual([1, 0]);
    expect(totals).toMatchObject({ visits: 2, bounceRate: 0.5, visitDuration: 2_250 });
  });

  test('count a visit that begins in one point and matches in another', async () => {
    const filter: Filter = { op: 'match', dimension: 'page', operator: 'is', values: ['/late'] };
    const { series } = await query([at(59), at(61, path('/late'))], {
      filter,
      series: { bounds: [0, 1, 2].map((hour) => FIRST_DAY_MS + hour * HOUR_MS) },
    });
    expect(series?.map(({ visits, visitDuration }) => [visits, visitDuration])).toEqual([
      [0, 120],
      [1, 0],
    ]);
  });
});

describe('a page', () => {
  // Three visits: in by / and out by /a, a bounce on /a, in by /a and out by it after seeing it twice.
  const events = [
    ...[at(0), at(2, path('/a'))],
    at(0, { visitorId: 'w', ...path('/a') }),
    ...[at(0, { visitorId: 'x', ...path('/a') }), at(4, { visitorId: 'x', ...path('/a') })],
  ];

  test('has the bounces of the visits that began there, and the duration of all that saw it', async () => {
    const { breakdowns } = await query(events, { breakdowns: [{ dimension: 'page', limit: 10 }] });
    expect(breakdowns?.[0]?.rows).toMatchObject([
      { value: '/a', visits: 3, bounceRate: 0.5, visitDuration: 120 },
      { value: '/', visits: 1, bounceRate: 0, visitDuration: 120 },
    ]);
  });

  test('has the exits of its pageviews', async () => {
    const { rows, totals } = await play({ events }, async (engine, stage) => {
      const request = { ...ALL, limit: 10, offset: 0 };
      await stage.compare({ ask: 'pages', request });
      await stage.compare({ ask: 'page', request: { ...request, page: '/a' } });
      const [list, page] = await Promise.all([
        engine.pages(request),
        engine.page({ ...request, page: '/a' }),
      ]);
      return { rows: list.rows, totals: page?.totals };
    });
    expect(rows.map(({ value, exits, exitRate }) => [value, exits, exitRate])).toEqual([
      ['/a', 3, 3 / 4],
      ['/', 0, 0],
    ]);
    expect(totals).toMatchObject({ visits: 3, bounceRate: 0.5 });
  });
});

describe('a visit', () => {
  test('is of people, of a bot, or of one who is left out', async () => {
    const bot = { flags: EVENT_FLAGS.bot };
    const events = [at(0), at(1, bot), at(2), at(40, bot)];
    const ask = (traffic: 'people' | 'bots' | 'all') => query(events, { traffic, totals: true });
    const answers = await Promise.all((['people', 'bots', 'all'] as const).map(ask));
    expect(answers.map(({ totals }) => [totals?.visitors, totals?.visits, totals?.bounceRate])).toEqual([
      [1, 1, 0],
      [1, 2, 1],
      [1, 3, 2 / 3],
    ]);
  });

  test('lasts thirty days at most', async () => {
    const pauses = 30 * 48; // half hours
    const events = Array.from({ length: pauses + 3 }, (_, index) => at(index * 30));
    const { totals } = await query(events, { totals: true });
    expect(totals).toMatchObject({ visits: 2, visitDuration: (30 * 86_400 + 1_800) / 2 });
  });

  test('a visit has so many events at most, and continues as another one', async () => {
    const events = [at(4), at(0), at(2), at(3), at(1)];
    const { totals } = await query(events, { totals: true }, { visitEventsMax: 2 });
    expect(totals).toMatchObject({ visits: 3, bounceRate: 1 / 3, visitDuration: 40 });
  });
});

describe('pages and hosts', () => {
  const events = [
    ...['/ü', '/%c3%bc', '/%C3%BC'].map((page, index) => at(index, path(page))),
    ...['/%2fa', '/%2Fa'].map((page, index) => at(10 + index, path(page))),
    at(20, { url: 'https://xn--bcher-kva.example/' }),
    at(21, { url: 'https://bücher.example/' }),
  ];

  test('are as people read them', async () => {
    expect(await rowsOf(events, 'page')).toEqual([
      ['/ü', 3],
      ['/', 2],
      ['/%2Fa', 2],
    ]);
    expect(await rowsOf(events, 'hostname')).toEqual([
      ['a.example', 5],
      ['bücher.example', 2],
    ]);
  });

  test.each([
    ['page', 'is', '/%c3%bc', 3],
    ['page', 'is', '/ü', 3],
    ['entryPage', 'is', '/%C3%BC', 7],
    ['page', 'is', '/%2fa', 2],
    ['page', 'contains', '%C3%BC', 3],
    ['page', 'is_not', '/%c3%bc', 4],
    ['hostname', 'is', 'xn--bcher-kva.example', 2],
    ['hostname', 'starts_with', 'xn--bcher-kva', 2],
    ['hostname', 'contains_not', 'xn--bcher-kva', 5],
  ] as const)('are found by either form: %s %s %s', async (dimension, operator, value, count) => {
    const filter: Filter = { op: 'match', dimension, operator, values: [value] };
    const { totals } = await query(events, { totals: true, filter });
    expect(totals?.events).toBe(count);
  });

  test('are searched for by either form', async () => {
    expect(await rowsOf(events, 'page', { search: '%c3%bc' })).toEqual([['/ü', 3]]);
    expect(await rowsOf(events, 'hostname', { search: 'XN--bcher-kva' })).toEqual([['bücher.example', 2]]);
    const values = await play({ events }, async (engine, stage) => {
      const request = { ...ALL, dimension: 'page' as const, search: '/%C3%BC', limit: 10 };
      await stage.compare({ ask: 'values', request });
      return engine.values(request);
    });
    expect(values).toEqual([{ value: '/ü', events: 3 }]);
  });

  test('have a detail by either form', async () => {
    const totals = await play({ events }, async (engine, stage) => {
      const request = { ...ALL, page: '/%c3%bc', limit: 10 };
      await stage.compare({ ask: 'page', request });
      return (await engine.page(request))?.totals;
    });
    expect(totals?.events).toBe(3);
  });

  test('have a detail by the other form where a range has none of the one that was written', async () => {
    const both = [at(0, path('/%%34%31')), at(60, path('/A'))];
    const found = await play({ events: both }, async (engine, stage) => {
      const request = { ...ALL, page: '/%41', limit: 10 };
      const later = { ...request, fromMs: both[1]?.createdAtMs ?? 0 };
      await stage.compare({ ask: 'page', request });
      await stage.compare({ ask: 'page', request: later });
      return Promise.all([engine.page(request), engine.page(later)]);
    });
    expect(found.map((detail) => detail?.totals.events)).toEqual([1, 1]);
  });
});

describe('texts', () => {
  test('are the same when their first 255 units are', async () => {
    const page = `/${'a'.repeat(254)}`;
    const properties = JSON.stringify({ text: 'b'.repeat(255) });
    const longer = JSON.stringify({ text: 'b'.repeat(256) });
    const events = [at(0, { ...path(page), properties }), at(1, { ...path(`${page}b`), properties: longer })];
    expect(await rowsOf(events, 'page')).toEqual([[page, 2]]);
    expect(await rowsOf(events, 'property:text')).toEqual([['b'.repeat(255), 2]]);
  });

  const limits: Limits = { bounds: { pages: 2, hosts: 1, values: 2 } };

  test('beyond the bound of a day are "(other)"', async () => {
    const events = ['/a', '/b', '/c', '/a', '/c', '/d'].map((page, index) => at(index, path(page)));
    expect(await rowsOf(events, 'page', { limits })).toEqual([
      ['(other)', 3],
      ['/a', 2],
      ['/b', 1],
    ]);
    expect(await rowsOf(events, 'exitPage', { limits })).toEqual([['(other)', 6]]);
  });

  test('keep their name on every day, and take no other place', async () => {
    const pages = [
      ['/a', '/b'],
      ['/b', '/c', '/a', '/d', '/e'],
    ];
    const events = pages.flatMap((ofDay, day) =>
      ofDay.map((page, index) => at(day * 1_440 + index, path(page))),
    );
    const rows = await rowsOf(events, 'page', { limits });
    expect(rows).toEqual([
      ['/a', 2],
      ['/b', 2],
      ['(other)', 1],
      ['/c', 1],
      ['/d', 1],
    ]);
  });

  test('count in the order of storing, on the day of their event', async () => {
    const late = ['/c', '/d', '/a', '/b'];
    const events = late.map((page, index) => at(1_440 - index, path(page)));
    // /c is of the second day, and the others of the first.
    const rows = await rowsOf(events, 'page', { limits });
    expect(rows).toEqual([
      ['(other)', 1],
      ['/a', 1],
      ['/c', 1],
      ['/d', 1],
    ]);
  });

  test('of events that begin no visit count as well', async () => {
    const sources = ['x', 'y', 'z'].map((name, index) => at(index, path(`/?utm_source=${name}`)));
    const events = [...sources, at(100, path('/?utm_source=z'))];
    expect(await rowsOf(events, 'utmSource', { limits })).toEqual([
      ['x', 3],
      ['(other)', 1],
    ]);
  });

  test('are not numbers as "(other)"', async () => {
    const events = [1, 2, 3].map((n, index) => at(index, { properties: JSON.stringify({ n }) }));
    const answer = await play({ events, limits }, async (engine, stage) => {
      const request = { ...ALL, key: 'n', limit: 10, offset: 0 };
      await stage.compare({ ask: 'propertyValues', request });
      return engine.propertyValues(request);
    });
    expect(answer.rows.map(({ value }) => value)).toEqual(['(other)', '1', '2']);
    expect(answer.numbers).toEqual({ count: 2, sum: 3, average: 1.5, min: 1, max: 2 });
  });

  test('the path of a session names its events, also when they are "(other)"', async () => {
    const events = ['/a', '/b', '/c'].map((page, index) => at(index, path(page)));
    const seen = await play({ events, limits }, async (engine, stage) => {
      const request = { websiteKey: 1, sessionId: 's', limit: 10, offset: 0 };
      await stage.compare({ ask: 'session', request });
      return (await engine.session(request))?.events.map(({ page }) => page);
    });
    expect(seen).toEqual(['/a', '/b', '/c']);
  });

  test('keep what they are when others are removed, until a rebuild', async () => {
    const events = ['/a', '/b', '/c'].map((page, index) => at(index, { visitorId: page, ...path(page) }));
    const request = { ...ALL, breakdowns: [{ dimension: 'page' as const, limit: 10 }] };
    const answers = await play({ events, limits }, async (engine) => {
      const pages = async () => (await engine.query(request)).breakdowns?.[0]?.rows.map(({ value }) => value);
      await engine.eraseVisitor({ websiteKey: 1, visitorId: '/a' });
      const before = await pages();
      await engine.rebuild();
      return [before, await pages()];
    });
    expect(answers).toEqual([
      ['(other)', '/b'],
      ['/b', '/c'],
    ]);
  });
});
