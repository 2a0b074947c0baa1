import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DIMENSIONS } from '../../src/vocabulary/analytics.ts';
import { type MetricsService, startMetrics, type TestEvent } from './support.ts';

let service: MetricsService;

beforeAll(async () => {
  service = await startMetrics();
  const track = (visitor: string, campaign: string, pages: string[], country: string) =>
    service.track(
      pages.map((page, index) => ({
        at: new Date(Date.parse('2026-11-20T09:00:00Z') + index * 60_000).toISOString(),
        visitor,
        page: index === 0 ? `${page}?utm_campaign=${campaign}` : page,
        country,
        ...(page === '/buy' && { type: 'custom' as const, properties: { name: `buy-${campaign}` } }),
      })),
    );
  await track('a1', 'alpha', ['/a', '/shared', '/buy'], 'DE');
  await track('a2', 'alpha', ['/a'], 'DE');
  await track('b1', 'beta', ['/b-secret', '/shared', '/buy'], 'FR');
  await track('b2', 'beta', ['/b-secret'], 'US');
});
afterAll(() => service.close());

const api = (path: string) => `/api/v1/websites/shared${path}`;
const filtersOf = (filters: unknown[]) => `filters=${encodeURIComponent(JSON.stringify(filters))}`;

async function addLink(input: object = {}) {
  const { status, body } = await service.send('POST', `${service.base}/links`, {
    token: service.ada.token,
    body: { name: 'Client', ...input },
  });
  expect(status).toBe(201);
  return body as { id: string; token: string };
}
const change = (id: string, body: object) =>
  service.send('PATCH', `${service.base}/links/${id}`, { token: service.ada.token, body });
const ask = (token: string, path: string) => service.send('GET', api(path), { token });

