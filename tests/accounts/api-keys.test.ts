import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { TEST_START_MS } from '../support/clock.ts';
import { invalid, refusal } from '../support/refusals.ts';
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
    ['a name of spaces', { name: '  ' }, { name: ['Must not be empty'] }],
    ['an expiry now', { expiresAt: NOW }, { expiresAt: ['Must be in the future'] }],
    ['an expiry in the past', { expiresAt: '2020-01-01' }, { expiresAt: ['Must be in the future'] }],
    [
      'a date that does not exist',
      { expiresAt: '2027-13-01' },
      { expiresAt: ['Must be a date that exists'] },
    ],
    ['an instant without an offset', { expiresAt: '2027-01-01T00:00:00' }, { expiresAt: instant }],
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
    const { id, key } = await service.addKey(user.token);
    const { status, body } = await service.send('DELETE', `/api/v1/auth/api-keys/${id}`, {
      token: user.token,
    });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'API key deleted' } });
    expect(await service.statusWith(key)).toBe(401);
    expect(JSON.stringify(await list())).not.toContain(id);
  });

  test("answers the same 404 to an unknown id and to another account's", async () => {
    const { id, key } = await service.addKey(user.token);
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
