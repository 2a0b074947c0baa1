import { beforeEach, describe, expect, test } from 'bun:test';
import { createAccountAdmin } from '../../src/accounts/admin.ts';
import { COMMON_FAULT, invalid, NO_CREDENTIALS, refusal } from '../support/refusals.ts';
import { createTestService, PASSWORD, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let here: Person;
let elsewhere: typeof here;
let stranger: typeof here;
beforeEach(async () => {
  service = await createTestService();
  here = await service.signUp();
  [elsewhere, stranger] = await Promise.all([service.logIn(here.email), service.signUp()]);
});

function statuses() {
  return Promise.all([here, elsewhere, stranger].map(({ token }) => service.statusWith(token)));
}

describe('POST /auth/logout', () => {
  test('ends this login alone', async () => {
    const { status, body } = await service.send('POST', '/api/v1/auth/logout', { token: here.token });
    expect({ status, body }).toEqual({ status: 200, body: { message: 'Logged out' } });
    expect(await statuses()).toEqual([401, 200, 200]);
    expect((await service.refresh(here.refreshToken)).status).toBe(401);
  });

  test('ends the pairs that were refreshed from one another', async () => {
    const { body } = await service.refresh(here.refreshToken);
    await service.send('POST', '/api/v1/auth/logout', { token: here.token });
    expect(await service.statusWith(body.tokens.accessToken)).toBe(401);
  });

  test('answers 401 the second time, and without a token', async () => {
    await service.send('POST', '/api/v1/auth/logout', { token: here.token });
    for (const token of [here.token, undefined]) {
      const { status, body } = await service.send(
        'POST',
        '/api/v1/auth/logout',
        token === undefined ? {} : { token },
      );
      expect({ status, body }).toEqual(NO_CREDENTIALS);
    }
  });

  test('does not look at a body', async () => {
    const { status } = await service.send('POST', '/api/v1/auth/logout', { token: here.token, body: '{' });
    expect(status).toBe(200);
  });
});

describe('POST /auth/logout-all', () => {
  test('ends every login of the user, and no other', async () => {
    const { status, body } = await service.send('POST', '/api/v1/auth/logout-all', { token: here.token });
    expect({ status, body }).toEqual({ status: 200, body: { message: 'Logged out everywhere' } });
    expect(await statuses()).toEqual([401, 401, 200]);
    expect((await service.refresh(elsewhere.refreshToken)).status).toBe(401);
    expect(await service.statusWith(here.apiKey)).toBe(200);
    expect((await service.logIn(here.email)).token).not.toBe('');
  });

  test('revokes API keys when that is asked for, and only one’s own', async () => {
    const { status } = await service.send('POST', '/api/v1/auth/logout-all', {
      token: here.token,
      body: { revokeApiKeys: true },
    });
    expect(status).toBe(200);
    expect(await service.statusWith(here.apiKey)).toBe(401);
    expect(await service.statusWith(stranger.apiKey)).toBe(200);
    const keys = await service.send('GET', '/api/v1/auth/api-keys', {
      token: (await service.logIn(here.email)).token,
    });
    expect(keys.body).toEqual({ apiKeys: [], total: 0 });
  });

  const unreadable = 'The body is not readable JSON';
  test.each([
    [
      'a field that is not a boolean',
      { revokeApiKeys: 1 },
      invalid({ revokeApiKeys: ['Must be true or false'] }),
    ],
    ['half of a body', '{', invalid({}, [unreadable])],
  ])('answers 400 to %s, and nothing ends', async (_name, body, expected) => {
    const answer = await service.send('POST', '/api/v1/auth/logout-all', { token: here.token, body });
    expect(answer).toMatchObject({ status: 400, body: { details: expected.body.details } });
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});

describe('PUT /auth/password', () => {
  const NEW = 'Another-horse-9';

  function change(body: unknown, token = here.token) {
    return service.send('PUT', '/api/v1/auth/password', { token, body });
  }

  test('replaces the password and ends the other logins', async () => {
    const { status, body } = await change({ currentPassword: PASSWORD, newPassword: NEW });
    expect({ status, body }).toEqual({ status: 200, body: { message: 'Password changed' } });
    expect(await statuses()).toEqual([200, 401, 200]);
    expect((await service.refresh(elsewhere.refreshToken)).status).toBe(401);
    expect((await service.refresh(here.refreshToken)).status).toBe(200);
    expect(await service.statusWith(here.apiKey)).toBe(200);
    const old = await service.send('POST', '/api/v1/auth/login', {
      body: { email: here.email, password: PASSWORD },
    });
    expect(old.status).toBe(401);
    expect((await service.logIn(here.email, NEW)).token).not.toBe('');
  });

  test('revokes API keys when that is asked for, and only one’s own', async () => {
    const { status } = await change({ currentPassword: PASSWORD, newPassword: NEW, revokeApiKeys: true });
    expect(status).toBe(200);
    expect(await statuses()).toEqual([200, 401, 200]);
    expect(await service.statusWith(here.apiKey)).toBe(401);
    expect(await service.statusWith(stranger.apiKey)).toBe(200);
  });

  test('answers 401 to a wrong current password, and nothing changes', async () => {
    const { status, body } = await change({
      currentPassword: 'Wrong-horse-9',
      newPassword: NEW,
      revokeApiKeys: true,
    });
    expect({ status, body }).toEqual(refusal(401, 'UNAUTHORIZED', 'Current password is incorrect'));
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await service.statusWith(here.apiKey)).toBe(200);
    expect((await service.logIn(here.email)).token).not.toBe('');
  });

  const rule = 'Password must contain at least one uppercase letter';
  const refused: [string, unknown, Record<string, string[]>][] = [
    ['a weak password', { currentPassword: PASSWORD, newPassword: 'lowercase' }, { newPassword: [rule] }],
    ['a list', { currentPassword: PASSWORD, newPassword: [NEW] }, { newPassword: ['Must be a string'] }],
  ];
  test.each(refused)('answers 400 to %s', async (_sentence, input, fieldErrors) => {
    const { status, body } = await change(input);
    expect({ status, body }).toEqual(invalid(fieldErrors));
  });

  test('accepts a common password, and refuses it with COMMON_PASSWORDS=refuse', async () => {
    const strict = await createTestService({ commonPasswords: 'refuse' });
    const { token } = await strict.signUp();
    const body = { currentPassword: PASSWORD, newPassword: 'Sunshine1' };
    const refused = await strict.send('PUT', '/api/v1/auth/password', { token, body });
    expect({ status: refused.status, body: refused.body }).toEqual(invalid({ newPassword: [COMMON_FAULT] }));
    await strict.close();
    expect((await change(body)).status).toBe(200);
  });

  test('lets one of two changes at once win', async () => {
    const answers = await Promise.all(
      [NEW, 'Third-horse-99'].map((newPassword) => change({ currentPassword: PASSWORD, newPassword })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('leaves no login of the old password, even one that was being made meanwhile', async () => {
    const [, ...logins] = await Promise.all([
      change({ currentPassword: PASSWORD, newPassword: NEW }),
      ...Array.from({ length: 6 }, () =>
        service.send('POST', '/api/v1/auth/login', { body: { email: here.email, password: PASSWORD } }),
      ),
    ]);
    for (const { status, body } of logins)
      expect(status === 401 || (await service.statusWith(body.tokens.accessToken)) === 401).toBe(true);
    expect(service.errors).toEqual([]);
  });
});

describe('an inactive account', () => {
  test('gets 403 with a token or a key, everywhere, until it is active again', async () => {
    const admin = createAccountAdmin(service.db, service.clock.now);
    await admin.setActive(here.email.toUpperCase(), false);
    const calls = [
      ['GET', '/api/v1/auth/me', here.token],
      ['GET', '/api/v1/auth/me', here.apiKey],
      ['PATCH', '/api/v1/auth/me', here.token],
      ['POST', '/api/v1/auth/logout', here.token],
      ['GET', '/api/v1/auth/api-keys', here.token],
    ] as const;
    for (const [method, path, token] of calls) {
      const { status, body } = await service.send(method, path, { token });
      expect({ status, body }).toEqual(refusal(403, 'FORBIDDEN', 'Account is inactive'));
    }
    await admin.setActive(here.email, true);
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});
