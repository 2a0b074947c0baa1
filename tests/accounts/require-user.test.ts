import { beforeAll, describe, expect, test } from 'bun:test';
import { Elysia, t } from 'elysia';
import { requireUser } from '../../src/accounts/require-user.ts';
import { createBodies } from '../../src/http/bodies.ts';
import { errorHandler } from '../../src/http/error-handler.ts';
import { AppError } from '../../src/vocabulary/errors.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

const SENTENCE = 'Missing or invalid authorization header';

let service: TestService;
let user: Person;
let app: { handle(request: Request): Promise<Response> };

beforeAll(async () => {
  service = await createTestService();
  user = await service.signUp();
  const things = new Elysia({ prefix: '/things' })
    .use(requireUser(service.accounts, SENTENCE))
    .use(createBodies(() => performance.now()).json())
    .derive(function findThing({ params }) {
      if ((params as { id?: string }).id !== 'known') throw new AppError('NOT_FOUND', 'Thing not found'); // every route has :id
      return {};
    })
    .get('/:id', ({ caller }) => caller)
    .put('/:id', ({ caller }) => caller, { body: t.Object({ name: t.String() }) });
  const questions = new Elysia()
    .use(requireUser(service.accounts, SENTENCE, { scope: 'read' }))
    .post('/question', ({ caller }) => caller.userId);
  app = new Elysia({ normalize: false })
    .use(errorHandler({ routes: () => [], isDatabaseRefusal: () => false, onInternalError: () => {} }))
    .onParse(() => null) // as in before-routes
    .get('/before', () => 'open')
    .use(things)
    .use(questions)
    .get('/after', () => 'open');
});

async function send(
  method: string,
  path: string,
  headers: Record<string, string> | [string, string][] = {},
  body?: string,
) {
  const all = new Headers(headers);
  if (body !== undefined) all.set('content-type', 'application/json');
  const response = await app.handle(
    new Request(`http://localhost${path}`, { method, headers: all, ...(body !== undefined && { body }) }),
  );
  return { status: response.status, text: await response.text() };
}

describe('a protected controller', () => {
  test('knows its caller by token', async () => {
    const { text } = await send('GET', '/things/known', { Authorization: `Bearer ${user.token}` });
    expect(JSON.parse(text)).toEqual({
      userId: user.id,
      email: user.email,
      credential: { kind: 'login', loginId: expect.any(String), jti: expect.any(String) },
    });
  });

  test('knows its caller by API key', async () => {
    const { text } = await send('GET', '/things/known', { 'X-API-Key': user.apiKey });
    expect(JSON.parse(text)).toEqual({
      userId: user.id,
      email: user.email,
      credential: { kind: 'key', keyId: expect.any(String), scopes: ['read', 'write', 'events'] },
    });
  });

  test('answers 401 before 404 before 400, unreadable bodies included', async () => {
    const bearer = { Authorization: `Bearer ${user.token}` };
    for (const body of ['{}', '{'])
      expect([
        (await send('PUT', '/things/unknown', {}, body)).status,
        (await send('PUT', '/things/unknown', bearer, body)).status,
        (await send('PUT', '/things/known', bearer, body)).status,
      ]).toEqual([401, 404, 400]);
  });

  test('says the sentence of its own', async () => {
    const { text } = await send('GET', '/things/known');
    expect(JSON.parse(text)).toEqual({ error: 'UNAUTHORIZED', message: SENTENCE });
  });

  test('does not protect its neighbours', async () => {
    expect((await send('GET', '/before')).text).toBe('open');
    expect((await send('GET', '/after')).text).toBe('open');
  });

  test('may ask for another scope than the method says', async () => {
    const { key } = await service.addKey(user.token, { scopes: ['read'] });
    expect((await send('POST', '/question', { 'X-API-Key': key })).status).toBe(200);
    expect((await send('PUT', '/things/known', { 'X-API-Key': key }, '{"name":"x"}')).status).toBe(403);
  });

  const headers: [string, () => Record<string, string> | [string, string][], number][] = [
    ['Bearer and a token', () => ({ Authorization: `Bearer ${user.token}` }), 200],
    ['bearer in lower case', () => ({ Authorization: `bearer ${user.token}` }), 200],
    ['BEARER and two spaces', () => ({ Authorization: `BEARER  ${user.token}` }), 200],
    ['the header name in another case', () => ({ AUTHORIZATION: `Bearer ${user.token}` }), 200],
    ['a token alone', () => ({ Authorization: user.token }), 401],
    ['another scheme', () => ({ Authorization: `Token ${user.token}` }), 401],
    ['Basic', () => ({ Authorization: `Basic ${btoa(`${user.email}:x`)}` }), 401],
    ['Bearer alone', () => ({ Authorization: 'Bearer' }), 401],
    ['no space', () => ({ Authorization: `Bearer${user.token}` }), 401],
    ['a tab', () => ({ Authorization: `Bearer\t${user.token}` }), 401],
    ['two tokens', () => ({ Authorization: `Bearer ${user.token} ${user.token}` }), 401],
    ['quotes', () => ({ Authorization: `Bearer "${user.token}"` }), 401],
    [
      'two Authorization headers',
      () => [
        ['Authorization', `Bearer ${user.token}`],
        ['Authorization', `Bearer ${user.token}`],
      ],
      401,
    ],
    ['an empty header', () => ({ Authorization: '' }), 401],
    ['a token as X-API-Key', () => ({ 'X-API-Key': user.token }), 401],
    ['an API key of one character less', () => ({ 'X-API-Key': user.apiKey.slice(0, -1) }), 401],
    ['an API key in upper case', () => ({ 'X-API-Key': user.apiKey.toUpperCase() }), 401],
    ['an API key and more', () => ({ Authorization: `Bearer ${user.apiKey}x` }), 401],
    [
      'two API keys',
      () => [
        ['X-API-Key', user.apiKey],
        ['X-API-Key', user.apiKey],
      ],
      401,
    ],
    ['a bad token with a good API key', () => ({ Authorization: 'Bearer x', 'X-API-Key': user.apiKey }), 401],
    [
      'a good token with a bad API key',
      () => ({ Authorization: `Bearer ${user.token}`, 'X-API-Key': 'x' }),
      200,
    ],
    ['a cookie', () => ({ Cookie: `token=${user.token}; accessToken=${user.token}` }), 401],
  ];
  test.each(headers)('reads %s', async (_sentence, make, expected) => {
    expect((await send('GET', '/things/known', make())).status).toBe(expected);
  });
});
