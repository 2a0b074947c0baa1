import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Website } from '../../src/contract/website.ts';
import { NO_WEBSITE } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';

let service: TestService;
let ada: User;
let website: Website;

beforeAll(async () => {
  service = await createTestService();
  ada = await service.addUser();
  website = await service.websites.create(ada.id, { name: 'n', domain: 'https://example.com' });
});
afterAll(() => service.close());

const ROUTES: [string, string][] = [
  ['POST', '/api/v1/websites'],
  ['GET', '/api/v1/websites'],
  ['GET', '/api/v1/websites/:id'],
  ['PUT', '/api/v1/websites/:id'],
  ['DELETE', '/api/v1/websites/:id'],
  ['GET', '/api/v1/websites/:id/settings'],
  ['PATCH', '/api/v1/websites/:id/settings'],
];
const ROUTES_OF_ONE = ROUTES.filter(([, path]) => path.includes(':id'));
const MISSING_ID = '00000000-0000-4000-8000-000000000000';

describe.each(ROUTES_OF_ONE)('%s %s', (method, path) => {
  const body = method === 'GET' ? undefined : {};
  const ask = (id: string, user: User, sent: unknown = body) =>
    service.send(method, path.replace(':id', id), { token: user.apiKey, body: sent });

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
    expect(statusAndBody(await ask(id, ada))).toEqual(NO_WEBSITE);
  });

  test('does not find a website by its id and more, or in capitals', async () => {
    for (const id of [`${website.id}%00`, `${website.id}x`, website.id.toUpperCase(), `%20${website.id}`])
      expect(statusAndBody(await ask(id, ada))).toEqual(NO_WEBSITE);
  });
});

test.each([
  ['PATCH', '/api/v1/websites', 'GET, HEAD, OPTIONS, POST'],
  ['POST', '/api/v1/websites/x', 'DELETE, GET, HEAD, OPTIONS, PUT'],
  ['PUT', '/api/v1/websites/x/settings', 'GET, HEAD, OPTIONS, PATCH'],
])('%s %s answers 405 and names the methods', async (method, path, allow) => {
  const answer = await service.send(method, path, { token: ada.apiKey, body: {} });
  expect(answer).toMatchObject({ status: 405, body: { error: 'METHOD_NOT_ALLOWED' } });
  expect(answer.headers.get('allow')).toBe(allow);
});
