import { Elysia } from 'elysia';
import { accountRoutes } from '../../src/accounts/routes.ts';
import { createAccounts } from '../../src/accounts/service.ts';
import type { DatabaseTarget } from '../../src/config.ts';
import { API_PREFIX } from '../../src/contract/vocabulary.ts';
import { isDatabaseRefusal } from '../../src/db/busy.ts';
import { openDatabase } from '../../src/db/open.ts';
import { beforeRoutes } from '../../src/http/before-routes.ts';
import { errorHandler } from '../../src/http/error-handler.ts';
import { createClock } from './clock.ts';

export const JWT_SECRET = 'a secret for tests, of 32 characters or more';
export const PASSWORD = 'Correct-horse-9';

export type RequestOptions = {
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
};

/** The account routes alone, on a database in memory by default, with a clock that stands still until it is moved. */
export async function createAccountApp({
  registration = 'open',
  target = { kind: 'memory' },
}: {
  registration?: 'open' | 'closed';
  target?: DatabaseTarget;
} = {}) {
  const clock = createClock();
  const { db, close } = await openDatabase(target, 'full');
  const errors: unknown[] = [];
  const websitesDeletedOf: string[] = [];
  const accounts = createAccounts({
    db,
    now: clock.now,
    jwtSecret: JWT_SECRET,
    registration,
    deleteWebsitesOf: async (userId) => void websitesDeletedOf.push(userId),
  });
  const routes = () => app.routes;
  const app: Elysia = new Elysia({ normalize: false, handler: { standardHostname: false } });
  app
    .use(errorHandler({ routes, isDatabaseRefusal, onInternalError: (error) => void errors.push(error) }))
    .use(beforeRoutes({ corsOrigins: [], routes }))
    .group(API_PREFIX, (api) => api.use(accountRoutes(accounts)));
  let people = 0;

  /** @param path below /api/v1 */
  async function send(method: string, path: string, { body, token, headers = {} }: RequestOptions = {}) {
    const response = await app.handle(
      new Request(`http://localhost${API_PREFIX}${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    // Tests compare the whole body with what they expect; what it is, is what they find out.
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text || 'null') };
  }

  /** Registers somebody new. */
  async function signUp(email = `person-${++people}@example.com`) {
    const { body } = await send('POST', '/auth/register', { body: { email, password: PASSWORD } });
    return { email, ...toSession(body) };
  }

  async function logIn(email: string, password = PASSWORD) {
    const { body } = await send('POST', '/auth/login', { body: { email, password } });
    return { email, ...toSession(body) };
  }

  async function refresh(refreshToken: string) {
    return send('POST', '/auth/refresh', { body: { refreshToken } });
  }

  /** Whether a token opens a protected route. */
  async function statusWith(token: string): Promise<number> {
    return (await send('GET', '/auth/me', { token })).status;
  }

  return {
    accounts,
    clock,
    close,
    db,
    errors,
    websitesDeletedOf,
    app,
    send,
    signUp,
    logIn,
    refresh,
    statusWith,
  };
}
export type AccountApp = Awaited<ReturnType<typeof createAccountApp>>;

/** The contract's answer to a registration or a login, whose form tests/accounts checks. */
function toSession({ user, tokens }: { user: Record<string, string>; tokens: Record<string, string> }) {
  const { id = '', apiKey = '' } = user;
  const { accessToken = '', refreshToken = '' } = tokens;
  return { id, apiKey, token: accessToken, refreshToken };
}

/** What every 400 of the validation looks like. */
export function invalid(fieldErrors: Record<string, string[]>, formErrors: string[] = []) {
  return {
    status: 400,
    body: {
      error: 'VALIDATION_ERROR',
      message: 'Invalid request data',
      details: { formErrors, fieldErrors },
    },
  };
}

export function refusal(status: number, error: string, message: string) {
  return { status, body: { error, message } };
}

export const NO_CREDENTIALS = refusal(401, 'UNAUTHORIZED', 'Authentication required');
