import { beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { createAccountAdmin } from '../../src/accounts/admin.ts';
import { invalid, refusal } from '../support/refusals.ts';
import { createTestService, PASSWORD, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
  await service.send('POST', '/api/v1/auth/register', {
    body: { email: 'Ada@example.com', password: PASSWORD, name: 'Ada' },
  });
});

function login(body: unknown) {
  return service.send('POST', '/api/v1/auth/login', { body });
}

const WRONG = refusal(401, 'UNAUTHORIZED', 'Invalid email or password');

describe('POST /auth/login', () => {
  test('answers 200 with the user and tokens', async () => {
    const { status, body } = await login({ email: ' aDA@example.com ', password: PASSWORD });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        user: {
          id: expect.any(String),
          email: 'Ada@example.com',
          name: 'Ada',
          createdAt: '2026-11-20T12:00:00.000Z',
        },
        tokens: { accessToken: expect.any(String), refreshToken: expect.any(String), expiresIn: 604_800 },
      },
    });
  });

  test('gives different tokens to two logins of one second', async () => {
    const [one, two] = await Promise.all([
      service.logIn('ada@example.com'),
      service.logIn('ada@example.com'),
    ]);
    expect(new Set([one.token, one.refreshToken, two.token, two.refreshToken]).size).toBe(4);
  });

  const wrong: [string, { email: string; password: string }][] = [
    ['a wrong password', { email: 'ada@example.com', password: 'Correct-horse-8' }],
    ['a password in another case', { email: 'ada@example.com', password: PASSWORD.toUpperCase() }],
    ['an unknown address', { email: 'bob@example.com', password: PASSWORD }],
    ['a text that is not an address', { email: 'ada', password: PASSWORD }],
    ['an endless address', { email: 'a'.repeat(60_000), password: PASSWORD }],
    ['an endless password', { email: 'ada@example.com', password: 'A'.repeat(60_000) }],
    ['the password with more behind it', { email: 'ada@example.com', password: `${PASSWORD}\u0000x` }],
    ['SQL', { email: "' or 1=1 --", password: "' or 1=1 --" }],
  ];
  test.each(wrong)('answers the same 401 to %s', async (_sentence, input) => {
    const { status, body, headers } = await login(input);
    expect({ status, body }).toEqual(WRONG);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  test('does the same work for an unknown address as for a wrong password', async () => {
    const verify = spyOn(Bun.password, 'verify');
    await login({ email: 'ada@example.com', password: 'Wrong-password' });
    await login({ email: 'unknown@example.com', password: 'Wrong-password' });
    const costs = verify.mock.calls.map(([, hash]) => String(hash).split('$').slice(0, 4));
    verify.mockRestore();
    expect(costs).toEqual([
      ['', 'argon2id', 'v=19', 'm=19456,t=2,p=1'],
      ['', 'argon2id', 'v=19', 'm=19456,t=2,p=1'],
    ]);
  });

  const refused: [string, unknown, Record<string, string[]>][] = [
    ['nothing', {}, { email: ['Required'], password: ['Required'] }],
    [
      'empty fields',
      { email: ' ', password: '' },
      { email: ['Must not be empty'], password: ['Must not be empty'] },
    ],
  ];
  test.each(refused)('answers 400 to %s', async (_sentence, input, fieldErrors) => {
    const { status, body } = await login(input);
    expect({ status, body }).toEqual(invalid(fieldErrors));
  });

  test('answers 403 for an inactive account, but 401 to a wrong password of it', async () => {
    const { email } = await service.signUp();
    await createAccountAdmin(service.db, service.clock.now).setActive(email, false);
    const inactive = await login({ email, password: PASSWORD });
    expect({ status: inactive.status, body: inactive.body }).toEqual(
      refusal(403, 'FORBIDDEN', 'Account is inactive'),
    );
    expect((await login({ email, password: 'Wrong-password' })).status).toBe(401);
  });

  test('accepts a password in another Unicode form', async () => {
    const composed = 'Caf\u00e9-au-lait';
    await service.send('POST', '/api/v1/auth/register', {
      body: { email: 'nfc@example.com', password: composed },
    });
    const { status } = await login({ email: 'nfc@example.com', password: composed.normalize('NFD') });
    expect(status).toBe(200);
  });
});
