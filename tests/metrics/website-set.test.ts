import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type MetricsService, startMetrics, type TestEvent } from './support.ts';

const WEBSITES = 3;
const VALUES = 150; // more than are read of each website at first

let service: MetricsService;
let ids: string[];
let wholeId: string;

/** Events of one website, whose visitors are on no other. Ranks of its pages differ from those of the others. */
function eventsOf(website: number): TestEvent[] {
  return Array.from({ length: 400 }, (_, index) => {
    const visitor = `${website}-${index % 90}`;
    const minute = index * 7 + website;
    return {
      at: new Date(Date.parse('2026-11-19T22:00:00Z') + minute * 60_000 - (index % 5) * 40_000).toISOString(),
      visitor,
      page: `/p${(index * (website + 3)) % VALUES}`,
      country: ['DE', 'FR', 'US'][(index + website) % 3] ?? 'DE',
      ...(index % 11 === 0 && {
        type: 'custom' as const,
        properties: {
          name: 'order',
          revenue: { amount: `${website + 1}.50`, currency: index % 2 ? 'EUR' : 'USD' },
        },
      }),
    };
  });
}

beforeAll(async () => {
  service = await startMetrics();
  const { token } = service.ada;
  const whole = await service.addWebsite(token, 'https://whole.example');
  wholeId = whole.id;
  ids = [];
  for (let index = 0; index < WEBSITES; index += 1) {
    const website = await service.addWebsite(token, `https://s${index}.example`);
    ids.push(website.id);
    await service.track(eventsOf(index), website.trackingCode);
    await service.track(eventsOf(index), whole.trackingCode);
  }
});
afterAll(() => service.close());

async function ask(id: string, path: string) {
  return service.send('GET', `/api/v1/websites/${id}${path}`, { token: service.ada.token });
}

const sorted = (filters: unknown[]) => `&filters=${encodeURIComponent(JSON.stringify(filters))}`;

describe('several websites answer as one website with all of their events', () => {
  test.each([
    '/stats?period=7d&compare=previous',
    '/stats?period=7d&revenue=true',
    '/stats/timeseries?period=7d&interval=hour',
    '/stats/timeseries?period=7d&interval=day&revenue=true',
    '/stats/dashboard?period=7d&compare=previous&limit=20',
    '/stats/breakdown?dimension=page&period=7d&limit=30',
    '/stats/breakdown?dimension=page&period=7d&limit=30&offset=30&sort=pageviews',
    '/stats/breakdown?dimension=page&period=7d&limit=500',
    '/stats/breakdown?dimension=page&period=7d&sort=bounceRate:asc&limit=200',
    '/stats/breakdown?dimension=page&period=7d&sort=value&limit=5',
    '/stats/breakdown?dimension=country&period=7d&withAbsent=true&revenue=true',
    '/stats/values?dimension=page&period=7d&search=p1&limit=5',
    '/stats/realtime',
    `/stats?period=7d${sorted([
      ['is', 'country', ['DE']],
      ['has_done', ['contains', 'page', ['1']]],
    ])}`,
  ])('%s', async (path) => {
    const one = await ask(wholeId, path);
    expect(one.status).toBe(200);
    expect(await ask(ids.join(','), path)).toMatchObject({ status: 200, body: one.body });
  });
});

const ofWebsite = (operator: string, values: unknown[]) =>
  `&filters=${encodeURIComponent(JSON.stringify([[operator, 'website', values]]))}`;

describe('website is a dimension of a set', () => {
  test('breaks down by website, whose rows are the totals of each', async () => {
    const { body } = await ask(ids.join(','), '/stats/breakdown?dimension=website&period=7d&sort=value');
    const totals = await Promise.all(ids.map((id) => ask(id, '/stats?period=7d')));
    expect(body.rows.map((row: { value: string }) => row.value)).toEqual([
      'Example (s0.example)',
      'Example (s1.example)',
      'Example (s2.example)',
    ]);
    for (const [index, row] of body.rows.entries()) {
      const { range: _range, ...figures } = totals[index]?.body ?? {};
      expect(row).toMatchObject(figures);
    }
  });

  test('lists websites as values, by part of their name', async () => {
    const { body } = await ask(ids.join(','), '/stats/values?dimension=website&period=7d&search=S1.');
    expect(body.values).toEqual([{ value: 'Example (s1.example)', events: 400 }]);
  });

  test('filters by id and by name', async () => {
    const { body: one } = await ask(ids[1] ?? '', '/stats/dashboard?period=7d');
    const set = ids.join(',');
    expect((await ask(set, `/stats/dashboard?period=7d${ofWebsite('is', [ids[1]])}`)).body).toEqual(one);
    const others = ofWebsite('is_not', [ids[0], 'Example (s2.example)']);
    expect((await ask(set, `/stats/dashboard?period=7d${others}`)).body).toEqual(one);
  });

  test('answers zeros when no website is left', async () => {
    const none = await ask(ids.join(','), `/stats/timeseries?period=7d${ofWebsite('is_not', ids)}`);
    expect(none.body.points).toHaveLength(7);
    expect(none.body.points.every(({ events }: { events: number }) => events === 0)).toBe(true);
  });

  test('rejects an unknown website, other operators, and the dimension for one website', async () => {
    const set = ids.join(',');
    const faults = async (id: string, query: string) => {
      const { status, body } = await ask(id, `/stats?period=7d${query}`);
      return [status, body.details?.fieldErrors?.filters?.[0]];
    };
    expect(await faults(set, ofWebsite('is', ['nowhere']))).toEqual([
      400,
      '[0][2]: Unknown website "nowhere"',
    ]);
    expect(await faults(set, ofWebsite('contains', ['x']))).toEqual([
      400,
      '[0][0]: website can be asked with is and is_not',
    ]);
    expect(await faults(wholeId, ofWebsite('is', [wholeId]))).toEqual([
      400,
      '[0][1]: website can be asked of several websites, as /websites/all',
    ]);
  });
});

describe('the websites of a set', () => {
  test('all stands for every website of the account', async () => {
    const { body } = await ask('all', '/profile');
    expect(body).toMatchObject({ id: 'all', name: 'All websites', domain: '', isOwner: true });
    expect(body.members).toHaveLength(WEBSITES + 2);
  });

  test('answers 404 when one is unknown or of another account, and 401 without credentials', async () => {
    const eve = await service.signUp('eve@example.com');
    const own = await service.addWebsite(eve.token);
    const asEve = (id: string) => service.send('GET', `/api/v1/websites/${id}/stats`, { token: eve.token });
    expect((await asEve(`${own.id},${ids[0]}`)).status).toBe(404);
    expect((await asEve('all')).body.events).toBe(0);
    expect((await ask(`${ids[0]},nothing`, '/stats')).status).toBe(404);
    expect((await service.send('GET', '/api/v1/websites/all/stats', {})).status).toBe(401);
  });

  test.each(['/pages', '/stats/funnel', '/stats/retention', '/sessions', '/goals', '/segments'])(
    'a report that cannot be added up is refused: %s',
    async (path) => {
      const { status, body } = await ask(ids.join(','), path);
      expect([status, body.message]).toEqual([
        400,
        'This is about one website: its answers cannot be added up. Ask about each website',
      ]);
    },
  );
});