describe('a share link', () => {
  test('opens the reports of its website, and nothing else', async () => {
    const { token } = await addLink();
    expect((await ask(token, '/stats?period=today')).body.visitors).toBe(4);
    expect((await service.send('GET', `${service.base}/stats`, { token })).status).toBe(200);
    const other = await service.addWebsite(service.ada.token, 'https://other.example');
    expect((await service.send('GET', `/api/v1/websites/${other.id}/stats`, { token })).status).toBe(404);
    for (const path of ['/sessions', '/visitors', '/goals', '/settings', '/links', '', '/stats/properties'])
      expect((await service.send('GET', `${service.base}${path}`, { token })).status).toBe(403);
    for (const path of ['/auth/me', '/websites', '/stats/websites'])
      expect((await service.send('GET', `/api/v1${path}`, { token })).status).toBe(401);
    expect((await ask(token, '/stats/breakdown?dimension=property:name')).status).toBe(403);
    expect((await ask(token, '/stats?revenue=true')).status).toBe(403);
  });

  test('says that it is unknown, revoked or over', async () => {
    const { id, token } = await addLink({ expiresAt: '2026-11-20T12:30:00Z' });
    await change(id, { isRevoked: true });
    const messageOf = async (of: string) => {
      const { status, body } = await ask(of, '/profile');
      return [status, body.message];
    };
    expect(await messageOf(token)).toEqual([401, 'This link was revoked by its owner']);
    await change(id, { isRevoked: false });
    expect((await messageOf(token))[0]).toBe(200);
    expect((await messageOf(`${token.slice(0, -1)}!`))[0]).toBe(401);
    const last = token.endsWith('a') ? 'b' : 'a';
    expect(await messageOf(token.slice(0, -1) + last)).toEqual([
      401,
      'This link is unknown: it was deleted, or its address is incomplete',
    ]);
    service.clock.advance(31 * 60_000);
    expect(await messageOf(token)).toEqual([401, 'This link has expired']);
    service.clock.advance(-31 * 60_000);
  });

  test('counts openings, notes the last use, and stores no token', async () => {
    const { id, token } = await addLink();
    await ask(token, '/profile');
    await ask(token, '/stats');
    await ask(token, '/profile');
    await Bun.sleep(20);
    const { body } = await service.send('GET', `${service.base}/links/${id}`, { token: service.ada.token });
    expect(body).toMatchObject({ uses: 2, lastUsedAt: new Date(service.clock.now()).toISOString() });
    expect(JSON.stringify(body)).not.toContain(token);
  });

  test('keeps back what it hides', async () => {
    const { token } = await addLink({ hides: ['customEvents', 'campaigns'] });
    expect((await ask(token, '/stats/breakdown?dimension=event')).status).toBe(403);
    expect((await ask(token, '/stats/breakdown?dimension=utmCampaign')).status).toBe(403);
    expect((await ask(token, '/profile')).body.publicHides).toEqual(['customEvents', 'campaigns']);
  });

  test('hides its own dimension and still filters by it', async () => {
    const { token } = await addLink({ hides: ['campaigns'], filters: [['is', 'utmCampaign', ['alpha']]] });
    expect((await ask(token, '/stats?period=today')).body.visitors).toBe(2);
  });

  test('with a range shows that one only, and the one before', async () => {
    const { token } = await addLink({ range: { from: '2026-11-01', to: '2026-11-20' } });
    const { body } = await ask(token, '/stats?compare=previous');
    expect(body.range.from).toBe('2026-11-01T00:00:00.000Z');
    for (const query of [
      'period=7d',
      'from=2026-10-01',
      'from=2026-11-01&to=2026-11-25',
      'timezone=Asia/Tokyo',
      'compare=year',
      'compare=custom&compareFrom=2025-01-01&compareTo=2026-01-01',
    ])
      expect((await ask(token, `/stats?${query}`)).status).toBe(403);
    expect((await ask(token, '/stats?from=2026-11-01&to=2026-11-20')).status).toBe(200);
    const past = await addLink({ range: { period: 'yesterday' } });
    expect((await ask(past.token, '/stats/realtime')).status).toBe(403);
    expect((await ask(past.token, '/stats?period=yesterday')).status).toBe(200);
  });

  test('opens nothing once a goal of its filter was deleted', async () => {
    const { token: login } = service.ada;
    const goal = await service.send('POST', `${service.base}/goals`, {
      token: login,
      body: { name: 'A', type: 'page', match: '/a' },
    });
    const { token } = await addLink({ filters: [['is', 'goal', ['A']]] });
    expect((await ask(token, '/stats?period=today')).body.visitors).toBe(2);
    await service.send('DELETE', `${service.base}/goals/${goal.body.id}`, { token: login });
    expect((await ask(token, '/stats?period=today')).status).toBe(403);
  });

  test.each([
    [{ origins: ['https://*'] }, 'origins'],
    [{ origins: ['null'] }, 'origins'],
    [{ origins: ['https://a.example/path'] }, 'origins'],
    [{ origins: ['https://*.example'] }, 'origins'],
    [{ origins: ['https://a.example; script-src *'] }, 'origins'],
    [{ range: { from: '2026-02-30', to: '2026-03-01' } }, 'range'],
    [{ range: { from: '2026-03-02', to: '2026-03-01' } }, 'range'],
    [{ expiresAt: '2026-11-19' }, 'expiresAt'],
    [{ filters: [['is', 'nothing', ['x']]] }, 'filters'],
    [{ filters: [['is', 'segment', ['x']]] }, 'filters'],
    [{ password: 'short' }, 'password'],
    [{ name: '' }, 'name'],
  ])('names the faulty field of %j', async (input, field) => {
    const { status, body } = await service.send('POST', `${service.base}/links`, {
      token: service.ada.token,
      body: { name: 'x', ...input },
    });
    expect([status, Object.keys(body.details?.fieldErrors ?? {})]).toEqual([400, [field]]);
  });
});

/** Traffic of two clients of an agency: only that of alpha, or both. */
function trafficOf(clients: readonly string[]): TestEvent[] {
  return ['alpha', 'beta']
    .flatMap((client, index) =>
      Array.from({ length: 12 }, (_, visit) =>
        [`/${client}`, '/shared', `/${client}-secret`, '/buy']
          .slice(0, 1 + ((visit + index) % 4))
          .map((page, step) => ({
            at: new Date(
              Date.parse('2026-11-18T09:00:00Z') + visit * 4 * 3_600_000 + step * 60_000,
            ).toISOString(),
            visitor: `${client}-${visit % 7}`,
            page: `${page}?utm_campaign=${client}&utm_source=${client}-source`,
            country: client === 'alpha' ? 'DE' : 'FR',
            referrer: `https://${client}.example/`,
            type: page === '/buy' ? ('custom' as const) : ('pageview' as const),
            ...(page === '/buy' && { properties: { name: `${client}-bought`, plan: client } }),
          })),
      ),
    )
    .flat()
    .filter(({ visitor }) => clients.some((client) => visitor.startsWith(client)));
}

