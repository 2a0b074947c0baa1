import { describe, expect, test } from 'bun:test';
import { createTestService, PASSWORD } from '../support/service.ts';

const SECRET_PASSWORD = 'Hunter2-is-my-secret';

describe('a failure', () => {
  test('never repeats the password, a hash or SQL', async () => {
    const service = await createTestService();
    const { email, token, refreshToken } = await service.signUp();
    const credentials = { email, password: SECRET_PASSWORD };
    const answers = [
      await service.send('POST', '/api/v1/auth/register', { body: credentials }),
      await service.send('POST', '/api/v1/auth/register', { body: { ...credentials, email: 5 } }),
      await service.send('POST', '/api/v1/auth/register', {
        body: { email: 'x', password: [SECRET_PASSWORD] },
      }),
      await service.send('POST', '/api/v1/auth/register', { body: `{"password":"${SECRET_PASSWORD}"` }),
      await service.send('POST', '/api/v1/auth/login', { body: credentials }),
      await service.send('POST', '/api/v1/auth/login', { body: { password: SECRET_PASSWORD } }),
      await service.send('PUT', '/api/v1/auth/password', {
        token,
        body: { currentPassword: SECRET_PASSWORD },
      }),
      await service.send('DELETE', '/api/v1/auth/me', { token, body: { password: SECRET_PASSWORD } }),
      await service.send('POST', '/api/v1/auth/refresh', { body: { refreshToken: `${refreshToken}x` } }),
    ];
    for (const { status, text } of answers) {
      expect(status).toBeWithin(400, 500);
      expect(text).not.toMatch(/Hunter2|argon2|select|insert|SQLITE|users|eyJ/i);
    }
  });

  test('of the database is a bare 500, logged without reaching the caller', async () => {
    const service = await createTestService();
    await service.signUp();
    await service.db.run(
      `create trigger broken before insert on logins begin select raise(abort, 'secret'); end`,
    );
    const body = { email: 'new@example.com', password: SECRET_PASSWORD };
    const { status, body: answer } = await service.send('POST', '/api/v1/auth/register', { body });
    expect({ status, answer }).toEqual({
      status: 500,
      answer: { error: 'INTERNAL_ERROR', message: 'Internal server error' },
    });
    expect(service.errors).toHaveLength(1);
    await service.db.run('drop trigger broken');
    expect((await service.send('POST', '/api/v1/auth/register', { body })).status).toBe(201);
  });

  test('of a registration leaves nothing behind', async () => {
    const service = await createTestService();
    await service.db.run(
      `create trigger broken before insert on token_pairs begin select raise(abort, 'x'); end`,
    );
    const body = { email: 'new@example.com', password: PASSWORD };
    expect((await service.send('POST', '/api/v1/auth/register', { body })).status).toBe(500);
    for (const table of ['users', 'api_keys', 'logins'])
      expect(await service.db.all(`select 1 from ${table}`)).toEqual([]);
  });

  test('of a refresh does not use the token up', async () => {
    const service = await createTestService();
    const { refreshToken } = await service.signUp();
    await service.db.run(
      `create trigger broken before insert on token_pairs begin select raise(abort, 'x'); end`,
    );
    expect((await service.refresh(refreshToken)).status).toBe(500);
    await service.db.run('drop trigger broken');
    expect((await service.refresh(refreshToken)).status).toBe(200);
  });
});
