import { join } from 'node:path';
import { createApp } from '../../src/app.ts';
import { type Config, parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createNaiveAnalytics } from '../analytics/oracle/naive-analytics.ts';
import { createClock } from './clock.ts';
import { readLog } from './read-log.ts';

export type Answer = { status: number; headers: Headers; body: unknown };
export type RequestOptions = {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  rawBody?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  token?: string;
  headers?: Record<string, string>;
};

/** The bundled files of the pages are all that is written there, the same for every test. */
const DATA_DIR = join(import.meta.dir, '../../node_modules/.cache/pagemeter-tests');
const PASSWORD = 'Correct-horse-9';

/** The real application, by default on a database in memory, with a clock that can be moved. */
export async function createTestService(settings: Partial<Config> = {}) {
  const clock = createClock();
  const database = await openDatabase(settings.database ?? { kind: 'memory' }, 'full');
  const errors: unknown[] = [];
  const service = createApp({
    config: { ...parseConfig({ DATABASE_URL: ':memory:', DATA_DIR }, '/').config, ...settings },
    jwtSecret: 'a secret for tests, of 32 characters or more',
    database,
    analytics: createNaiveAnalytics(() => readLog(database.local)),
    now: clock.now,
    onError: (error) => errors.push(error),
  });
  let people = 0;

  async function send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const { body, rawBody, token, headers = {} } = options;
    const hasBody = body !== undefined || rawBody !== undefined;
    const response = await service.app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(hasBody && { body: rawBody ?? JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** Registers somebody new. */
  async function signUp(address?: string) {
    people += 1;
    const email = address ?? `person-${people}@example.com`;
    const { body } = await send('POST', '/api/v1/auth/register', { body: { email, password: PASSWORD } });
    // The contract's answer to a registration, whose form tests/accounts checks.
    const { user, tokens } = body as {
      user: { id: string; apiKey: string };
      tokens: { accessToken: string; refreshToken: string };
    };
    return { id: user.id, apiKey: user.apiKey, token: tokens.accessToken, email, password: PASSWORD };
  }

  /** Registers a website. */
  async function addWebsite(token: string, domain = 'https://example.com') {
    const { body } = await send('POST', '/api/v1/websites', { token, body: { name: 'Example', domain } });
    // Likewise: tests/websites checks it.
    return body as { id: string; trackingCode: string };
  }

  return { ...service, send, signUp, addWebsite, clock, database, errors };
}

export type TestService = Awaited<ReturnType<typeof createTestService>>;