const WIDENING: unknown[][] = [
  [],
  [
    [
      'or',
      [
        ['is', 'utmCampaign', ['beta']],
        ['is_not', 'utmCampaign', ['beta']],
      ],
    ],
  ],
  [['not', ['is', 'utmCampaign', ['alpha']]]],
  [['is', 'utmCampaign', ['beta']]],
  [['is', 'country', ['FR', 'DE']]],
  [['has_done', ['is', 'page', ['/beta-secret']]]],
  [['has_not_done', ['is', 'page', ['/beta-secret']]]],
  [['has_done', ['contains', 'event', ['bought']]]],
  [['first_visit', ['is', 'utmCampaign', ['beta']]]],
  [['not', ['first_visit', ['is', 'utmCampaign', ['alpha']]]]],
  [['matches', 'page', ['.*']]],
  [['is', 'goal', ['Bought']]],
];
const OTHER_PARAMETERS = [
  '',
  '&traffic=all',
  '&period=all',
  '&compare=previous',
  '&limit=1000&withAbsent=true',
];

/** The goals of the two websites have ids of their own. */
const withoutIds = (body: unknown) => JSON.parse(JSON.stringify(body).replace(/"id":"[\w-]+",?/g, ''));

describe('a filtered link answers as a website without other traffic', () => {
  let narrowed: string;
  let twin: string;

  beforeAll(async () => {
    const { token } = service.ada;
    const add = async (domain: string, clients: string[], input: object) => {
      const website = await service.addWebsite(token, domain);
      const base = `/api/v1/websites/${website.id}`;
      await service.track(trafficOf(clients), website.trackingCode);
      const goal = { name: 'Bought', type: 'event', match: 'alpha-bought', isPublic: true };
      await service.send('POST', `${base}/goals`, { token, body: goal });
      await service.send('POST', `${base}/annotations`, {
        token,
        body: { at: '2026-11-19', text: 'beta signs', isPublic: true },
      });
      await service.send('POST', `${base}/segments`, {
        token,
        body: { name: 'beta', filters: [['is', 'utmCampaign', ['beta']]], isPublic: true },
      });
      const { body } = await service.send('POST', `${base}/links`, { token, body: { name: 'x', ...input } });
      return body.token as string;
    };
    narrowed = await add('https://agency.example', ['alpha', 'beta'], {
      filters: [['is', 'utmCampaign', ['alpha']]],
    });
    twin = await add('https://twin.example', ['alpha'], {});
  });

  const PATHS = [
    '/stats?a=b',
    '/stats/timeseries?interval=day',
    '/stats/dashboard?interval=day',
    '/stats/goals?a=b',
    '/pages?a=b',
    '/pages/detail?page=/shared',
    '/pages/detail?page=/beta-secret',
    '/stats/breakdown?dimension=goal',
    ...DIMENSIONS.flatMap((dimension) => [
      `/stats/breakdown?dimension=${dimension}`,
      `/stats/values?dimension=${dimension}&search=e`,
    ]),
  ];
  const attempts = PATHS.flatMap((path, index) =>
    WIDENING.flatMap((filters, place) => {
      const other = OTHER_PARAMETERS[(index + place) % OTHER_PARAMETERS.length];
      const query = filters.length > 0 ? `&${filtersOf(filters)}` : '';
      return `${path}${query}${other?.includes('period') ? other : `&period=7d${other}`}`;
    }),
  );

  test(`in ${attempts.length} attempts to see more`, async () => {
    expect(attempts.length).toBeGreaterThan(200);
    for (const path of attempts) {
      const [seen, expected] = [await ask(narrowed, path), await ask(twin, path)];
      expect([path, seen.status, withoutIds(seen.body)]).toEqual([
        path,
        expected.status,
        withoutIds(expected.body),
      ]);
    }
  }, 60_000);

  test('as files, and now', async () => {
    for (const path of [
      '/stats/breakdown?dimension=page&format=csv',
      '/stats/dashboard?format=ndjson',
      '/stats/realtime',
      '/stats/values?dimension=page&format=csv',
    ])
      expect((await ask(narrowed, path)).body).toEqual((await ask(twin, path)).body);
  });

  test('without notes and segments, which may be about other traffic', async () => {
    expect((await ask(narrowed, '/stats/timeseries?annotations=true')).body.annotations).toEqual([]);
    expect((await ask(narrowed, '/profile/segments')).body.segments).toEqual([]);
    const bySegment = await ask(narrowed, `/stats?${filtersOf([['is', 'segment', ['beta']]])}`);
    expect(bySegment.status).toBe(400);
  });
});

