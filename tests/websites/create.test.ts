import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { websites } from '../../src/db/schema.ts';
import { WEBSITES_MAX } from '../../src/vocabulary/contract.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { invalid } from '../support/refusals.ts';
import { createTestService, statusAndBody, type TestService, type User } from '../support/service.ts';
import { isOnServer } from '../support/test-database.ts';

let service: TestService;
let ada: User;
let bob: User;

beforeAll(async () => {
  service = await createTestService();
});
beforeEach(async () => {
  ada = await service.addUser();
  bob = await service.addUser();
});
afterAll(() => service.close());

const create = async (body: unknown, user: User | undefined = ada) =>
  statusAndBody(await service.send('POST', '/api/v1/websites', { token: user.apiKey, body }));

const TAKEN = {
  status: 409,
  body: { error: 'CONFLICT', message: 'This domain is already registered for your account' },
};
const START = new Date(TEST_START_MS).toISOString();

describe('POST /websites', () => {
  test('answers 201 with the whole record', async () => {
    expect(
      await create({ name: 'My blog', domain: 'https://example.com', description: 'Notes\nand more' }),
    ).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        userId: ada.id,
        name: 'My blog',
        domain: 'https://example.com',
        description: 'Notes\nand more',
        trackingCode: expect.stringMatching(new RegExp(`^pm-[0-9A-Za-z]{16}-${TEST_START_MS}$`)),
        createdAt: START,
        updatedAt: START,
        role: 'owner',
      },
    });
  });

  test('gives an absent description as empty, and trims name, domain and description', async () => {
    expect(await create({ name: ' n ', domain: '\thttps://Example.com/ ' })).toMatchObject({
      status: 201,
      body: { name: 'n', domain: 'https://Example.com/', description: '' },
    });
    expect(await create({ name: 'n', domain: 'https://b.example', description: '  d\n' })).toMatchObject({
      body: { description: 'd' },
    });
  });

  test('ignores id, userId, trackingCode, dates and settings in the body', async () => {
    const assigned = {
      id: 'mine',
      userId: bob.id,
      trackingCode: 'pm-mine-1',
      createdAt: '2000-01-01T00:00:00.000Z',
      updatedAt: '2000-01-01T00:00:00.000Z',
      key: 99,
      deletedAtMs: 1,
      isPublic: true,
    };
    expect(await create({ name: 'n', domain: 'https://example.com', ...assigned })).toEqual({
      status: 201,
      body: {
        id: expect.not.stringContaining('mine'),
        userId: ada.id,
        name: 'n',
        domain: 'https://example.com',
        description: '',
        trackingCode: expect.stringMatching(/^pm-[0-9A-Za-z]{16}-\d+$/),
        createdAt: START,
        updatedAt: START,
        role: 'owner',
      },
    });
    expect((await service.send('GET', '/api/v1/websites', { token: bob.apiKey })).body).toEqual({
      websites: [],
      total: 0,
    });
  });

  const fine = { name: 'n', domain: 'https://example.com' };
  const longDomain = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`;
  const accepted: [string, object][] = [
    ['a name of 1 character', { name: 'n' }],
    ['a name of 100 characters, counted after trimming', { name: ` ${'n'.repeat(100)} ` }],
    ['a name that is not ASCII', { name: 'Käsekuchen 🍰' }],
    ['a description of 500 characters', { description: 'd'.repeat(500) }],
    ['an empty description', { description: '' }],
    ['a domain of 2,048 characters', { domain: longDomain(2_048) }],
    ['http', { domain: 'http://example.com' }],
    ['a scheme in capitals', { domain: 'HTTPS://EXAMPLE.COM' }],
    ['a host of one label with a port', { domain: 'http://localhost:3000' }],
    ['an IPv6 host', { domain: 'http://[::1]:8080/' }],
    ['an international host', { domain: 'https://bücher.example' }],
  ];
  test.each(accepted)('accepts %s', async (_, input) => {
    expect(await create({ ...fine, ...input })).toMatchObject({ status: 201 });
  });

  const invalidDomain = { domain: ['Invalid domain URL'] };
  const refusals: [string, unknown, ReturnType<typeof invalid>][] = [
    ['nothing', {}, invalid({ name: ['Required'], domain: ['Required'] })],
    ['a blank name', { ...fine, name: ' \n ' }, invalid({ name: ['Must not be empty'] })],
    ['a name with a NUL', { ...fine, name: 'a\0b' }, invalid({ name: ['Must not hold control characters'] })],
    [
      'a description with a NUL',
      { ...fine, description: 'a\0b' },
      invalid({ description: ['Must not hold control characters'] }),
    ],
    ['an empty domain', { ...fine, domain: '' }, invalid(invalidDomain)],
    [
      'every fault at once',
      { name: '', domain: 'x' },
      invalid({ name: ['Must not be empty'], ...invalidDomain }),
    ],
  ];
  test.each(refusals)('refuses %s with 400', async (_, body, answer) => {
    expect(await create(body)).toEqual(answer);
    expect((await service.send('GET', '/api/v1/websites', { token: ada.apiKey })).body).toEqual({
      websites: [],
      total: 0,
    });
  });

  test.each([
    'example.com',
    'www.example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/hosts',
    'https://',
    'https:///example.com',
    'https:example.com',
    'https:\\\\example.com',
    'https://exa mple.com',
    'https://example.com/a b',
    'https://example.com/\na',
    'https://example.com:99999',
    'https://[::1',
    'https://?a',
    'https://#a',
    '//example.com',
    'mailto:a@example.com',
  ])('refuses the domain %j', async (domain) => {
    expect(await create({ ...fine, domain })).toEqual(invalid(invalidDomain));
  });

  test('refuses JSON that cannot be read with 400', async () => {
    expect(await create('{"name":')).toEqual({
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        message: 'The body is not readable JSON',
        details: { formErrors: ['The body is not readable JSON'], fieldErrors: {} },
      },
    });
  });

  test('answers 409 when the account has the domain, in whatever spelling', async () => {
    await create({ name: 'one', domain: 'https://example.com' });
    expect(await create({ name: 'two', domain: 'http://www.EXAMPLE.com:80/' })).toEqual(TAKEN);
    expect((await service.send('GET', '/api/v1/websites', { token: ada.apiKey })).body).toMatchObject({
      total: 1,
    });
  });

  test('lets two accounts register one domain', async () => {
    expect((await create(fine, ada)).status).toBe(201);
    expect((await create(fine, bob)).status).toBe(201);
  });

  test('registers a domain once when 50 ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(fine)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array(49).fill(TAKEN));
  });

  test('registers a domain again once its website is deleted', async () => {
    const { id } = await service.websites.create(ada.id, fine);
    await service.send('DELETE', `/api/v1/websites/${id}`, { token: ada.apiKey });
    expect((await create(fine)).status).toBe(201);
  });

  // A server takes no such pragma; tests/remote/silent.test.ts has one that does not answer.
  test.skipIf(isOnServer)('answers 503 when the database cannot take it for now', async () => {
    const service = await createTestService();
    const { apiKey } = await service.addUser();
    await service.db.run(sql`pragma query_only = on`);
    const answer = await service.send('POST', '/api/v1/websites', { token: apiKey, body: fine });
    expect(answer).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toBe('5');
    await service.close();
  });

  test('answers 500 "Failed to create website" when the database fails, and tells the log why', async () => {
    const service = await createTestService();
    const { apiKey } = await service.addUser();
    await service.db.run(
      sql`create trigger fail before insert on websites begin select raise(abort, 'secret'); end`,
    );
    const answer = await service.send('POST', '/api/v1/websites', { token: apiKey, body: fine });
    expect(statusAndBody(answer)).toEqual({
      status: 500,
      body: { error: 'INTERNAL_ERROR', message: 'Failed to create website' },
    });
    expect(service.errors).toEqual([expect.objectContaining({ cause: expect.any(Error) })]);
    await service.close();
  });
});

test('answers 409 to one website more than an account may have', async () => {
  const user = await service.addUser();
  const rows = Array.from({ length: WEBSITES_MAX }, (_, index) => ({
    id: crypto.randomUUID(),
    userId: user.id,
    name: 'w',
    domain: `https://w${index}.example`,
    domainKey: `w${index}.example/`,
    description: '',
    trackingCode: `pm-${index}-${user.id}`,
    createdAtMs: 0,
    updatedAtMs: 0,
  }));
  for (let start = 0; start < rows.length; start += 100)
    await service.db.insert(websites).values(rows.slice(start, start + 100));
  const create = () =>
    service.send('POST', '/api/v1/websites', {
      token: user.apiKey,
      body: { name: 'One more', domain: 'https://more.example' },
    });
  const { status, body } = await create();
  expect({ status, body }).toEqual({
    status: 409,
    body: { error: 'CONFLICT', message: 'An account has at most 1000 websites' },
  });
  await service.send('DELETE', `/api/v1/websites/${rows[0]?.id}`, { token: user.apiKey });
  expect((await create()).status).toBe(201);
});
