import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { TEST_START_MS } from '../support/clock.ts';
import { refusal, UNKNOWN_KEY } from '../support/refusals.ts';
import { createTestService, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let user: Person;
beforeAll(async () => {
  service = await createTestService();
  user = await service.signUp();
});
beforeEach(() => service.clock.set(TEST_START_MS));

const NOW = new Date(TEST_START_MS).toISOString();
const ALL_SCOPES = ['read', 'write', 'events'];

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
    const { key } = await service.addKey(user.token, { scopes });
    const withBody = method === 'PATCH' ? { body: { name: 'Ada' } } : {};
    for (const headers of [{ Authorization: `Bearer ${key}` }, { 'X-API-Key': key }]) {
      const { status, body } = await service.send(method, path, { headers, ...withBody });
      expect({ status, body }).toEqual({ status: expected, body: expectedBody });
    }
  });

  test('is refused from the instant of its expiry', async () => {
    const { key } = await service.addKey(user.token, { expiresAt: '2026-11-20T12:01:00Z' });
    service.clock.advance(59_999);
    expect(await service.statusWith(key)).toBe(200);
    service.clock.advance(1);
    const { status, body } = await service.send('GET', '/api/v1/auth/me', { token: key });
    expect({ status, body }).toEqual(UNKNOWN_KEY);
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
      const { body } = await service.send('GET', '/api/v1/auth/api-keys', { token });
      uses.push(body.apiKeys[0].lastUsedAt);
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
