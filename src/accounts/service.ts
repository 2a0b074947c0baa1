import type { LoggedIn, Profile, Registered, SessionList, TokenPair } from '../contract/account.ts';
import type { LoginInput, PasswordInput, RegisterInput } from '../contract/account-input.ts';
import { sqliteExtendedCode } from '../db/busy.ts';
import type { Db } from '../db/open.ts';
import type { PasswordAttempt } from '../limits/password-limit.ts';
import { findCommonFault } from '../vocabulary/common-passwords.ts';
import { EMAIL_LENGTH_MAX, TOKEN_LIFETIME_S } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import { createApiKeyStore } from './api-key-store.ts';
import { type ApiKeys, createApiKeys, newApiKey } from './api-keys.ts';
import type { Caller } from './caller.ts';
import { type Credential, readClaimedKey } from './credential.ts';
import { toEmailKey } from './email-key.ts';
import { createPasswords } from './passwords.ts';
import { closedError, inactiveError, takenError, unauthorizedError, userNotFoundError } from './refusals.ts';
import { createRegistration } from './registration.ts';
import type { RegistrationRule } from './server-settings.ts';
import { createStore, type NewLogin, type UserRow } from './store.ts';
import { createTokens } from './tokens.ts';
import { toProfile, toSession, toUser } from './wire.ts';

/** Sender of a registration. `isDirect`: a program on the server's own machine; `network`: as limits name it. */
type Registrant = { userAgent?: string | null; isDirect?: boolean; network?: string | undefined };

const TOKEN_LIFETIME_MS = TOKEN_LIFETIME_S * 1000;

type AccountsDeps = {
  db: Db;
  /** Milliseconds since the epoch. */
  now: () => number;
  jwtSecret: string;
  /** Undefined: what the owner of the server has decided, open until then. */
  registration: RegistrationRule | undefined;
  /** Whether passwords that are common are refused: the contract knows no such rule (D51). */
  commonPasswords: 'accept' | 'refuse';
  /** Proves that the caller runs the server. Undefined: it is never asked. */
  setupCode?: string | undefined;
  /** Whether direct requests need the code, too. */
  isCodeForAll?: boolean;
  /** Summarises a User-Agent in a few words; undefined if it says nothing. */
  describeClient: (userAgent: string | null) => string | undefined;
  /** Deletes the websites of an account that is about to be deleted, with their data. */
  deleteWebsitesOf: (userId: string) => Promise<void>;
  /** Brings what was committed onto the disk, where commits do not wait for it. */
  syncLog?: (() => Promise<unknown>) | undefined;
};

export type Accounts = ReturnType<typeof createAccounts>;

