import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

/**
 * The contract, by a client that knows nothing but it: paths, fields, codes and messages are written out here, and what
 * the contract leaves open is not looked at. It runs against a started service, from its own machine, as such clients do.
 */

setDefaultTimeout(60_000);

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

type Answer = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what is in it
  body: any;
};

const dataDir = createDataDir();
let service: ServiceProcess;
beforeAll(async () => {
  service = await startProcess({ DATA_DIR: dataDir.path });
});
afterAll(async () => {
  await service.stop();
  dataDir.remove();
});

async function call(
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<Answer> {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

let emails = 0;
function newEmail(): string {
  emails += 1;
  return `client-${emails}@example.com`;
}

async function register(changes: Record<string, unknown> = {}): Promise<Answer> {
  return call('POST', '/auth/register', { body: { email: newEmail(), password: 'Password123', ...changes } });
}

async function newToken(): Promise<string> {
  return (await register()).body.tokens.accessToken;
}

const TOKENS = {
  accessToken: expect.stringMatching(JWT),
  refreshToken: expect.stringMatching(JWT),
  expiresIn: 604_800,
};

function error(status: number, code: string, message: string): Answer {
  return { status, body: { error: code, message } };
}

/** Claims of a token, without its signature. */
function claimsOf(token: string) {
  const [head = '', payload = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return { head: JSON.parse(head), payload: JSON.parse(payload) };
}

describe('accounts', () => {
  test('POST /auth/register answers 201 with the user, an API key and tokens', async () => {
    const { status, body } = await register({ email: 'ada@example.com', name: 'Ada' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        user: {
          id: expect.any(String),
          email: 'ada@example.com',
          name: 'Ada',
          apiKey: expect.stringMatching(/^pk_.{32}$/),
          createdAt: expect.stringMatching(ISO),
        },
        tokens: TOKENS,
      },
    });
    for (const token of [body.tokens.accessToken, body.tokens.refreshToken]) {
      const { head, payload } = claimsOf(token);
      expect(head.alg).toBe('HS256');
      expect(payload).toMatchObject({ userId: body.user.id, email: 'ada@example.com' });
      expect(payload.exp - payload.iat).toBe(604_800);
    }
  });

  const PASSWORDS = [
    'Password1',
    'Password123',
    'Test1234',
    'Secret123',
    'Passw0rd',
    'Qwerty123',
    'Welcome1',
    'Abcdefgh',
    'TESTTEST',
    'Password123!',
  ];
  test.each(PASSWORDS)('takes the password %s, and logs in with it', async (password) => {
    const email = newEmail();
    expect((await register({ email, password })).status).toBe(201);
    const { status, body } = await call('POST', '/auth/login', { body: { email, password } });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        user: { id: expect.any(String), email, name: null, createdAt: expect.stringMatching(ISO) },
        tokens: TOKENS,
      },
    });
  });

  test('takes 95 registrations in a row', async () => {
    for (let index = 0; index < 95; index += 1)
      expect([index, (await register()).status]).toEqual([index, 201]);
  });

  test('refuses a password without an uppercase letter, and names the field', async () => {
    const { status, body } = await register({ password: 'password123' });
    expect([status, body.error, body.details.fieldErrors.password]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['Password must contain at least one uppercase letter'],
    ]);
    expect(body.details.formErrors).toEqual([]);
  });

  test('refuses what is missing, and an address that is registered', async () => {
    for (const field of ['email', 'password']) {
      const { status, body } = await register({ [field]: undefined });
      expect([status, body.error, Object.keys(body.details.fieldErrors)]).toEqual([
        400,
        'VALIDATION_ERROR',
        [field],
      ]);
    }
    const email = newEmail();
    await register({ email });
    expect(await register({ email })).toEqual(error(409, 'CONFLICT', 'Email already registered'));
  });

  test('POST /auth/login refuses a wrong password and an unknown address alike', async () => {
    const email = newEmail();
    await register({ email });
    const refused = error(401, 'UNAUTHORIZED', 'Invalid email or password');
    for (const body of [
      { email, password: 'Wrong12345' },
      { email: newEmail(), password: 'Password123' },
    ])
      expect(await call('POST', '/auth/login', { body })).toEqual(refused);
  });

  test('GET /auth/me answers the account, and POST /auth/logout a message', async () => {
    const email = newEmail();
    const token = (await register({ email })).body.tokens.accessToken;
    expect(await call('GET', '/auth/me', { token })).toEqual({
      status: 200,
      body: {
        user: {
          id: expect.any(String),
          email,
          name: null,
          isActive: true,
          createdAt: expect.stringMatching(ISO),
        },
      },
    });
    expect(await call('POST', '/auth/logout', { token })).toEqual({
      status: 200,
      body: { message: expect.any(String) },
    });
  });

  test('routes that need a token refuse a missing and an invalid one', async () => {
    expect(await call('GET', '/auth/me')).toEqual(error(401, 'UNAUTHORIZED', 'Authentication required'));
    const missing = error(401, 'UNAUTHORIZED', 'Missing or invalid authorization header');
    expect(await call('GET', '/websites')).toEqual(missing);
    for (const [method, path] of [
      ['GET', '/auth/me'],
      ['POST', '/auth/logout'],
      ['GET', '/websites'],
    ] as const) {
      const { status, body } = await call(method, path, { token: 'a.b.c' });
      expect([path, status, body.error]).toEqual([path, 401, 'UNAUTHORIZED']);
    }
  });
});

