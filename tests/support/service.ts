import { newApiKey } from '../../src/accounts/api-keys.ts';
import { toEmailKey } from '../../src/accounts/email-key.ts';
import { type AppDeps, createApp } from '../../src/app.ts';
import { openDatabase } from '../../src/db/open.ts';
import { apiKeys, users } from '../../src/db/schema.ts';
import { type Config, parseConfig } from '../../src/settings/config.ts';
import type { ApiKeyScope } from '../../src/vocabulary/contract.ts';
import { SHARED_DATA_DIR, sharedBundler } from './bundler.ts';
import { createClock } from './clock.ts';
import { createDataDir } from './process.ts';
import { createTestDatabase } from './test-database.ts';
import { openTestEvents } from './test-events.ts';

export const JWT_SECRET = 'a secret for tests, of 32 characters or more';
export const PASSWORD = 'Correct-horse-9';
/** At a thousandth of the cost of a real one: what a hash costs is tried by the tests of passwords. */
const CHEAP_HASH = await Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 });

export type RequestOptions = {
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  /** Sent as it is and without a Content-Type, instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** An access token or an API key. */
  token?: string | undefined;
  headers?: Record<string, string>;
};

/** A user with an account. */
export type User = { id: string; email: string; apiKey: string };
/** A user who has logged in. */
export type Person = User & { password: string; token: string; refreshToken: string };

/**
 * The real application on an empty database in memory, or on a server (see test-database), with a
 * clock that stands still until it is moved.
 */
export async function createTestService(settings: Partial<Config> = {}, more: Partial<AppDeps> = {}) {
  const clock = createClock();
  const own = settings.database ? undefined : await createTestDatabase();
  const target = settings.database ?? own?.target ?? { kind: 'memory' };
  const database = await openDatabase(target, 'full');
  const eventsServer = settings.database ? undefined : await openTestEvents();
  // With a server, a service keeps statistics of its own.
  const ownDir = target.kind === 'remote' ? createDataDir() : undefined;
  const dataDir = ownDir?.path ?? SHARED_DATA_DIR;
  const { db } = database;
  const errors: unknown[] = [];
  const service = createApp({
    config: {
      ...parseConfig({ DATABASE_URL: ':memory:', DATA_DIR: dataDir }, '/').config,
      ...settings,
      database: target,
    },
    jwtSecret: JWT_SECRET,
    database,
    eventsServer,
    now: clock.now,
    monotonicMs: clock.monotonicMs,
    onError: (error) => errors.push(error),
    bundler: sharedBundler,
    ...more,
  });
  let people = 0;

  /** @param path all of it */
  async function send(method: string, path: string, options: RequestOptions = {}) {
    const { body, rawBody, token, headers = {} } = options;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const hasBody = body !== undefined || rawBody !== undefined;
    const response = await service.app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(hasBody && { body: rawBody ?? text }),
      }),
    );
    return toAnswer(response);
  }

  /** Creates a user, logged in. */
  async function signUp(email = newEmail()): Promise<Person> {
    const { id, apiKey } = await addUser(undefined, { email, passwordHash: CHEAP_HASH });
    return { ...(await logIn(email)), id, apiKey };
  }

  async function logIn(email: string, password = PASSWORD): Promise<Person> {
    const { body } = await send('POST', '/api/v1/auth/login', { body: { email, password } });
    return toPerson(body, password);
  }

  /** Creates a user without a password, whose API key is shown instead of a token: no test waits for a hash. */
  async function addUser(
    scopes?: ApiKeyScope[],
    { email = newEmail(), passwordHash = '-' } = {},
  ): Promise<User> {
    const id = Bun.randomUUIDv7();
    const createdAtMs = clock.now();
    await db.insert(users).values({ id, email, emailKey: toEmailKey(email), passwordHash, createdAtMs });
    const { row, key } = newApiKey(id, 'Registration', createdAtMs, scopes);
    await db.insert(apiKeys).values(row);
    return { id, email, apiKey: key };
  }

  function newEmail(): string {
    people += 1;
    return `person-${people}@example.com`;
  }

  /** Registers a website. */
  async function addWebsite(token: string, domain = 'https://example.com') {
    const { body } = await send('POST', '/api/v1/websites', { token, body: { name: 'Example', domain } });
    // The contract's answer, whose form tests/websites checks.
    return body as { id: string; trackingCode: string };
  }

  /** Makes an API key, with all scopes unless the input says otherwise. */
  async function addKey(token: string, input: Record<string, unknown> = {}) {
    const { body } = await send('POST', '/api/v1/auth/api-keys', { token, body: { name: 'key', ...input } });
    // As above: tests/accounts checks it.
    return { id: body.apiKey.id as string, key: body.key as string };
  }

  function refresh(refreshToken: string) {
    return send('POST', '/api/v1/auth/refresh', { body: { refreshToken } });
  }

  /** Status of a protected route to a token or an API key. */
  async function statusWith(token: string): Promise<number> {
    return (await send('GET', '/api/v1/auth/me', { token })).status;
  }

  /** Finishes what was accepted, and lets the database go. */
  async function close(): Promise<void> {
    await service.close();
    await eventsServer?.close();
    database.close();
    await own?.remove();
    ownDir?.remove();
  }

  return {
    ...service,
    clock,
    database,
    eventsServer,
    db,
    errors,
    send,
    signUp,
    logIn,
    addUser,
    addWebsite,
    addKey,
    refresh,
    statusWith,
    close,
  };
}

export type TestService = Awaited<ReturnType<typeof createTestService>>;
export type Answer = Awaited<ReturnType<typeof toAnswer>>;

/** For a comparison that leaves the headers out. */
export function statusAndBody({ status, body }: Answer) {
  return { status, body };
}

/** The compared parts of an answer. */
export async function toAnswer(response: Response) {
  const { status, headers } = response;
  const text = await response.text();
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json');
  // Tests compare the whole body with what they expect; what it is, is what they find out.
  return { status, headers, text, body: isJson ? JSON.parse(text) : text };
}

/** Reads the contract's answer to a registration or a login, whose form tests/accounts checks. A login shows no key. */
function toPerson(
  { user, tokens }: { user: Record<string, string>; tokens: Record<string, string> },
  password: string,
): Person {
  const { id = '', email = '', apiKey = '' } = user;
  const { accessToken = '', refreshToken = '' } = tokens;
  return { id, email, apiKey, password, token: accessToken, refreshToken };
}
