import { Elysia } from 'elysia';
import { newApiKey } from '../../src/accounts/api-keys.ts';
import { createAccounts } from '../../src/accounts/service.ts';
import { API_PREFIX, type ApiKeyScope } from '../../src/contract/vocabulary.ts';
import { isDatabaseRefusal } from '../../src/db/busy.ts';
import { openDatabase } from '../../src/db/open.ts';
import { apiKeys, users } from '../../src/db/schema.ts';
import { beforeRoutes } from '../../src/http/before-routes.ts';
import { errorHandler } from '../../src/http/error-handler.ts';
import { websiteRoutes } from '../../src/websites/routes.ts';
import { createWebsites } from '../../src/websites/service.ts';
import { createClock } from '../support/clock.ts';

export type Answer = { status: number; headers: Headers; text: string; body: unknown };
export type User = { id: string; key: string };

/** The website routes in front of a database in memory, with a clock that is moved by hand. */
export async function startApi() {
  const database = await openDatabase({ kind: 'memory' }, 'full');
  const { db } = database;
  const clock = createClock();
  const internalErrors: unknown[] = [];
  let cacheMs = 0;
  let deletions = 0;
  const websites = createWebsites({
    db,
    now: clock.now,
    monotonicMs: () => cacheMs,
    onDeleted: () => {
      deletions += 1;
    },
  });
  const accounts = createAccounts({
    db,
    now: clock.now,
    jwtSecret: 'a secret of the tests, long enough',
    registration: 'open',
    deleteWebsitesOf: websites.removeAllOf,
  });
  const routes = () => app.routes;
  const app = new Elysia({ normalize: false, handler: { standardHostname: false } })
    .use(errorHandler({ routes, isDatabaseRefusal, onInternalError: (error) => internalErrors.push(error) }))
    .use(beforeRoutes({ corsOrigins: [], routes }))
    .group(API_PREFIX, (api) => api.use(websiteRoutes({ accounts, websites })));

  let userCount = 0;
  /** An account without a password; it shows an API key, which takes no hashing. */
  async function addUser(scopes?: ApiKeyScope[]): Promise<User> {
    userCount += 1;
    const id = `user-${userCount}`;
    const email = `${id}@example.com`;
    await db
      .insert(users)
      .values({ id, email, emailKey: email, passwordHash: '-', createdAtMs: clock.now() });
    const { row, key } = newApiKey(id, 'test', clock.now(), scopes);
    await db.insert(apiKeys).values(row);
    return { id, key };
  }

  /** @param body a string is sent as it is, anything else as JSON */
  async function send(method: string, path: string, user?: User, body?: unknown): Promise<Answer> {
    const headers = new Headers(user && { authorization: `Bearer ${user.key}` });
    if (body !== undefined) headers.set('content-type', 'application/json');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const request = new Request(`http://localhost${API_PREFIX}${path}`, {
      method,
      headers,
      ...(text !== undefined && { body: text }),
    });
    const response = await app.handle(request);
    const answer = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      body: answer === '' ? undefined : JSON.parse(answer),
    };
  }

  return {
    db,
    clock,
    websites,
    internalErrors,
    addUser,
    send,
    deletions: () => deletions,
    advanceCache: (byMs: number) => {
      cacheMs += byMs;
    },
    close: () => database.close(),
  };
}

export type Api = Awaited<ReturnType<typeof startApi>>;

/** The body of a 400 whose only faults are these. */
export function refused(fieldErrors: Record<string, string[]>, formErrors: string[] = []) {
  return {
    status: 400,
    body: {
      error: 'VALIDATION_ERROR',
      message: 'Invalid request data',
      details: { formErrors, fieldErrors },
    },
  };
}

export const NOT_FOUND = { status: 404, body: { error: 'NOT_FOUND', message: 'Website not found' } };

/** Status and body, for toEqual. */
export function statusAndBody({ status, body }: Answer) {
  return { status, body };
}