describe('websites', () => {
  test('are created, listed, read, changed and deleted', async () => {
    const token = await newToken();
    const input = { name: 'Shop', domain: 'https://shop.example', description: 'Ours' };
    const created = await call('POST', '/websites', { token, body: input });
    const website = created.body;
    expect(created).toEqual({
      status: 201,
      body: {
        ...input,
        id: expect.any(String),
        userId: expect.any(String),
        trackingCode: expect.stringMatching(/^pm-[^-]+-\d{13}$/),
        createdAt: expect.stringMatching(ISO),
        updatedAt: expect.stringMatching(ISO),
        role: 'owner', // an addition to the contract
      },
    });
    expect(await call('GET', '/websites', { token })).toEqual({
      status: 200,
      body: { websites: [website], total: 1 },
    });
    expect(await call('GET', `/websites/${website.id}`, { token })).toEqual({ status: 200, body: website });
    const changed = await call('PUT', `/websites/${website.id}`, { token, body: { name: 'Store' } });
    expect(changed).toEqual({
      status: 200,
      body: { ...website, name: 'Store', updatedAt: expect.stringMatching(ISO) },
    });
    expect(await call('DELETE', `/websites/${website.id}`, { token })).toEqual({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
    expect(await call('GET', `/websites/${website.id}`, { token })).toEqual(
      error(404, 'NOT_FOUND', 'Website not found'),
    );
  });

  test('refuse a domain that is none, and one that is registered', async () => {
    const token = await newToken();
    const input = { name: 'Shop', domain: 'https://shop.example', description: '' };
    const { status, body } = await call('POST', '/websites', {
      token,
      body: { ...input, domain: 'not a url' },
    });
    expect([status, body.error, body.details.fieldErrors.domain]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['Invalid domain URL'],
    ]);
    await call('POST', '/websites', { token, body: input });
    expect(await call('POST', '/websites', { token, body: input })).toEqual(
      error(409, 'CONFLICT', 'This domain is already registered for your account'),
    );
    const another = await newToken();
    expect((await call('POST', '/websites', { token: another, body: input })).status).toBe(201);
  });
});

describe('events', () => {
  let token: string;
  let website: { id: string; trackingCode: string };
  beforeAll(async () => {
    token = await newToken();
    website = (
      await call('POST', '/websites', { token, body: { name: 'Shop', domain: 'https://shop.example' } })
    ).body;
  });

  const FULL = {
    referrer: 'https://news.example/today',
    deviceType: 'desktop',
    browser: 'Firefox',
    os: 'Linux',
    location: 'DE',
  };
  const event = (changes: Record<string, unknown> = {}) => ({
    trackingCode: website.trackingCode,
    eventType: 'pageview',
    url: 'https://shop.example/pricing',
    sessionId: 'session-1',
    visitorId: 'visitor-1',
    ...changes,
  });
  const stored = () => ({
    id: expect.any(String),
    websiteId: website.id,
    eventType: 'pageview',
    url: 'https://shop.example/pricing',
    sessionId: 'session-1',
    visitorId: 'visitor-1',
    createdAt: expect.stringMatching(ISO),
  });

  test.each(['pageview', 'click', 'custom'])(
    'POST /events stores a %s, without credentials',
    async (eventType) => {
      const body = event({ ...FULL, eventType, timestamp: Date.now(), properties: { plan: 'pro' } });
      const created = await call('POST', '/events', { body });
      expect(created).toEqual({ status: 201, body: { ...stored(), ...FULL, eventType } });
      expect(await call('GET', `/events/${created.body.id}`, { token })).toEqual({
        status: 200,
        body: expect.objectContaining({ ...created.body, properties: { plan: 'pro' } }),
      });
    },
  );

  test('POST /events leaves out what was not supplied, and GET /events/:id has null for no properties', async () => {
    const created = await call('POST', '/events', { body: event() });
    expect(created).toEqual({ status: 201, body: stored() });
    expect((await call('GET', `/events/${created.body.id}`, { token })).body.properties).toBeNull();
  });

  test.each([
    'android-app://com.google.android.gm/',
    'about:blank',
    `https://news.example/${'x'.repeat(3_000)}`,
    'ftp://files.example/a',
  ])('POST /events takes the referrer %s, which is a URL', async (referrer) => {
    expect((await call('POST', '/events', { body: event({ referrer }) })).status).toBe(201);
  });

  test.each(['trackingCode', 'eventType', 'url', 'sessionId', 'visitorId'])(
    'POST /events needs %s',
    async (field) => {
      const { status, body } = await call('POST', '/events', { body: event({ [field]: undefined }) });
      expect([status, body.error, body.message, Object.keys(body.details.fieldErrors)]).toEqual([
        400,
        'VALIDATION_ERROR',
        'Invalid event data',
        [field],
      ]);
    },
  );

  test('POST /events refuses a malformed tracking code, and one of no website', async () => {
    const malformed = await call('POST', '/events', { body: event({ trackingCode: 'nonsense' }) });
    expect([malformed.status, malformed.body.details.fieldErrors.trackingCode]).toEqual([
      400,
      ['Invalid tracking code format'],
    ]);
    expect(
      await call('POST', '/events', { body: event({ trackingCode: 'pm-unknown-1700000000000' }) }),
    ).toEqual(error(404, 'NOT_FOUND', 'Website with this tracking code not found'));
  });

  test('POST /events/batch answers 201 when all are stored', async () => {
    const { status, body } = await call('POST', '/events/batch', {
      body: { events: [event(), event({ eventType: 'click' })] },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ success: true, eventsCreated: 2, message: expect.any(String) });
    expect(body.events).toEqual(
      ['pageview', 'click'].map((eventType) => ({
        id: expect.any(String),
        websiteId: website.id,
        eventType,
        url: 'https://shop.example/pricing',
        createdAt: expect.stringMatching(ISO),
      })),
    );
  });

  test('POST /events/batch answers 207 with the position and the reason of what is refused', async () => {
    const events = [event(), event({ trackingCode: 'pm-unknown-1700000000000' }), event()];
    const { status, body } = await call('POST', '/events/batch', { body: { events } });
    expect(status).toBe(207);
    expect(body).toMatchObject({ success: false, eventsCreated: 2, message: expect.any(String) });
    expect(body.events).toHaveLength(2);
    expect(body.errors).toEqual([{ index: 1, error: 'NOT_FOUND', message: expect.any(String) }]);
  });

  test('GET /events lists by type and page, and says how many there are', async () => {
    const own = (
      await call('POST', '/websites', { token, body: { name: 'List', domain: 'https://list.example' } })
    ).body;
    const events = Array.from({ length: 120 }, (_, index) =>
      event({ trackingCode: own.trackingCode, eventType: index < 20 ? 'click' : 'pageview' }),
    );
    await call('POST', '/events/batch', { body: { events } });
    const list = (query: string) =>
      call('GET', `/events?trackingCode=${own.trackingCode}${query}`, { token });
    const all = await list('');
    expect([all.status, all.body.events.length]).toEqual([200, 100]);
    expect(all.body.pagination).toMatchObject({ total: 120, limit: 100, offset: 0 });
    const { websiteId: _, ...shown } = stored();
    expect(all.body.events[0]).toMatchObject(shown);
    expect(all.body.events[0]).not.toHaveProperty('properties');
    expect((await list('&eventType=click')).body.pagination.total).toBe(20);
    expect((await list('&limit=5&offset=118')).body.events).toHaveLength(2);
    expect((await list('&limit=&offset=&eventType=')).body).toEqual(all.body);
  });
});

test('GET /api/ping answers, and every unknown address has the body of an error', async () => {
  expect((await fetch(`${service.url}/api/ping`)).status).toBe(200);
  const { status, body } = await call('GET', '/nowhere');
  expect([status, body.error, typeof body.message]).toEqual([404, 'NOT_FOUND', 'string']);
});

test('/tracker.js is a script that names its object and its settings', async () => {
  const answer = await fetch(`${service.url}/tracker.js`);
  expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([
    200,
    'text/javascript',
  ]);
  const text = await answer.text();
  for (const name of [
    'AnalyticsTracker',
    'TRACKER_CODE',
    'TRACKER_API',
    'TRACKER_DEBUG',
    'data-tracking-code',
    'data-api-url',
  ])
    expect(text).toContain(name);
});
