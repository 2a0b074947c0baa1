import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { createAccountAdmin } from '../../src/accounts/admin.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { invalid, NO_CREDENTIALS, refusal } from '../support/refusals.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let user: Person;
beforeAll(async () => {
  service = await createTestService();
  user = await service.signUp();
});
beforeEach(() => service.clock.set(TEST_START_MS));

const KEY = /^pk_[0-9A-Za-z]{32}$/;
const NOW = '2026-11-20T12:00:00.000Z';
const ALL_SCOPES = ['read', 'write', 'events'];

function create(body: unknown, token = user.token) {
  return service.send('POST', '/api/v1/auth/api-keys', { token, body });
}

async function keyWith(input: Record<string, unknown>): Promise<{ id: string; key: string }> {
  const { body } = await create({ name: 'key', ...input });
  return { id: body.apiKey.id, key: body.key };
}

async function list(token = user.token) {
  return (await service.send('GET', '/api/v1/auth/api-keys', { token })).body;
}

describe('POST /auth/api-keys', () => {
  test('answers 201 with the key, this once', async () => {
    const { status, body } = await create({ name: ' Export ', scopes: ['read'], expiresAt: '2027-01-01' });
    const apiKey = {
      id: expect.any(String),
      name: 'Export',
      prefix: body.key.slice(0, 8),
      scopes: ['read'],
      expiresAt: '2027-01-01T00:00:00.000Z',
      lastUsedAt: null,
      createdAt: NOW,
    };
    expect({ status, body }).toEqual({ status: 201, body: { apiKey, key: expect.stringMatching(KEY) } });
    const listed = await list();
    expect(listed.apiKeys).toContainEqual(body.apiKey);
    expect(JSON.stringify(listed)).not.toContain(body.key.slice(8));
  });

  const accepted: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['gives all scopes by default', {}, { scopes: ALL_SCOPES, expiresAt: null }],
    ['orders the scopes', { scopes: ['events', 'read'] }, { scopes: ['read', 'events'] }],
    ['takes null for no expiry', { expiresAt: null }, { expiresAt: null }],
    [
      'takes an offset',
      { expiresAt: '2026-11-20T14:00:01+02:00' },
      { expiresAt: '2026-11-20T12:00:01.000Z' },
    ],
    ['ignores unknown fields', { userId: 'x', prefix: 'x', hash: 'x' }, { name: 'key' }],
  ];
  test.each(accepted)('%s', async (_sentence, input, expected) => {
    const { status, body } = await create({ name: 'key', ...input });
    expect({ status, apiKey: body.apiKey }).toMatchObject({ status: 201, apiKey: expected });
  });

  const instant = ['Must be an ISO 8601 date, or an instant with its offset, or null'];
  const refused: [string, Record<string, unknown>, Record<string, string[]>][] = [
    ['no name', { name: undefined }, { name: ['Required'] }],
    ['a name of spaces', { name: '  ' }, { name: ['Must not be empty'] }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, { name: ['Must be at most 100 characters'] }],
    ['no scope', { scopes: [] }, { scopes: ['Must have at least 1 entry'] }],
    ['a scope twice', { scopes: ['read', 'read'] }, { scopes: ['Must not repeat an entry'] }],
    ['an unknown scope', { scopes: ['admin'] }, { scopes: ['0: Must be one of: read, write, events'] }],
    ['scopes as text', { scopes: 'read' }, { scopes: ['Must be a list'] }],
    ['an expiry now', { expiresAt: NOW }, { expiresAt: ['Must be in the future'] }],
    ['an expiry in the past', { expiresAt: '2020-01-01' }, { expiresAt: ['Must be in the future'] }],
    [
      'a date that does not exist',
      { expiresAt: '2027-13-01' },
      { expiresAt: ['Must be a date that exists'] },
    ],
    ['an instant without an offset', { expiresAt: '2027-01-01T00:00:00' }, { expiresAt: instant }],
    ['an expiry in milliseconds', { expiresAt: 1_800_000_000_000 }, { expiresAt: instant }],
    ['an expiry in words', { expiresAt: 'tomorrow' }, { expiresAt: instant }],
  ];
  test.each(refused)('answers 400 to %s', async (_sentence, input, fieldErrors) => {
    const { status, body } = await create({ name: 'key', ...input });
    expect({ status, body }).toEqual(invalid(fieldErrors));
  });

  test('answers 409 beyond 100 keys, also when they come at once', async () => {
    const { token } = await service.signUp();
    const answers = await Promise.all(Array.from({ length: 105 }, () => create({ name: 'key' }, token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(99);
    expect((await create({ name: 'key' }, token)).body).toEqual({
      error: 'CONFLICT',
      message: 'An account can have at most 100 API keys; delete one first',
    });
    expect((await list(token)).total).toBe(100);
  });
});

describe('GET /auth/api-keys', () => {
  test("lists the user's own keys, oldest first, beginning with that of the registration", async () => {
    const { token, apiKey } = await service.signUp();
    service.clock.advance(1);
    await create({ name: 'strange' });
    await create({ name: 'second' }, token);
    const { apiKeys, total } = await list(token);
    expect(total).toBe(2);
    expect(apiKeys.map(({ name }: { name: string }) => name)).toEqual(['Registration', 'second']);
    expect(apiKeys[0]).toMatchObject({
      prefix: apiKey.slice(0, 8),
      scopes: ALL_SCOPES,
      expiresAt: null,
    });
  });
});

describe('DELETE /auth/api-keys/:id', () => {
  test('ends a key', async () => {
    const { id, key } = await keyWith({});
    const { status, body } = await service.send('DELETE', `/api/v1/auth/api-keys/${id}`, {
      token: user.token,
    });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'API key deleted' } });
    expect(await service.statusWith(key)).toBe(401);
    expect(JSON.stringify(await list())).not.toContain(id);
  });

  test("answers the same 404 to an unknown id and to somebody else's", async () => {
    const { id, key } = await keyWith({});
    const stranger = await service.signUp();
    for (const path of [id, 'unknown', '%00', "'--"]) {
      const { status, body } = await service.send('DELETE', `/api/v1/auth/api-keys/${path}`, {
        token: stranger.token,
      });
      expect({ status, body }).toEqual(refusal(404, 'NOT_FOUND', 'API key not found'));
    }
    expect(await service.statusWith(key)).toBe(200);
  });
});

