import type { LoggedIn, SessionList, TokenPair } from '../contract/account.ts';
import type { LoginInput } from '../contract/account-input.ts';
import type { PasswordAttempt } from '../limits/password-limit.ts';
import { EMAIL_LENGTH_MAX, TOKEN_LIFETIME_S } from '../vocabulary/contract.ts';
import { AppError } from '../vocabulary/errors.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Caller } from './caller.ts';
import type { Credential } from './credential.ts';
import { toEmailKey } from './email-key.ts';
import type { createLoginStore, NewLogin } from './login-store.ts';
import type { Passwords } from './passwords.ts';
import { inactiveError, unauthorizedError } from './refusals.ts';
import type { Tokens } from './tokens.ts';
import type { createUserStore } from './user-store.ts';
import { toSession, toUser } from './wire.ts';

const TOKEN_LIFETIME_MS = TOKEN_LIFETIME_S * 1000;
const WRONG_LOGIN = 'Invalid email or password';
const WRONG_REFRESH = 'Invalid refresh token';

type LoginsDeps = {
  store: ReturnType<typeof createLoginStore>;
  users: ReturnType<typeof createUserStore>;
  passwords: Passwords;
  tokens: Tokens;
  apiKeys: Pick<ApiKeys, 'identify'>;
  now: () => number;
  /** Summarises a User-Agent in a few words; undefined if it names neither browser nor system. */
  describeClient: (userAgent: string | null) => string | undefined;
};

/** The rules of logins and their tokens: how they begin, renew, identify a caller and end. */
export function createLogins({ store, users, passwords, tokens, apiKeys, now, describeClient }: LoginsDeps) {
  return {
    async login(
      { email, password }: LoginInput,
      attempt: PasswordAttempt,
      userAgent: string | null = null,
    ): Promise<LoggedIn> {
      const isPossible = email.length <= EMAIL_LENGTH_MAX;
      const user = isPossible ? await users.findByEmailKey(toEmailKey(email)) : undefined;
      if (!(await passwords.verify(password, user?.passwordHash, attempt)) || !user)
        throw unauthorizedError(WRONG_LOGIN);
      if (!user.isActive) throw inactiveError();
      const login = newLogin(user.id, now(), describeClient(userAgent));
      const pair = await tokens.issue(user, login.jti);
      if (!(await store.add(login, user.passwordHash))) throw unauthorizedError(WRONG_LOGIN);
      return { user: toUser(user), tokens: pair };
    },

    /** Exchanges a refresh token. It works once; a second use means that it was stolen, and ends the login. */
    async refresh(refreshToken: string): Promise<TokenPair> {
      const claims = await tokens.readRefresh(refreshToken);
      const found = claims && (await store.findPair(claims.jti));
      if (!found || found.user.id !== claims.userId || found.login.revokedAtMs !== null)
        throw unauthorizedError(WRONG_REFRESH);
      const nowMs = now();
      if (found.refreshedAtMs === null && !found.user.isActive) throw inactiveError();
      const next = newLogin(found.user.id, nowMs);
      const pair = await tokens.issue(found.user, next.jti);
      const isFirstUse = await store.refreshPair(
        { jti: claims.jti, loginId: found.login.id },
        { jti: next.jti, nowMs, expiresAtMs: next.expiresAtMs, forgetBeforeMs: nowMs - TOKEN_LIFETIME_MS },
      );
      if (isFirstUse) return pair;
      await store.revoke(found.login.id, nowMs);
      throw unauthorizedError(WRONG_REFRESH);
    },

    /**
     * Identifies the presenter of a credential; undefined when it is missing, malformed, expired or revoked.
     *
     * @returns 'deleted' for a valid token of a deleted account
     * @throws AppError 403 when the account is inactive
     */
    async identify(credential: Credential | undefined): Promise<Caller | 'deleted' | undefined> {
      if (credential === undefined) return undefined;
      if (credential.kind === 'key') return apiKeys.identify(credential.key);
      const claims = await tokens.readAccess(credential.token);
      if (!claims) return undefined;
      const { userId, email, jti } = claims;
      const found = await store.findPair(jti);
      if (!found) return (await users.find(userId)) ? undefined : 'deleted';
      if (found.user.id !== userId || found.login.revokedAtMs !== null) return undefined;
      if (!found.user.isActive) throw inactiveError();
      return { userId, email, credential: { kind: 'login', loginId: found.login.id, jti } };
    },

    async logout(loginId: string): Promise<void> {
      await store.revoke(loginId, now());
    },

    /** The logins that still open something, the latest first. */
    async listSessions(userId: string, currentId: string): Promise<SessionList> {
      const rows = await store.list(userId, now());
      return { sessions: rows.map((row) => toSession(row, currentId)), total: rows.length };
    },

    /** @throws AppError NOT_FOUND, the same for an unknown one, one that is over and another user's */
    async endSession(userId: string, id: string): Promise<void> {
      if (!(await store.revokeOwn(userId, id, now()))) throw new AppError('NOT_FOUND', 'Session not found');
    },

    async logoutAll(userId: string, revokeApiKeys = false): Promise<void> {
      await store.revokeAll(userId, now(), revokeApiKeys);
    },

    /**
     * Removes logins that have expired, with their token pairs, `limit` at a time and with a pause for others between.
     *
     * @returns how many were removed
     */
    async removeExpired(limit: number): Promise<number> {
      const nowMs = now();
      for (let total = 0; ; await Bun.sleep(0)) {
        const removed = await store.removeExpired(nowMs, limit);
        total += removed;
        if (removed < limit) return total;
      }
    },
  };
}

export function newLogin(userId: string, nowMs: number, client?: string): NewLogin {
  return {
    id: Bun.randomUUIDv7(),
    userId,
    jti: crypto.randomUUID(),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + TOKEN_LIFETIME_MS,
    client: client ?? null,
  };
}
