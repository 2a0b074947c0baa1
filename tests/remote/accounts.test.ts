import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { createTestService, PASSWORD, type TestService } from '../support/service.ts';
import { type Sqld, startSqld } from '../support/sqld.ts';

const sqld: Sqld | undefined = await startSqld();

/** Two processes on one server: what is a race inside one process must also be decided between two. */
describe.if(sqld !== undefined)('accounts on a remote libSQL server', () => {
  let apps: TestService[];
  let closed: TestService[];

  beforeAll(async () => {
    const database = { kind: 'remote', url: sqld?.url ?? '', authToken: undefined } as const;
    closed = await Promise.all([1, 2].map(() => createTestService({ registration: 'closed', database })));
    apps = await Promise.all([1, 2].map(() => createTestService({ database })));
  });
  afterAll(async () => {
    for (const app of [...apps, ...closed]) await app.close();
    await sqld?.stop();
  });

  /** Sends `count` requests at once, to each process in turn. */
  async function statuses(
    from: TestService[],
    count: number,
    body: (index: number) => unknown,
    path: string,
  ) {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        from[index % from.length]?.send('POST', path, { body: body(index) }),
      ),
    );
    return answers.map((answer) => answer?.status ?? 0).toSorted();
  }
  const oneOf = (success: number, others: number, count: number) => [
    success,
    ...Array(count - 1).fill(others),
  ];

  // First, while there is no account yet.
  test('a closed registration takes one of ten that come at once', async () => {
    const body = (index: number) => ({ email: `first-${index}@example.com`, password: PASSWORD });
    expect(await statuses(closed, 10, body, '/api/v1/auth/register')).toEqual(oneOf(201, 403, 10));
  });

  test('an address is registered once', async () => {
    const body = () => ({ email: 'race@example.com', password: PASSWORD });
    expect(await statuses(apps, 10, body, '/api/v1/auth/register')).toEqual(oneOf(201, 409, 10));
  });

  test('a refresh token works once', async () => {
    const { refreshToken } = await someApp().signUp('refresh@example.com');
    expect(await statuses(apps, 6, () => ({ refreshToken }), '/api/v1/auth/refresh')).toEqual(
      oneOf(200, 401, 6),
    );
  });

  test('a changed password ends the other logins', async () => {
    const here = await someApp().signUp('password@example.com');
    const elsewhere = await someApp(1).logIn(here.email);
    const body = { currentPassword: PASSWORD, newPassword: 'Another-horse-9' };
    expect((await someApp().send('PUT', '/api/v1/auth/password', { token: here.token, body })).status).toBe(
      200,
    );
    expect(await someApp(1).statusWith(here.token)).toBe(200);
    expect(await someApp(1).statusWith(elsewhere.token)).toBe(401);
  });

  test('a deleted account takes its logins and keys with it', async () => {
    const { id, token } = await someApp().signUp('gone@example.com');
    await someApp().send('DELETE', '/api/v1/auth/me', { token, body: { password: PASSWORD } });
    expect(await someApp(1).statusWith(token)).toBe(404);
    for (const table of ['logins', 'api_keys'])
      expect(
        await someApp().db.all(sql`select 1 from ${sql.identifier(table)} where user_id = ${id}`),
      ).toEqual([]);
  });

  test('an API key is made, used and noted', async () => {
    const { apiKey, token } = await someApp().signUp('key@example.com');
    expect(await someApp(1).statusWith(apiKey)).toBe(200);
    const { body } = await someApp().send('POST', '/api/v1/auth/api-keys', {
      token,
      body: { name: 'second' },
    });
    expect(await someApp(1).statusWith(body.key)).toBe(200);
    expect([...apps, ...closed].flatMap(({ errors }) => errors)).toEqual([]);
  });

  function someApp(index = 0): TestService {
    const app = apps[index];
    if (!app) throw new Error('No such process.');
    return app;
  }
});