describe('an API key', () => {
  const needs = (scope: string) => refusal(403, 'FORBIDDEN', `The API key lacks the scope "${scope}"`);
  const LOGIN_ONLY = refusal(403, 'FORBIDDEN', 'An API key may not do this; log in with the password');

  const cases: [string[], string, string, number, unknown][] = [
    [['read'], 'GET', '/api/v1/auth/me', 200, expect.anything()],
    [['read'], 'PATCH', '/api/v1/auth/me', 403, needs('write').body],
    [['write'], 'PATCH', '/api/v1/auth/me', 200, expect.anything()],
    [['write'], 'GET', '/api/v1/auth/me', 403, needs('read').body],
    [['events'], 'GET', '/api/v1/auth/me', 403, needs('read').body],
    [ALL_SCOPES, 'DELETE', '/api/v1/auth/me', 403, LOGIN_ONLY.body],
    [ALL_SCOPES, 'PUT', '/api/v1/auth/password', 403, LOGIN_ONLY.body],
    [ALL_SCOPES, 'POST', '/api/v1/auth/logout', 403, LOGIN_ONLY.body],
    [ALL_SCOPES, 'POST', '/api/v1/auth/logout-all', 403, LOGIN_ONLY.body],
    [ALL_SCOPES, 'GET', '/api/v1/auth/api-keys', 403, LOGIN_ONLY.body],
    [ALL_SCOPES, 'POST', '/api/v1/auth/api-keys', 403, LOGIN_ONLY.body],
    [ALL_SCOPES, 'DELETE', '/api/v1/auth/api-keys/x', 403, LOGIN_ONLY.body],
  ];
  test.each(cases)('with %j gets for %s %s %d', async (scopes, method, path, expected, expectedBody) => {
    const { key } = await keyWith({ scopes });
    const withBody = method === 'PATCH' ? { body: { name: 'Ada' } } : {};
    for (const headers of [{ Authorization: `Bearer ${key}` }, { 'X-API-Key': key }]) {
      const { status, body } = await service.send(method, path, { headers, ...withBody });
      expect({ status, body }).toEqual({ status: expected, body: expectedBody });
    }
  });

  test('is refused from the instant of its expiry', async () => {
    const { key } = await keyWith({ expiresAt: '2026-11-20T12:01:00Z' });
    service.clock.advance(59_999);
    expect(await service.statusWith(key)).toBe(200);
    service.clock.advance(1);
    const { status, body } = await service.send('GET', '/api/v1/auth/me', { token: key });
    expect({ status, body }).toEqual(NO_CREDENTIALS);
  });

  test('is not read from the query', async () => {
    for (const name of ['api_key', 'apiKey', 'key', 'token', 'X-API-Key', 'access_token'])
      expect((await service.send('GET', `/api/v1/auth/me?${name}=${user.apiKey}`)).status).toBe(401);
  });

  test('has its last use noted, at most once a minute', async () => {
    const { token, apiKey } = await service.signUp();
    const uses: (string | null)[] = [];
    for (const stepMs of [0, 59_999, 1]) {
      service.clock.advance(stepMs);
      await Promise.all([service.statusWith(apiKey), service.statusWith(apiKey)]);
      await new Promise(setImmediate); // noted after the answer
      await new Promise(setImmediate);
      uses.push((await list(token)).apiKeys[0].lastUsedAt);
    }
    expect(uses).toEqual([NOW, NOW, '2026-11-20T12:01:00.000Z']);
  });

  test('answers although its use cannot be noted', async () => {
    const { apiKey } = await service.signUp();
    await service.db.run(
      `create trigger full before update on api_keys begin select raise(abort, 'disk full'); end`,
    );
    expect(await service.statusWith(apiKey)).toBe(200);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(await service.statusWith(apiKey)).toBe(200);
    expect(service.errors).toEqual([]);
    await service.db.run('drop trigger full');
  });
});

