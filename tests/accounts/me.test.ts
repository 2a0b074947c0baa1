import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { isNull, sql } from 'drizzle-orm';
import { websites } from '../../src/db/schema.ts';
import { NO_CREDENTIALS, refusal, UNKNOWN_KEY } from '../support/refusals.ts';
import { createTestService, PASSWORD, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let user: Person;
beforeAll(newService);

async function newService() {
  service = await createTestService();
  user = await service.signUp();
}

function profile(name: string | null) {
  const { id, email } = user;
  const createdAt = '2026-11-20T12:00:00.000Z';
  return { status: 200, body: { user: { id, email, name, isActive: true, createdAt } } };
}

describe('GET /auth/me', () => {
  test('answers 200 with the user, and whether the account is active', async () => {
    const { status, body } = await service.send('GET', '/api/v1/auth/me', { token: user.token });
    expect({ status, body }).toEqual(profile(null));
  });

  test('answers HEAD like GET, without the body', async () => {
    const { status, text } = await service.send('HEAD', '/api/v1/auth/me', { token: user.token });
    expect({ status, text }).toEqual({ status: 200, text: '' });
  });
});

describe('PATCH /auth/me', () => {
  const accepted: [string, unknown, string | null][] = [
    ['sets the name, trimmed', { name: ' Ada ' }, 'Ada'],
    ['takes 100 characters', { name: 'x'.repeat(100) }, 'x'.repeat(100)],
    ['removes it with null', { name: null }, null],
    ['ignores other fields', { name: 'Ada', email: 'x@y.de', isActive: false, id: 'x' }, 'Ada'],
    ['stores a lone surrogate as the replacement character', { name: '\ud800' }, '\ufffd'],
  ];
  test.each(accepted)('%s', async (_sentence, body, name) => {
    const answer = await service.send('PATCH', '/api/v1/auth/me', { token: user.token, body });
    expect({ status: answer.status, body: answer.body }).toEqual(profile(name));
    expect((await service.send('GET', '/api/v1/auth/me', { token: user.token })).body).toEqual(
      profile(name).body,
    );
  });
});

describe('DELETE /auth/me', () => {
  beforeEach(newService);

  function remove(body: unknown, token = user.token) {
    return service.send('DELETE', '/api/v1/auth/me', { token, body });
  }

  /** Owners of the websites that are not deleted. */
  async function ownersOfWebsites(): Promise<(string | null)[]> {
    const rows = await service.db
      .select({ userId: websites.userId })
      .from(websites)
      .where(isNull(websites.deletedAtMs));
    return rows.map(({ userId }) => userId);
  }

  test('deletes the account with its websites, logins and keys', async () => {
    const other = await service.signUp();
    for (const { token } of [user, other]) await service.addWebsite(token);
    const { status, body } = await remove({ password: PASSWORD });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Account deleted' } });
    expect(await ownersOfWebsites()).toEqual([other.id]);
    for (const table of ['users', 'logins', 'token_pairs', 'api_keys'])
      expect(await service.db.all(sql.raw(`select count(*) as count from ${table}`))).toEqual([{ count: 1 }]);
    expect(await service.statusWith(other.token)).toBe(200);
    const login = await service.send('POST', '/api/v1/auth/login', {
      body: { email: user.email, password: PASSWORD },
    });
    expect(login.status).toBe(401);
    expect((await service.signUp(user.email)).id).not.toBe(user.id);
  });

  test('answers its token 404 on /auth/me and 401 elsewhere, and its key 401', async () => {
    await remove({ password: PASSWORD });
    const gone = refusal(404, 'NOT_FOUND', 'User not found');
    const cases = [
      ['GET', '/api/v1/auth/me', user.token, gone],
      ['PATCH', '/api/v1/auth/me', user.token, gone],
      ['DELETE', '/api/v1/auth/me', user.token, gone],
      ['GET', '/api/v1/auth/api-keys', user.token, NO_CREDENTIALS],
      ['POST', '/api/v1/auth/logout', user.token, NO_CREDENTIALS],
      ['GET', '/api/v1/auth/me', user.apiKey, UNKNOWN_KEY],
    ] as const;
    for (const [method, path, token, expected] of cases) {
      const { status, body } = await service.send(method, path, { token });
      expect({ status, body }).toEqual(expected);
    }
  });

  test('answers 401 to a wrong password, and nothing is deleted', async () => {
    await service.addWebsite(user.token);
    const { status, body } = await remove({ password: 'Wrong-horse-9' });
    expect({ status, body }).toEqual(refusal(401, 'UNAUTHORIZED', 'Password is incorrect'));
    expect(await ownersOfWebsites()).toEqual([user.id]);
    expect(await service.statusWith(user.token)).toBe(200);
  });
});
