import { beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { createAccountAdmin } from '../../src/accounts/admin.ts';
import { refusal } from '../support/refusals.ts';
import { createTestService, PASSWORD, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let user: Person;
beforeEach(async () => {
  service = await createTestService();
  user = await service.signUp();
});

const INVALID = refusal(401, 'UNAUTHORIZED', 'Invalid refresh token');
const DAY_MS = 86_400_000;

async function refreshed(refreshToken: string) {
  const { status, body } = await service.refresh(refreshToken);
  expect(status).toBe(200);
  return body.tokens;
}

async function expectInvalid(refreshToken: string) {
  const { status, body, headers } = await service.refresh(refreshToken);
  expect({ status, body }).toEqual(INVALID);
  expect(headers.get('www-authenticate')).toBe('Bearer');
}

describe('POST /auth/refresh', () => {
  test('answers 200 with a new pair, and the old access token lives on', async () => {
    const { status, body } = await service.refresh(user.refreshToken);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        tokens: { accessToken: expect.any(String), refreshToken: expect.any(String), expiresIn: 604_800 },
      },
    });
    const tokens = [user.token, user.refreshToken, body.tokens.accessToken, body.tokens.refreshToken];
    expect(new Set(tokens).size).toBe(4);
    expect(await service.statusWith(body.tokens.accessToken)).toBe(200);
    expect(await service.statusWith(user.token)).toBe(200);
  });

  test('answers 401 to a second use, and ends the login with all its pairs', async () => {
    const other = await service.logIn(user.email);
    const second = await refreshed(user.refreshToken);
    const third = await refreshed(second.refreshToken);
    await expectInvalid(user.refreshToken);
    for (const token of [user.token, second.accessToken, third.accessToken])
      expect(await service.statusWith(token)).toBe(401);
    await expectInvalid(third.refreshToken);
    expect(await service.statusWith(other.token)).toBe(200);
  });

  test('gives one new pair to ten uses at once, and none of them lives', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.refresh(user.refreshToken)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 401),
    ]);
    const won = answers.find(({ status }) => status === 200)?.body.tokens;
    expect(await service.statusWith(won.accessToken)).toBe(401);
    expect(await service.db.all(sql`select count(*) as count from token_pairs`)).toEqual([{ count: 2 }]);
  });

  test('answers 401 after logout', async () => {
    await service.send('POST', '/api/v1/auth/logout', { token: user.token });
    await expectInvalid(user.refreshToken);
  });

  test('answers 401 once the account is deleted', async () => {
    await service.send('DELETE', '/api/v1/auth/me', { token: user.token, body: { password: PASSWORD } });
    await expectInvalid(user.refreshToken);
  });

  test('answers 403 when the account is inactive, without using the token up', async () => {
    const admin = createAccountAdmin(service.db, service.clock.now);
    await admin.setActive(user.email, false);
    const { status, body } = await service.refresh(user.refreshToken);
    expect({ status, body }).toEqual(refusal(403, 'FORBIDDEN', 'Account is inactive'));
    await admin.setActive(user.email, true);
    await refreshed(user.refreshToken);
  });

  test('keeps a login alive for as long as it is refreshed, and remembers pairs no longer than they live', async () => {
    let { refreshToken } = user;
    for (let day = 0; day < 30; day += 1) {
      service.clock.advance(DAY_MS);
      refreshToken = (await refreshed(refreshToken)).refreshToken;
    }
    expect(await service.accounts.removeExpired(10)).toBe(0);
    // The last pair, and those used in the seven days before.
    expect(await service.db.all(sql`select count(*) as count from token_pairs`)).toEqual([{ count: 8 }]);
    service.clock.advance(7 * DAY_MS);
    await expectInvalid(refreshToken);
  });
});

describe('the removal of expired logins', () => {
  test('removes them in steps, and leaves the others', async () => {
    for (let count = 0; count < 4; count += 1) await service.logIn(user.email);
    service.clock.advance(DAY_MS);
    const alive = await service.logIn(user.email);
    service.clock.advance(6 * DAY_MS);
    expect(await service.accounts.removeExpired(2)).toBe(5);
    expect(await service.accounts.removeExpired(2)).toBe(0);
    expect(await service.statusWith(alive.token)).toBe(200);
    expect(await service.db.all(sql`select count(*) as count from token_pairs`)).toEqual([{ count: 1 }]);
  });
});
