import { beforeAll, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { COMMON_FAULT, invalid, refusal } from '../support/refusals.ts';
import { createTestService, PASSWORD, type TestService } from '../support/service.ts';

/** Many hashes, on a machine that may be busy. */
const PATIENCE_MS = 60_000;

let service: TestService;
beforeAll(async () => {
  service = await createTestService();
});

function register(body: unknown) {
  return service.send('POST', '/api/v1/auth/register', { body });
}

const TAKEN = refusal(409, 'CONFLICT', 'Email already registered');

describe('POST /auth/register', () => {
  test('answers 201 with the user, an API key and tokens', async () => {
    const { status, body } = await register({ email: 'ada@example.com', password: PASSWORD, name: 'Ada' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        user: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          email: 'ada@example.com',
          name: 'Ada',
          apiKey: expect.stringMatching(/^pk_[0-9A-Za-z]{32}$/),
          createdAt: '2026-11-20T12:00:00.000Z',
        },
        tokens: {
          accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          refreshToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          expiresIn: 604_800,
        },
      },
    });
    expect(body.tokens.accessToken).not.toBe(body.tokens.refreshToken);
  });

  test('stores a hash of the password, and hash and prefix of the API key', async () => {
    const { body } = await register({ email: 'hash@example.com', password: PASSWORD });
    const [user] = await service.db.all<{ password_hash: string }>(
      sql`select password_hash from users where email_key = 'hash@example.com'`,
    );
    expect(user?.password_hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
    const keys = await service.db.all(sql`select prefix, hash from api_keys where user_id = ${body.user.id}`);
    const hash = new Bun.CryptoHasher('sha256').update(body.user.apiKey).digest('hex');
    expect(keys).toEqual([{ prefix: body.user.apiKey.slice(0, 8), hash }]);
  });

  const accepted: [string, Record<string, unknown>, { email: string; name: string | null }][] = [
    ['trims address and name', { email: '  t@b.de\n', name: ' T ' }, { email: 't@b.de', name: 'T' }],
    ['keeps the case of the address', { email: 'Case@B.de' }, { email: 'Case@B.de', name: null }],
    ['takes a name of null for none', { email: 'n@b.de', name: null }, { email: 'n@b.de', name: null }],
    [
      'ignores unknown fields',
      { email: 'u@b.de', isActive: false, id: '1' },
      { email: 'u@b.de', name: null },
    ],
    ['takes plus and subdomains', { email: 'a.b+c@d.e-f.co' }, { email: 'a.b+c@d.e-f.co', name: null }],
    [
      'takes an address of 254 characters',
      { email: `${'a'.repeat(242)}@example.com` },
      { email: `${'a'.repeat(242)}@example.com`, name: null },
    ],
    [
      'takes a name of 100 characters',
      { email: 'n100@b.de', name: 'x'.repeat(100) },
      { email: 'n100@b.de', name: 'x'.repeat(100) },
    ],
    [
      'takes a password of 8 characters',
      { email: 'p8@b.de', password: 'Eightcha' },
      { email: 'p8@b.de', name: null },
    ],
    [
      'takes a password of 128 characters',
      { email: 'p128@b.de', password: `A${'a'.repeat(127)}` },
      { email: 'p128@b.de', name: null },
    ],
    [
      'takes an uppercase letter of another alphabet',
      { email: 'umlaut@b.de', password: 'überÄlles' },
      { email: 'umlaut@b.de', name: null },
    ],
  ];
  test.each(accepted)('%s', async (_sentence, input, expected) => {
    const { status, body } = await register({ password: PASSWORD, ...input });
    expect({ status, email: body.user?.email, name: body.user?.name }).toEqual({ status: 201, ...expected });
  });

  const email = ['Invalid email address'];
  const refused: [string, Record<string, unknown>, Record<string, string[]>][] = [
    ['an address without an at sign', { email: 'ada.example.com' }, { email }],
    ['a domain without a dot', { email: 'ada@localhost' }, { email }],
    ['a domain that starts with a dot', { email: 'ada@.de' }, { email }],
    ['two dots in the domain', { email: 'ada@example..de' }, { email }],
    ['two dots before the at sign', { email: 'a..da@example.de' }, { email }],
    ['a space inside', { email: 'a da@example.de' }, { email }],
    ['two at signs', { email: 'a@b@example.de' }, { email }],
    ['two addresses', { email: 'a@example.de,b@example.de' }, { email }],
    ['NUL', { email: 'a\u0000@example.de' }, { email }],
    ['letters that lower-case into ASCII', { email: '\u212Aate@example.de' }, { email }],
    [
      'a password without an uppercase letter',
      { password: 'correct-horse-9' },
      { password: ['Password must contain at least one uppercase letter'] },
    ],
    ['a name of spaces', { name: '   ' }, { name: ['Must not be empty'] }],
    ['a name with NUL', { name: 'A\u0000B' }, { name: ['Must not hold control characters'] }],
    [
      'everything wrong at once',
      { email: 'x', password: 'x', name: '' },
      {
        email,
        password: [
          'Password must be at least 8 characters',
          'Password must contain at least one uppercase letter',
        ],
        name: ['Must not be empty'],
      },
    ],
  ];
  test.each(refused)('answers 400 to %s', async (_sentence, input, fieldErrors) => {
    const { status, body } = await register({ email: 'refused@example.com', password: PASSWORD, ...input });
    expect({ status, body }).toEqual(invalid(fieldErrors));
  });

  // The contract names no rule against them (D51).
  const common = [
    'Password1',
    'Password123',
    'Test1234',
    'Secret123',
    'QWERTYUIOP',
    'Summer2026!',
    'Password',
  ];
  test.each(common)('accepts the common password %s', async (password) => {
    const { status } = await register({ email: `${password.replace('!', '')}@example.com`, password });
    expect(status).toBe(201);
  });

  test('refuses a common password with COMMON_PASSWORDS=refuse, and creates no account', async () => {
    const strict = await createTestService({ commonPasswords: 'refuse' });
    for (const password of ['Password1', 'QWERTYUIOP', 'Summer2026!']) {
      const { status, body } = await strict.send('POST', '/api/v1/auth/register', {
        body: { email: 'ada@example.com', password },
      });
      expect({ status, body }).toEqual(invalid({ password: [COMMON_FAULT] }));
    }
    const { status } = await strict.send('POST', '/api/v1/auth/register', {
      body: { email: 'ada@example.com', password: PASSWORD },
    });
    expect(status).toBe(201);
    await strict.close();
  });

  test('answers 409 to an address that is registered, in any case', async () => {
    await register({ email: 'Twice@example.com', password: PASSWORD });
    const { status, body } = await register({ email: ' tWICE@EXAMPLE.com ', password: PASSWORD });
    expect({ status, body }).toEqual(TAKEN);
  });

  test(
    'registers one of fifty that ask for an address at once',
    async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => register({ email: 'fifty@example.com', password: PASSWORD })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
      const rows = await service.db.all(sql`select 1 from users where email_key = 'fifty@example.com'`);
      expect(rows).toHaveLength(1);
    },
    PATIENCE_MS,
  );
});