test('a link by page shows neither other pages of its visits nor how they began and ended', async () => {
  const { token } = await addLink({ filters: [['is', 'page', ['/shared']]] });
  const text = JSON.stringify(
    await Promise.all(
      [
        '/stats/dashboard?period=today&breakdowns=page,entryPage,exitPage,event',
        '/stats/values?period=today&dimension=entryPage',
        '/pages?period=today',
        '/pages/detail?period=today&page=/shared',
        '/stats/realtime',
      ].map(async (path) => (await ask(token, path)).body),
    ),
  );
  expect(text).toContain('/shared');
  expect(text).not.toMatch(/secret|"\/a"|buy/);
  const probe = `/stats?period=today&${filtersOf([['is', 'entryPage', ['/b-secret']]])}`;
  expect((await ask(token, probe)).status).toBe(403);
  const done = `/stats?period=today&${filtersOf([['has_done', ['is', 'page', ['/b-secret']]]])}`;
  expect((await ask(token, done)).body.visitors).toBe(0);
});

describe('a link with a password', () => {
  const unlock = (token: string, password: string) =>
    service.send('POST', '/api/v1/share/unlock', { body: { token, password } });

  test('opens with what the password is exchanged for, until the password changes', async () => {
    const { id, token } = await addLink({ password: 'open sesame' });
    const locked = await ask(token, '/profile');
    expect([locked.status, locked.body.message]).toEqual([401, 'This link needs a password']);
    expect((await unlock(token, 'open says me')).status).toBe(401);
    const { body } = await unlock(token, 'open sesame');
    expect((await ask(body.token, '/stats')).status).toBe(200);
    const forged = body.token.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
    expect((await ask(forged, '/stats')).status).toBe(401);
    const later = body.token.replace(/\.(\w+)\./, '.zzzzzzzz.');
    expect((await ask(later, '/stats')).status).toBe(401);
    await change(id, { password: 'another one' });
    expect((await ask(body.token, '/stats')).status).toBe(401);
  });
});

describe('badges', () => {
  test('show the visitors of the link', async () => {
    const { token } = await addLink({ filters: [['is', 'utmCampaign', ['alpha']]] });
    const badge = await service.send('GET', `/share/${token}/badge.svg`, {});
    expect(badge.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(badge.headers.get('cache-control')).toBe('public, max-age=60');
    const figure = await service.send('GET', `/share/${token}/figure.json`, {});
    expect(figure.body).toEqual({
      schemaVersion: 1,
      label: 'visitors',
      message: '2',
      color: 'blue',
      cacheSeconds: 60,
    });
  });

  test('are refused without the password, and for a revoked link at once', async () => {
    const { token } = await addLink({ password: 'open sesame' });
    expect((await service.send('GET', `/share/${token}/badge.svg`, {})).status).toBe(401);
    const { id, token: open } = await addLink();
    expect((await service.send('GET', `/share/${open}/figure.json`, {})).status).toBe(200);
    await change(id, { isRevoked: true });
    expect((await service.send('GET', `/share/${open}/figure.json`, {})).status).toBe(401);
  });
});

test('only the named origins may embed the page of a link', async () => {
  const policyOf = async (input: object) => {
    const { token } = await addLink(input);
    const { headers } = await service.send('GET', `/share/${token}`, {});
    return headers.get('content-security-policy') ?? '';
  };
  const framed = await policyOf({ origins: ['https://client.example', 'http://localhost:8080/'] });
  expect(framed).toContain('frame-ancestors https://client.example http://localhost:8080');
  const closed = await policyOf({});
  expect(closed).toContain("frame-ancestors 'none'");
  expect(framed.replace(/frame-ancestors.*/, '')).toBe(closed.replace(/frame-ancestors.*/, ''));
});
