import { afterAll, describe, expect, test } from 'bun:test';
import {
  type DescribedRequest,
  type DescribedRoute,
  requestFor,
  sendDescribed,
} from '../support/described-routes.ts';
import { refusal } from '../support/refusals.ts';
import { statusAndBody } from '../support/service.ts';
import { openStage, takesKey, takesLogin, UNKNOWN } from './stage.ts';

/** Who may ask what: for every route, by what the OpenAPI document says of it. */

const { service, routes, ada, adas } = await openStage();
afterAll(() => service.close());
const { token: bob } = await service.signUp();

const KEY = `pk_${'x'.repeat(32)}`;
const BAD_CREDENTIALS: Record<string, string>[] = [
  {},
  { Authorization: 'Bearer nonsense' },
  { 'X-API-Key': KEY },
];
/** API keys with these scopes. */
const keys = {
  all: (await service.addUser()).apiKey,
  withoutRead: (await service.addUser(['write', 'events'])).apiKey,
  withoutWrite: (await service.addUser(['read', 'events'])).apiKey,
  withoutEvents: (await service.addUser(['read', 'write'])).apiKey,
};
const UNAUTHORIZED = refusal(401, 'UNAUTHORIZED', expect.any(String));
const FORBIDDEN = refusal(403, 'FORBIDDEN', expect.any(String));

/** With faults wherever there can be any: who is asking is looked at first, and then what about. */
function withFaults({ query, body, ...request }: DescribedRequest): DescribedRequest {
  const faulty = new URLSearchParams(query);
  for (const name of ['limit', 'format', 'period']) faulty.set(name, 'nonsense');
  return { ...request, query: faulty, body: body && { ...body, name: 5, metrics: 5, traffic: 5 } };
}

describe.each(routes.filter(takesLogin))('$name', (route) => {
  const { method, operation } = route;

  test('answers 401 without good credentials, before anything else', async () => {
    const attempts = BAD_CREDENTIALS.map((headers) => ({ headers, asked: adas(route) }));
    for (const { headers, asked } of [...attempts, { headers: {}, asked: UNKNOWN }]) {
      const answer = await sendDescribed(service, withFaults(requestFor(route, asked)), { headers });
      expect({ headers, ...statusAndBody(answer) }).toEqual({ headers, ...UNAUTHORIZED });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    if (!route.schema) return;
    const unreadable = await service.send(method, requestFor(route, UNKNOWN).path, { body: '{"half":' });
    expect(statusAndBody(unreadable)).toEqual(UNAUTHORIZED);
  });

  test('answers 403 to an API key without its scope, before anything else', async () => {
    const reads = method === 'GET' || operation.description?.includes('scope `read`');
    const scoped = reads ? keys.withoutRead : keys.withoutWrite;
    const token = takesKey(route) ? scoped : keys.all;
    const request = withFaults(requestFor(route, UNKNOWN));
    expect(statusAndBody(await sendDescribed(service, request, { token }))).toEqual(FORBIDDEN);
  });
});

describe.each(routes.filter((route) => takesKey(route) && !takesLogin(route)))('$name', (route) => {
  test('answers 401 to a bad API key, and 403 to one without the scope `events`', async () => {
    const request = withFaults(requestFor(route, adas(route)));
    for (const headers of [{ Authorization: `Bearer ${KEY}` }, { 'X-API-Key': KEY }])
      expect(statusAndBody(await sendDescribed(service, request, { headers }))).toEqual(UNAUTHORIZED);
    const token = keys.withoutEvents;
    expect(statusAndBody(await sendDescribed(service, request, { token }))).toEqual(FORBIDDEN);
  });
});

/** Whether a request names a resource with an owner. */
function namesThing(route: DescribedRoute): boolean {
  const { query, body = {} } = requestFor(route, UNKNOWN);
  return (
    takesLogin(route) &&
    (route.path.includes('{id}') || query.has('trackingCode') || query.has('site_id') || 'site_id' in body)
  );
}

describe.each(routes.filter(namesThing))('$name', (route) => {
  test('answers 404 for another account’s resource, as for an unknown one, before 400', async () => {
    const ask = (asked: typeof UNKNOWN, token = bob) =>
      sendDescribed(service, withFaults(requestFor(route, asked)), { token });
    if (route.method !== 'DELETE') expect((await ask(adas(route), ada.token)).status).not.toBe(404);
    const [others, nobodys] = [await ask(adas(route)), await ask(UNKNOWN)];
    expect(statusAndBody(others)).toEqual(refusal(404, 'NOT_FOUND', expect.any(String)));
    expect(others.text).toBe(nobodys.text);
    // Each answer has an id of its own, by chance alone.
    for (const { headers } of [others, nobodys]) headers.delete('x-request-id');
    expect([...others.headers]).toEqual([...nobodys.headers]);
  });
});

test('the refused requests above changed nothing of Ada', async () => {
  for (const path of ['/api/v1/websites/{id}', '/api/v1/events/{id}']) {
    const request = requestFor(routeOf(`GET ${path}`), adas(routeOf(`GET ${path}`)));
    expect((await sendDescribed(service, request, { token: ada.token })).status).toBe(200);
  }
  for (const list of ['/api/v1/auth/sessions', '/api/v1/auth/api-keys']) {
    const { body } = await service.send('GET', list, { token: ada.token });
    expect(JSON.stringify(body)).toContain(adas(routeOf(`DELETE ${list}/{id}`)).id);
  }
});

function routeOf(name: string): DescribedRoute {
  const route = routes.find((one) => one.name === name);
  if (!route) throw new Error(`There is no ${name}.`);
  return route;
}