describe('POST /auth/register with REGISTRATION=closed', () => {
  const CLOSED = refusal(403, 'FORBIDDEN', 'Registration is closed');

  test('registers the first account alone, and then tells nothing about addresses', async () => {
    const closed = await createTestService({ registration: 'closed' });
    const first = { email: 'first@example.com', password: PASSWORD };
    const faulty = await closed.send('POST', '/api/v1/auth/register', { body: { ...first, password: 'x' } });
    expect(faulty.status).toBe(400);
    expect((await closed.send('POST', '/api/v1/auth/register', { body: first })).status).toBe(201);
    for (const email of ['first@example.com', 'second@example.com']) {
      const { status, body } = await closed.send('POST', '/api/v1/auth/register', {
        body: { ...first, email },
      });
      expect({ status, body }).toEqual(CLOSED);
    }
    expect((await closed.logIn('first@example.com')).token).not.toBe('');
  });

  test('registers one of ten that come at once', async () => {
    const closed = await createTestService({ registration: 'closed' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        closed.send('POST', '/api/v1/auth/register', {
          body: { email: `p${index}@example.com`, password: PASSWORD },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 403),
    ]);
    expect(await closed.db.all(sql`select count(*) as count from users`)).toEqual([{ count: 1 }]);
    expect(await closed.db.all(sql`select count(*) as count from api_keys`)).toEqual([{ count: 1 }]);
  });
});