/** The rules of accounts. Knows no HTTP context but the headers that carry credentials. */
export function createAccounts(deps: AccountsDeps) {
  const { db, now, jwtSecret, setupCode, describeClient, deleteWebsitesOf, syncLog } = deps;
  const store = createStore(db);
  const registration = createRegistration({
    db,
    hasUsers: store.hasUsers,
    fixedRule: deps.registration,
    setupCode,
    isCodeForAll: deps.isCodeForAll ?? true,
  });
  const passwords = createPasswords();
  const tokens = createTokens(jwtSecret, now);
  const apiKeys: ApiKeys = createApiKeys(createApiKeyStore(db), now);

  function requireUncommon(field: string, password: string): void {
    const fault = deps.commonPasswords === 'refuse' ? findCommonFault(password) : undefined;
    if (fault) throw validationError('Invalid request data', { [field]: [fault] });
  }

  async function checkedUser(
    userId: string,
    password: string,
    attempt: PasswordAttempt,
    refusal: string,
  ): Promise<UserRow> {
    const user = await store.findUser(userId);
    if (!user) throw userNotFoundError();
    if (!(await passwords.verify(password, user.passwordHash, attempt))) throw unauthorizedError(refusal);
    return user;
  }

  return {
    apiKeys,
    registration,

    /** Checks in the contract's order (4.1); a closed registration reveals nothing about addresses. */
    async register(
      input: RegisterInput,
      { userAgent = null, isDirect = false, network }: Registrant = {},
    ): Promise<Registered> {
      const { email, password, name } = input;
      requireUncommon('password', password);
      const { isClosed, ownership } = await registration.admit(input, isDirect);
      const emailKey = toEmailKey(email);
      if (await store.findUserByEmailKey(emailKey)) throw takenError();
      const passwordHash = await passwords.hash(password, { isRegistration: true, network });
      const nowMs = now();
      const id = Bun.randomUUIDv7();
      const user = {
        id,
        email,
        emailKey,
        passwordHash,
        name: name ?? null,
        isActive: true,
        createdAtMs: nowMs,
      };
      const { row, key } = newApiKey(id, 'Registration', nowMs);
      const login = newLogin(id, nowMs, describeClient(userAgent));
      const pair = await tokens.issue(user, login.jti);
      // Another registration may have been faster: the insert decides, not the checks before it.
      if (!(await store.addUser(user, row, login, isClosed, ownership).catch(rethrowTaken)))
        throw closedError();
      return { user: { ...toUser(user), apiKey: key }, tokens: pair };
    },

    async login(
      { email, password }: LoginInput,
      attempt: PasswordAttempt,
      userAgent: string | null = null,
    ): Promise<LoggedIn> {
      const isPossible = email.length <= EMAIL_LENGTH_MAX;
      const user = isPossible ? await store.findUserByEmailKey(toEmailKey(email)) : undefined;
      if (!(await passwords.verify(password, user?.passwordHash, attempt)) || !user)
        throw unauthorizedError(WRONG_LOGIN);
      if (!user.isActive) throw inactiveError();
      const login = newLogin(user.id, now(), describeClient(userAgent));
      const pair = await tokens.issue(user, login.jti);
      if (!(await store.addLogin(login, user.passwordHash))) throw unauthorizedError(WRONG_LOGIN);
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
      await store.revokeLogin(found.login.id, nowMs);
      throw unauthorizedError(WRONG_REFRESH);
    },

    /**
     * Identifies the presenter of a credential; undefined when it is missing, malformed, expired or revoked.
     *
     * @returns 'deleted' for the genuine token of an account that is gone
     * @throws AppError 403 when the account is inactive
     */
    async identify(credential: Credential | undefined): Promise<Caller | 'deleted' | undefined> {
      if (credential === undefined) return undefined;
      if (credential.kind === 'key') return apiKeys.identify(credential.key);
      const claims = await tokens.readAccess(credential.token);
      if (!claims) return undefined;
      const { userId, email, jti } = claims;
      const found = await store.findPair(jti);
      if (!found) return (await store.findUser(userId)) ? undefined : 'deleted';
      if (found.user.id !== userId || found.login.revokedAtMs !== null) return undefined;
      if (!found.user.isActive) throw inactiveError();
      return { userId, email, credential: { kind: 'login', loginId: found.login.id, jti } };
    },

    /**
     * The sender of events, when the request carries an API key; a login token counts as nothing here.
     *
     * @throws AppError 401 when the key is unknown or has expired, 403 without the scope `events`
     */
    async findEventSender(request: Request): Promise<{ userId: string } | undefined> {
      const key = readClaimedKey(request.headers);
      return key === undefined ? undefined : apiKeys.identifyEventSender(key);
    },

    async profile(userId: string): Promise<Profile> {
      const user = await store.findUser(userId);
      if (!user) throw userNotFoundError();
      return toProfile(user);
    },

    async rename(userId: string, name: string | null): Promise<Profile> {
      await store.setName(userId, name);
      return this.profile(userId);
    },

    async logout(loginId: string): Promise<void> {
      await store.revokeLogin(loginId, now());
    },

    /** The logins that still open something, the latest first. */
    async listSessions(userId: string, currentId: string): Promise<SessionList> {
      const rows = await store.listLogins(userId, now());
      return { sessions: rows.map((row) => toSession(row, currentId)), total: rows.length };
    },

    /** @throws AppError NOT_FOUND, the same for an unknown one, one that is over and another user's */
    async endSession(userId: string, id: string): Promise<void> {
      if (!(await store.revokeOwnLogin(userId, id, now())))
        throw new AppError('NOT_FOUND', 'Session not found');
    },

    async logoutAll(userId: string, revokeApiKeys = false): Promise<void> {
      await store.revokeLoginsOf(userId, now(), revokeApiKeys);
    },

    /** Every other login of the user ends; API keys only when that is asked for. */
    async changePassword(
      userId: string,
      loginId: string,
      { currentPassword, newPassword, revokeApiKeys = false }: PasswordInput,
      attempt: PasswordAttempt,
    ): Promise<void> {
      requireUncommon('newPassword', newPassword);
      const { passwordHash: oldHash } = await checkedUser(userId, currentPassword, attempt, WRONG_CURRENT);
      const newHash = await passwords.hash(newPassword, attempt);
      const change = { oldHash, newHash, exceptLoginId: loginId, revokeApiKeys, nowMs: now() };
      if (!(await store.setPassword(userId, change))) throw unauthorizedError(WRONG_CURRENT);
    },

    /** Deletes the websites first: a crash in between leaves an account that can be deleted again. */
    async deleteAccount(userId: string, password: string, attempt: PasswordAttempt): Promise<void> {
      await checkedUser(userId, password, attempt, 'Password is incorrect');
      await deleteWebsitesOf(userId);
      await store.removeUser(userId);
      await syncLog?.(); // erased data must not return after a power failure
    },

    /**
     * Removes logins that have expired, with their token pairs, `limit` at a time and with a pause for others between.
     *
     * @returns how many were removed
     */
    async removeExpired(limit: number): Promise<number> {
      const nowMs = now();
      for (let total = 0; ; await Bun.sleep(0)) {
        const removed = await store.removeExpiredLogins(nowMs, limit);
        total += removed;
        if (removed < limit) return total;
      }
    },
  };
}

const WRONG_LOGIN = 'Invalid email or password';
const WRONG_REFRESH = 'Invalid refresh token';
const WRONG_CURRENT = 'Current password is incorrect';

function rethrowTaken(error: unknown): never {
  throw sqliteExtendedCode(error) === 'SQLITE_CONSTRAINT_UNIQUE' ? takenError() : error;
}

function newLogin(userId: string, nowMs: number, client?: string): NewLogin {
  return {
    id: Bun.randomUUIDv7(),
    userId,
    jti: crypto.randomUUID(),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + TOKEN_LIFETIME_MS,
    client: client ?? null,
  };
}
