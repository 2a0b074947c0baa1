import { beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { createAccountAdmin } from '../../src/accounts/admin.ts';
import { createLoginStore } from '../../src/accounts/login-store.ts';
import { refusal } from '../support/refusals.ts';
import { createTestService, PASSWORD, type Person, type TestService } from '../support/service.ts';

let service: TestService;
let user: Person;
beforeEach(async () => {
  service = await createTestService();
  user = await service.signUp();
});

async function counts() {
  const [row] = await service.db.all(
    sql`select (select count(*) from logins) as logins, (select count(*) from token_pairs) as pairs`,
  );
  return row;
}

/** Changes to an account between the check of its password and the storing of the login. */
describe('a login is not stored when, while its password was checked,', () => {
  const happenings: [string, (admin: ReturnType<typeof createAccountAdmin>) => Promise<unknown>][] = [
    ['the account was deactivated', (admin) => admin.setActive(user.email, false)],
    ['the password was changed', (admin) => admin.setPassword(user.email, async () => 'Another-horse-9')],
    ['the account was deleted', () => service.db.run(sql`delete from users where id = ${user.id}`)],
  ];
  test.each(happenings)('%s', async (_sentence, happen) => {
    const real = Bun.password.verify.bind(Bun.password);
    const verify = spyOn(Bun.password, 'verify').mockImplementation(async (password, hash) => {
      const matches = await real(password, hash);
      await happen(createAccountAdmin(service.db, service.clock.now));
      return matches;
    });
    const credentials = { email: user.email, password: PASSWORD };
    const { status, body } = await service
      .send('POST', '/api/v1/auth/login', { body: credentials })
      .finally(() => verify.mockRestore());
    expect({ status, body }).toEqual(refusal(401, 'UNAUTHORIZED', 'Invalid email or password'));
    const unrevoked = await service.db.all(sql`select id from logins where revoked_at_ms is null`);
    expect(unrevoked.length).toBeLessThanOrEqual(1); // that of the registration
    expect(service.errors).toEqual([]);
  });
});

describe('a pair is not refreshed', () => {
  test('when its login was revoked after it was looked at', async () => {
    const store = createLoginStore(service.db);
    const [pair] = await service.db.all<{ jti: string; loginId: string }>(
      sql`select jti, login_id as loginId from token_pairs`,
    );
    if (!pair) throw new Error('The registration stores a pair.');
    const nowMs = service.clock.now();
    await store.revoke(pair.loginId, nowMs);
    const next = { jti: 'next', nowMs, expiresAtMs: nowMs + 1, forgetBeforeMs: 0 };
    expect(await store.refreshPair(pair, next)).toBe(false);
    expect(await counts()).toEqual({ logins: 1, pairs: 1 });
    expect(await service.db.all(sql`select refreshed_at_ms as at from token_pairs`)).toEqual([{ at: null }]);
  });
});
