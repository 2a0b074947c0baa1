import { describe, expect, test } from 'bun:test';
import { createAccountApp, PASSWORD } from '../support/account-app.ts';

const SECRET_PASSWORD = 'Hunter2-is-my-secret';

describe('a failure', () => {
  test('never repeats the password, a hash or SQL', async () => {
    const app = await createAccountApp();
    const { email, token, refreshToken } = await app.signUp();
    const credentials = { email, password: SECRET_PASSWORD };
    const answers = [
      await app.send('POST', '/auth/register', { body: credentials }),
      await app.send('POST', '/auth/register', { body: { ...credentials, email: 5 } }),
      await app.send('POST', '/auth/register', { body: { email: 'x', password: [SECRET_PASSWORD] } }),
      await app.send('POST', '/auth/register', { body: `{"password":"${SECRET_PASSWORD}"` }),
      await app.send('POST', '/auth/login', { body: credentials }),
      await app.send('POST', '/auth/login', { body: { password: SECRET_PASSWORD } }),
      await app.send('PUT', '/auth/password', { token, body: { currentPassword: SECRET_PASSWORD } }),
      await app.send('DELETE', '/auth/me', { token, body: { password: SECRET_PASSWORD } }),
      await app.send('POST', '/auth/refresh', { body: { refreshToken: `${refreshToken}x` } }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBeWithin(400, 500);
      expect(text).not.toMatch(/Hunter2|argon2|select|insert|SQLITE|users|eyJ/i);
    }
  });

  test('of the database is a bare 500, logged without reaching the caller', async () => {
    const app = await createAccountApp();
    await app.signUp();
    await app.db.run(
      `create trigger broken before insert on logins begin select raise(abort, 'secret'); end`,
    );
    const body = { email: 'new@example.com', password: SECRET_PASSWORD };
    const { status, body: answer } = await app.send('POST', '/auth/register', { body });
    expect({ status, answer }).toEqual({
      status: 500,
      answer: { error: 'INTERNAL_ERROR', message: 'Internal server error' },
    });
    expect(app.errors).toHaveLength(1);
    await app.db.run('drop trigger broken');
    expect((await app.send('POST', '/auth/register', { body })).status).toBe(201);
  });

  test('of a registration leaves nothing behind', async () => {
    const app = await createAccountApp();
    await app.db.run(
      `create trigger broken before insert on token_pairs begin select raise(abort, 'x'); end`,
    );
    const body = { email: 'new@example.com', password: PASSWORD };
    expect((await app.send('POST', '/auth/register', { body })).status).toBe(500);
    for (const table of ['users', 'api_keys', 'logins'])
      expect(await app.db.all(`select 1 from ${table}`)).toEqual([]);
  });

  test('of a refresh does not use the token up', async () => {
    const app = await createAccountApp();
    const { refreshToken } = await app.signUp();
    await app.db.run(
      `create trigger broken before insert on token_pairs begin select raise(abort, 'x'); end`,
    );
    expect((await app.refresh(refreshToken)).status).toBe(500);
    await app.db.run('drop trigger broken');
    expect((await app.refresh(refreshToken)).status).toBe(200);
  });
});
