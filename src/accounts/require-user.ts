import { Elysia } from 'elysia';
import type { ApiKeyScope } from '../vocabulary/contract.ts';
import { AppError } from '../vocabulary/errors.ts';
import { requireScope } from './api-keys.ts';
import type { Caller } from './caller.ts';
import { readCredential } from './credential.ts';
import { unauthorizedError, unknownKeyError, userNotFoundError } from './refusals.ts';
import type { Accounts } from './service.ts';

export type { Caller } from './caller.ts';

type Options = {
  /** Scope that an API key needs; by default `read` for GET and HEAD, `write` for every other method. */
  scope?: ApiKeyScope;
  /** Error for the token of a deleted account: 401, but 404 on /auth/me. */
  deletedAccount?: 'UNAUTHORIZED' | 'NOT_FOUND';
};

export const AUTHENTICATION_REQUIRED = 'Authentication required';

/**
 * Gives the routes of the controller that uses it, from that line on, their `caller`. A derived value is made before
 * validation, so that 401 comes before 404 and 400. Accepts `Authorization: Bearer` with an access token or an
 * API key, and `X-API-Key`.
 *
 * @param sentence the message of the 401
 * @throws (in requests) AppError 401, 403 for an inactive account or a missing scope
 */
export function requireUser(accounts: Accounts, sentence = AUTHENTICATION_REQUIRED, options: Options = {}) {
  return new Elysia().derive({ as: 'scoped' }, async function deriveCaller({ request }) {
    return { caller: await identifyCaller(accounts, request, sentence, options) };
  });
}

/** Identifies the caller of one request, for routes that decide themselves who may call them. */
export async function identifyCaller(
  accounts: Accounts,
  request: Request,
  sentence = AUTHENTICATION_REQUIRED,
  options: Options = {},
): Promise<Caller> {
  const caller = await identify(accounts, request, sentence, options);
  requireScope(caller, options.scope ?? scopeOf(request.method));
  return caller;
}

/** Like requireUser, but refuses API keys: a key that leaked must not change passwords, keys or the account. */
export function requireLogin(accounts: Accounts, sentence = AUTHENTICATION_REQUIRED, options: Options = {}) {
  return new Elysia().derive({ as: 'scoped' }, async function deriveLogin({ request }) {
    return identifyLogin(accounts, request, sentence, options);
  });
}

/** Identifies the caller of one request, who must have logged in. */
export async function identifyLogin(
  accounts: Accounts,
  request: Request,
  sentence = AUTHENTICATION_REQUIRED,
  options: Options = {},
): Promise<{ caller: Caller; loginId: string }> {
  const caller = await identify(accounts, request, sentence, options);
  if (caller.credential.kind === 'key')
    throw new AppError('FORBIDDEN', 'An API key may not do this; log in with the password');
  return { caller, loginId: caller.credential.loginId };
}

async function identify(
  accounts: Accounts,
  request: Request,
  sentence: string,
  options: Options,
): Promise<Caller> {
  const credential = readCredential(request.headers);
  const caller = await accounts.identify(credential);
  if (caller === 'deleted' && options.deletedAccount === 'NOT_FOUND') throw userNotFoundError();
  if (!caller && credential?.kind === 'key') throw unknownKeyError();
  if (caller === 'deleted' || caller === undefined) throw unauthorizedError(sentence);
  return caller;
}

function scopeOf(method: string): ApiKeyScope {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
