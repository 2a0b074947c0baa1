import { Elysia } from 'elysia';
import { accountRoutes } from '../../src/accounts/routes.ts';
import { type AccountsDeps, createAccounts } from '../../src/accounts/service.ts';
import { API_PREFIX } from '../../src/contract/vocabulary.ts';
import { isDatabaseRefusal } from '../../src/db/busy.ts';
import { openDatabase } from '../../src/db/open.ts';
import { beforeRoutes } from '../../src/http/before-routes.ts';
import { errorHandler } from '../../src/http/error-handler.ts';

export const START_MS = Date.UTC(2026, 0, 15, 12);
export const JWT_SECRET = 'a secret for tests, 32 characters';

/** The account routes on a database in memory, with a clock that stands still until it is moved. */
export async function openAccountApp(overrides: Partial<AccountsDeps> = {}) {
  const { db, close } = await openDatabase({ kind: 'memory' }, 'full');
  const clock = { nowMs: START_MS };
  const internalErrors: unknown[] = [];
  const deletedWebsitesOf: string[] = [];
  const accounts = createAccounts({
    db,
    now: () => clock.nowMs,
    jwtSecret: JWT_SECRET,
    registration: 'open',
    deleteWebsitesOf: async (userId) => void deletedWebsitesOf.push(userId),
    ...overrides,
  });
  const routes = () => app.routes;
  const app: Elysia = new Elysia({ normalize: false });
  app
    .use(
      errorHandler({
        routes,
        isDatabaseRefusal,
        onInternalError: (error) => void internalErrors.push(error),
      }),
    )
    .use(beforeRoutes({ corsOrigins: [], routes }))
    .use(new Elysia({ prefix: API_PREFIX }).use(accountRoutes(accounts)));

  /** @param body sent as JSON; a string is sent as it is */
  async function call(
    method: string,
    path: string,
    { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const response = await app.handle(
      new Request(`http://localhost${API_PREFIX}${path}`, {
        method,
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    );
    const text = await response.text();
    // Tests compare the whole body with what they expect; its type is what they find out.
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text || 'null') };
  }

  return { db, close, app, accounts, clock, internalErrors, deletedWebsitesOf, call };
}
export type AccountApp = Awaited<ReturnType<typeof openAccountApp>>;
