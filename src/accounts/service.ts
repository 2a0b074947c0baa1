import type { Profile, Registered } from '../contract/account.ts';
import type { PasswordInput, RegisterInput } from '../contract/account-input.ts';
import { sqliteExtendedCode } from '../db/busy.ts';
import type { Db } from '../db/open.ts';
import type { PasswordAttempt } from '../limits/password-limit.ts';
import { findCommonFault } from '../vocabulary/common-passwords.ts';
import { validationError } from '../vocabulary/errors.ts';
import { createApiKeyStore } from './api-key-store.ts';
import { type ApiKeys, createApiKeys, newApiKey } from './api-keys.ts';
import { readClaimedKey } from './credential.ts';
import { toEmailKey } from './email-key.ts';
import { createLoginStore } from './login-store.ts';
import { createLogins, newLogin } from './logins.ts';
import { createPasswords } from './passwords.ts';
import { closedError, takenError, unauthorizedError, userNotFoundError } from './refusals.ts';
import { createRegistration } from './registration.ts';
import type { RegistrationRule } from './server-settings.ts';
import { createTokens } from './tokens.ts';
import { type Admission, createUserStore, type UserRow } from './user-store.ts';
import { toProfile, toUser } from './wire.ts';

/** Sender of a registration. `isDirect`: a program on the server's own machine; `network`: as limits name it. */
type Registrant = { userAgent?: string | null; isDirect?: boolean; network?: string | undefined };

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
  /** Summarises a User-Agent in a few words; undefined if it names neither browser nor system. */
  describeClient: (userAgent: string | null) => string | undefined;
  /** Deletes the websites of an account that is about to be deleted, with their data. */
  deleteWebsitesOf: (userId: string) => Promise<void>;
  /** Decides how an invitation admits a new account. @throws AppError NOT_FOUND, FORBIDDEN */
  admitInvited: (token: string, user: { id: string; email: string }) => Promise<Admission>;
  /** Brings what was committed onto the disk, where commits do not wait for it. */
  syncLog?: (() => Promise<unknown>) | undefined;
};

export type Accounts = ReturnType<typeof createAccounts>;

/** The rules of accounts. Knows no HTTP context but the headers that carry credentials. */
export function createAccounts(deps: AccountsDeps) {
  const { db, now, jwtSecret, setupCode, describeClient, deleteWebsitesOf, syncLog } = deps;
  const users = createUserStore(db);
  const registration = createRegistration({
    db,
    hasUsers: users.hasAny,
    fixedRule: deps.registration,
    setupCode,
    isCodeForAll: deps.isCodeForAll ?? true,
  });
  const passwords = createPasswords();
  const tokens = createTokens(jwtSecret, now);
  const apiKeys: ApiKeys = createApiKeys(createApiKeyStore(db), now);
  const logins = createLogins({
    store: createLoginStore(db),
    users,
    passwords,
    tokens,
    apiKeys,
    now,
    describeClient,
  });

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
    const user = await users.find(userId);
    if (!user) throw userNotFoundError();
    if (!(await passwords.verify(password, user.passwordHash, attempt))) throw unauthorizedError(refusal);
    return user;
  }

  return {
    ...logins,
    apiKeys,
    registration,

    /** Checks in the contract's order (4.1); a closed registration reveals nothing about addresses. */
    async register(
      input: RegisterInput,
      { userAgent = null, isDirect = false, network }: Registrant = {},
    ): Promise<Registered> {
      const { email, password, name } = input;
      requireUncommon('password', password);
      const id = Bun.randomUUIDv7();
      const admission =
        input.invitation === undefined ? undefined : await deps.admitInvited(input.invitation, { id, email });
      const { isClosed, ownership } = admission
        ? { isClosed: false, ownership: undefined }
        : await registration.admit(input, isDirect);
      const emailKey = toEmailKey(email);
      if (await users.findByEmailKey(emailKey)) throw takenError();
      const passwordHash = await passwords.hash(password, { isRegistration: true, network });
      const nowMs = now();
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
      const more = { ownership, admission };
      if (!(await users.add(user, row, login, isClosed, more).catch(rethrowTaken))) throw closedError();
      await admission?.finish();
      return { user: { ...toUser(user), apiKey: key }, tokens: pair };
    },

    /**
     * The sender of events, if the request carries an API key; a login token counts as nothing here.
     *
     * @throws AppError 401 when the key is unknown or has expired, 403 without the scope `events`
     */
    async findEventSender(request: Request): Promise<{ userId: string } | undefined> {
      const key = readClaimedKey(request.headers);
      return key === undefined ? undefined : apiKeys.identifyEventSender(key);
    },

    async profile(userId: string): Promise<Profile> {
      const user = await users.find(userId);
      if (!user) throw userNotFoundError();
      return toProfile(user);
    },

    async rename(userId: string, name: string | null): Promise<Profile> {
      await users.setName(userId, name);
      return this.profile(userId);
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
      if (!(await users.setPassword(userId, change))) throw unauthorizedError(WRONG_CURRENT);
    },

    /** Deletes the websites first: a crash in between leaves an account that can be deleted again. */
    async deleteAccount(userId: string, password: string, attempt: PasswordAttempt): Promise<void> {
      await checkedUser(userId, password, attempt, 'Password is incorrect');
      await deleteWebsitesOf(userId);
      await users.remove(userId);
      await syncLog?.(); // erased data must not return after a power failure
    },
  };
}

const WRONG_CURRENT = 'Current password is incorrect';

function rethrowTaken(error: unknown): never {
  throw sqliteExtendedCode(error) === 'SQLITE_CONSTRAINT_UNIQUE' ? takenError() : error;
}
