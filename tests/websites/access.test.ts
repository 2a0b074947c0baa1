import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Website } from '../../src/contract/website.ts';
import { type Api, NOT_FOUND, startApi, statusAndBody, type User } from './api.ts';

let api: Api;
let ada: User;
let bob: User;
let website: Website;

beforeAll(async () => {
  api = await startApi();
  ada = await api.addUser();
  bob = await api.addUser();
  website = await api.websites.create(ada.id, { name: 'n', domain: 'https://example.com' });
});
afterAll(() => api.close());

const ROUTES: [string, string][] = [
  ['POST', '/websites'],
  ['GET', '/websites'],
  ['GET', '/websites/:id'],
  ['PUT', '/websites/:id'],
  ['DELETE', '/websites/:id'],
  ['GET', '/websites/:id/settings'],
  ['PATCH', '/websites/:id/settings'],
];
const ROUTES_OF_ONE = ROUTES.filter(([, path]) => path.includes(':id'));
const MISSING_ID = '00000000-0000-4000-8000-000000000000';

describe.each(ROUTES)('%s %s', (method, path) => {
  const own = () => path.replace(':id', website.id);

  test.each([
    ['no credentials', undefined],
    ['an unknown key', { id: '', key: `pk_${'x'.repeat(32)}` }],
    ['a malformed token', { id: '', key: 'nonsense' }],
  ])('answers 401 to %s', async (_, user) => {
    const answer = await api.send(method, own(), user);
    expect(statusAndBody(answer)).toEqual({
      status: 401,
      body: { error: 'UNAUTHORIZED', message: 'Missing or invalid authorization header' },
    });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('says 401 before it says that the id is unknown or the body unreadable', async () => {
    const body = method === 'GET' ? undefined : '{"name":';
    expect((await api.send(method, path.replace(':id', MISSING_ID), undefined, body)).status).toBe(401);
  });

  test('answers 403 to an API key that lacks the scope', async () => {
    const limited = await api.addUser(method === 'GET' ? ['write', 'events'] : ['read', 'events']);
    expect(await api.send(method, own(), limited)).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
  });
});

describe.each(ROUTES_OF_ONE)('%s %s', (method, path) => {
  const body = method === 'GET' ? undefined : {};
  const ask = (id: string, user: User, sent: unknown = body) =>
    api.send(method, path.replace(':id', id), user, sent);

  test('answers 404 for the id of another account, byte for byte as for an unknown one', async () => {
    const foreign = await ask(website.id, bob);
    const missing = await ask(MISSING_ID, bob);
    expect(statusAndBody(foreign)).toEqual(NOT_FOUND);
    expect(foreign.text).toBe(missing.text);
    expect([...foreign.headers]).toEqual([...missing.headers]);
  });

  test.each([
    'x',
    '%00',
    '%zz',
    '%ff',
    '..%2f..',
    `${MISSING_ID}%00`,
    "'%20or%201=1--",
    'a'.repeat(5_000),
    '__proto__',
  ])('answers the same 404 for the malformed id %p', async (id) => {
    expect(statusAndBody(await ask(id, ada))).toEqual(NOT_FOUND);
  });

  test('does not find a website by its id and more, or in capitals', async () => {
    for (const id of [`${website.id}%00`, `${website.id}x`, website.id.toUpperCase(), `%20${website.id}`])
      expect(statusAndBody(await ask(id, ada))).toEqual(NOT_FOUND);
  });

  test('says 404 before it says what is wrong with the body', async () => {
    if (method === 'GET') return;
    expect(statusAndBody(await ask(website.id, bob, { name: '', timezone: 5 }))).toEqual(NOT_FOUND);
    expect(statusAndBody(await ask(website.id, bob, '{"name":'))).toEqual(NOT_FOUND);
  });
});

test('another account’s requests have changed nothing', async () => {
  expect(await api.websites.list(ada.id)).toEqual([website]);
  expect(await api.websites.list(bob.id)).toEqual([]);
});

test.each([
  ['PATCH', '/websites', 'GET, HEAD, OPTIONS, POST'],
  ['POST', '/websites/x', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ['PUT', '/websites/x/settings', 'GET, HEAD, OPTIONS, PATCH'],
])('%s %s answers 405 and names the methods', async (method, path, allow) => {
  const answer = await api.send(method, path, ada, {});
  expect(answer).toMatchObject({ status: 405, body: { error: 'METHOD_NOT_ALLOWED' } });
  expect(answer.headers.get('allow')).toBe(allow);
});
