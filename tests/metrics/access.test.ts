import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { statusAndBody } from '../support/service.ts';
import { type MetricsService, startMetrics } from './support.ts';

let service: MetricsService;
let bob: { token: string; apiKey: string };
beforeAll(async () => {
  service = await startMetrics();
  bob = await service.signUp();
  await service.track([
    { at: 60_000, visitor: 'v', page: '/a', properties: { plan: 'pro' } },
    { at: 50_000, visitor: 'v', page: '/b' },
  ]);
});
afterAll(() => service.close());

const UNAUTHORIZED = { error: 'UNAUTHORIZED', message: 'Authentication required' };
const NOT_FOUND = { error: 'NOT_FOUND', message: 'Website not found' };

/** Answered to everybody when the website is public. */
const VISIBLE: [string, string][] = [
  '/stats',
  '/stats/timeseries',
  '/stats/breakdown?dimension=page',
  '/stats/values?dimension=page',
  '/stats/dimensions',
  '/stats/dashboard',
  '/stats/realtime',
  '/pages',
  '/pages/detail?page=/a',
].map((path) => ['GET', path]);
/** Never. */
const PRIVATE: [string, string][] = [
  ['GET', '/stats/events'],
  ['GET', '/stats/properties'],
  ['GET', '/stats/properties/plan'],
  ['GET', '/sessions'],
  ['GET', '/visits'],
  ['GET', '/sessions/tab-v'],
  ['GET', '/visitors'],
  ['GET', '/visitors/v'],
  ['GET', '/visitors/v/export'],
  ['DELETE', '/visitors/absent'],
  ['POST', '/query'],
];

function send(method: string, path: string, id = service.website.id, token?: string) {
  return service.send(method, `/api/v1/websites/${id}${path}`, {
    ...(token !== undefined && { token }),
    ...(method === 'POST' && { body: { metrics: ['visitors'], date_range: '7d' } }),
  });
}

describe.each([...VISIBLE, ...PRIVATE])('%s …%s', (method, path) => {
  test('answers the owner, by token and by API key', async () => {
    const status = path === '/visitors/absent' ? 404 : 200;
    expect((await send(method, path, service.website.id, service.ada.token)).status).toBe(status);
    expect((await send(method, path, service.website.id, service.ada.apiKey)).status).toBe(status);
  });
});

describe('a public website', () => {
  beforeAll(() => service.changeSettings({ isPublic: true }));
  afterAll(() => service.changeSettings({ isPublic: false }));

  test.each(VISIBLE)('%s …%s is answered without credentials and to other accounts', async (method, path) => {
    const anonymous = await send(method, path);
    expect(anonymous.status).toBe(200);
    const owner = await send(method, path, service.website.id, service.ada.token);
    expect(anonymous.body).toEqual(owner.body);
    expect((await send(method, path, service.website.id, bob.token)).body).toEqual(owner.body);
  });

  test.each(PRIVATE)('%s …%s is not', async (method, path) => {
    expect(statusAndBody(await send(method, path))).toEqual({ status: 401, body: UNAUTHORIZED });
    expect(statusAndBody(await send(method, path, service.website.id, bob.token))).toEqual({
      status: 404,
      body: NOT_FOUND,
    });
  });

  test('a wrong token is refused on every route', async () => {
    expect((await send('GET', '/stats', service.website.id, 'nonsense')).status).toBe(401);
  });

  test.each([
    '/stats/breakdown?dimension=property:plan',
    '/stats/breakdown?dimension=event:props:plan',
    '/stats/values?dimension=property:plan',
    '/stats/dashboard?breakdowns=page,property:plan',
    '/stats?filters=[["is","property:plan",["pro"]]]',
    '/stats/dashboard?filters=[["not",["or",[["is","event:props:plan",["pro"]]]]]]',
    '/stats/realtime?filters=[["is","property:plan",["pro"]]]',
    '/stats/realtime/stream?filters=[["is","property:plan",["pro"]]]',
    '/pages?filters=[["is","property:plan",["pro"]]]',
  ])('tells its properties to the owner alone: %s', async (path) => {
    const refusal = {
      status: 403,
      body: { error: 'FORBIDDEN', message: 'Properties of events are for the owner of the website' },
    };
    expect(statusAndBody(await send('GET', path))).toEqual(refusal);
    expect(statusAndBody(await send('GET', path, service.website.id, bob.token))).toEqual(refusal);
    if (!path.includes('stream'))
      expect((await send('GET', path, service.website.id, service.ada.token)).status).toBe(200);
  });

  test('is gone for everybody when it is deleted', async () => {
    const { id } = await service.addWebsite(service.ada.token, 'https://second.example');
    const settings = `/api/v1/websites/${id}/settings`;
    await service.send('PATCH', settings, { token: service.ada.token, body: { isPublic: true } });
    expect((await send('GET', '/stats', id)).status).toBe(200);
    await service.send('DELETE', `/api/v1/websites/${id}`, { token: service.ada.token });
    expect((await send('GET', '/stats', id)).status).toBe(401);
    expect((await send('GET', '/stats', id, service.ada.token)).status).toBe(404);
  });
});