describe('the sender of events', () => {
  function find(headers: Record<string, string>) {
    return service.accounts.findEventSender(new Request('http://localhost/', { method: 'POST', headers }));
  }

  test('is nobody without an API key, and a login token counts as nothing', async () => {
    expect(await find({})).toBeUndefined();
    expect(await find({ Authorization: `Bearer ${user.token}` })).toBeUndefined();
    expect(await find({ Authorization: 'Basic eDp5' })).toBeUndefined();
  });

  test('is the owner of a key with the scope events', async () => {
    const { key } = await keyWith({ scopes: ['events'] });
    for (const headers of [{ 'X-API-Key': key }, { Authorization: `bearer ${key}` }])
      expect(await find(headers)).toEqual({ userId: user.id });
    expect(await find({ 'X-API-Key': key, Authorization: `Bearer ${user.token}` })).toEqual({
      userId: user.id,
    });
  });

  test('is refused with an unknown, a malformed or an expired key', async () => {
    const { key } = await keyWith({ expiresAt: '2026-11-20T12:01:00Z' });
    service.clock.advance(60_000);
    const unknown = { code: 'UNAUTHORIZED', message: 'The API key is unknown or has expired' };
    for (const text of [key, `pk_${'x'.repeat(32)}`, 'pk_', 'x', ''])
      await expect(find({ 'X-API-Key': text })).rejects.toMatchObject(unknown);
    await expect(find({ Authorization: 'Bearer pk_short' })).rejects.toMatchObject(unknown);
  });

  test('is refused without the scope, or when the account is inactive', async () => {
    const { key } = await keyWith({ scopes: ['read', 'write'] });
    await expect(find({ 'X-API-Key': key })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'The API key lacks the scope "events"',
    });
    const { email, apiKey } = await service.signUp();
    await createAccountAdmin(service.db, service.clock.now).setActive(email, false);
    await expect(find({ 'X-API-Key': apiKey })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'Account is inactive',
    });
  });
});
