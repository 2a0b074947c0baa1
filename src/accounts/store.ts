import { and, asc, desc, eq, exists, gt, inArray, isNull, lte, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { apiKeys, logins, serverSettings, tokenPairs, users } from '../db/schema.ts';
import type { ApiKeyRow } from './api-key-store.ts';
import { createServerSettings, type Ownership } from './server-settings.ts';

export type UserRow = typeof users.$inferSelect;

/** A login with its first pair of tokens. */
export type NewLogin = {
  id: string;
  userId: string;
  jti: string;
  createdAtMs: number;
  expiresAtMs: number;
  client: string | null;
};
export type LoginRow = typeof logins.$inferSelect;

const LOGINS_LISTED_MAX = 1_000;

/** The SQL of users, logins and token pairs. Each change is one statement or one batch: all or nothing. */
export function createStore(db: Db) {
  const server = createServerSettings(db);
  /** Every request of a login asks this: its SQL is written once, not each time. */
  const selectPair = db
    .select({
      user: { id: users.id, email: users.email, isActive: users.isActive },
      login: { id: logins.id, revokedAtMs: logins.revokedAtMs },
      refreshedAtMs: tokenPairs.refreshedAtMs,
    })
    .from(tokenPairs)
    .innerJoin(logins, eq(logins.id, tokenPairs.loginId))
    .innerJoin(users, eq(users.id, logins.userId))
    .where(eq(tokenPairs.jti, sql.placeholder('jti')))
    .prepare();

  /** A login and its pair, when the condition holds: a statement that finds nothing to insert is not an error. */
  const addLoginIf = (condition: SQL, { id, userId, jti, createdAtMs, expiresAtMs, client }: NewLogin) =>
    [
      db
        .insert(logins)
        .select(
          sql`select ${id}, ${userId}, ${createdAtMs}, ${expiresAtMs}, null, ${client} where ${condition}`,
        ),
      db.insert(tokenPairs).select(sql`select ${jti}, ${id}, null where ${loginExists(id)}`),
    ] as const;

  return {
    async findUserByEmailKey(emailKey: string): Promise<UserRow | undefined> {
      return db.select().from(users).where(eq(users.emailKey, emailKey)).get();
    },

    async findUser(id: string): Promise<UserRow | undefined> {
      return db.select().from(users).where(eq(users.id, id)).get();
    },

    /** In the order of their addresses, after `emailKey`. */
    async listUsers(emailKey: string, limit: number): Promise<UserRow[]> {
      return db
        .select()
        .from(users)
        .where(gt(users.emailKey, emailKey))
        .orderBy(asc(users.emailKey))
        .limit(limit);
    },

    async hasUsers(): Promise<boolean> {
      return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
    },

    /**
     * @param onlyFirst stores nothing when there is a user already
     * @param ownership given when the user may become the owner of the server
     * @returns whether the user was stored
     * @throws SQLITE_CONSTRAINT_UNIQUE when the address is taken
     */
    async addUser(
      user: UserRow,
      key: ApiKeyRow,
      login: NewLogin,
      onlyFirst: boolean,
      ownership?: Ownership,
    ): Promise<boolean> {
      const { id, email, emailKey, passwordHash, name, isActive, createdAtMs } = user;
      const isWanted = onlyFirst ? sql`not exists (select 1 from users)` : sql`true`;
      const [added] = await db.batch([
        db
          .insert(users)
          .select(
            sql`select ${id}, ${email}, ${emailKey}, ${passwordHash}, ${name}, ${Number(isActive)}, ${createdAtMs} where ${isWanted}`,
          ),
        db
          .insert(apiKeys)
          .select(
            sql`select ${key.id}, ${id}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.scopes}, ${key.expiresAtMs}, null, ${key.createdAtMs} where ${userExists(id)}`,
          ),
        ...addLoginIf(userExists(id), login),
        ...(ownership ? server.toOwnerStatements(id, ownership) : []),
      ]);
      return added.rowsAffected === 1;
    },

    /**
     * @returns false when the password was changed, or the account deactivated or deleted, since it was looked at:
     *          such a login would escape the revocation that came with it
     */
    async addLogin(login: NewLogin, passwordHash: string): Promise<boolean> {
      const isUnchanged = sql`exists (select 1 from users
        where id = ${login.userId} and password_hash = ${passwordHash} and is_active)`;
      const [added] = await db.batch(addLoginIf(isUnchanged, login));
      return added.rowsAffected === 1;
    },

    /** The pair of a token with its login and its user. */
    async findPair(jti: string) {
      const found = await selectPair.get({ jti });
      return found;
    },

    /**
     * Marks a pair as used and adds the next one to its login, once.
     *
     * @returns false when the pair was used, or its login revoked, in the meantime; then nothing changed
     */
    async refreshPair(
      { jti, loginId }: { jti: string; loginId: string },
      next: { jti: string; nowMs: number; expiresAtMs: number; forgetBeforeMs: number },
    ): Promise<boolean> {
      const alive = db
        .select({ one: sql`1` })
        .from(logins)
        .where(and(eq(logins.id, loginId), isNull(logins.revokedAtMs)));
      const [used] = await db.batch([
        db
          .update(tokenPairs)
          .set({ refreshedAtMs: next.nowMs })
          .where(and(eq(tokenPairs.jti, jti), isNull(tokenPairs.refreshedAtMs), exists(alive))),
        // changes() is the number of rows that the statement before has changed.
        db.insert(tokenPairs).select(sql`select ${next.jti}, ${loginId}, null where changes() = 1`),
        db
          .update(logins)
          .set({ expiresAtMs: next.expiresAtMs })
          .where(and(eq(logins.id, loginId), sql`changes() = 1`)),
        // Both tokens of a pair used that long ago have expired. The oldest ten: no refresh pays for all the others.
        db.delete(tokenPairs).where(
          sql`rowid in (select rowid from token_pairs where login_id = ${loginId} order by rowid limit 10)
              and refreshed_at_ms <= ${next.forgetBeforeMs}`,
        ),
      ]);
      return used.rowsAffected === 1;
    },

    /** Logins that are neither expired nor revoked, the latest first. */
    async listLogins(userId: string, nowMs: number): Promise<LoginRow[]> {
      return db
        .select()
        .from(logins)
        .where(and(eq(logins.userId, userId), isNull(logins.revokedAtMs), gt(logins.expiresAtMs, nowMs)))
        .orderBy(desc(logins.createdAtMs), desc(logins.id))
        .limit(LOGINS_LISTED_MAX);
    },

    /** @returns whether the user had such a login, and it was not over */
    async revokeOwnLogin(userId: string, id: string, nowMs: number): Promise<boolean> {
      const isAlive = and(isNull(logins.revokedAtMs), gt(logins.expiresAtMs, nowMs));
      const revoked = await db
        .update(logins)
        .set({ revokedAtMs: nowMs })
        .where(and(eq(logins.id, id), eq(logins.userId, userId), isAlive));
      return revoked.rowsAffected === 1;
    },

    async revokeLogin(id: string, nowMs: number): Promise<void> {
      await db
        .update(logins)
        .set({ revokedAtMs: nowMs })
        .where(and(eq(logins.id, id), isNull(logins.revokedAtMs)));
    },

    async revokeLoginsOf(userId: string, nowMs: number, revokeApiKeys: boolean): Promise<void> {
      await db.batch([
        db
          .update(logins)
          .set({ revokedAtMs: nowMs })
          .where(and(eq(logins.userId, userId), isNull(logins.revokedAtMs))),
        ...(revokeApiKeys ? [db.delete(apiKeys).where(eq(apiKeys.userId, userId))] : []),
      ]);
    },

    async setName(userId: string, name: string | null): Promise<void> {
      await db.update(users).set({ name }).where(eq(users.id, userId));
    },

    /**
     * Replaces the password and revokes the user's logins, and API keys if wanted.
     *
     * @param oldHash the hash that was checked; undefined replaces any
     * @returns false when the password has changed since; then nothing is stored
     */
    async setPassword(
      userId: string,
      change: {
        oldHash?: string;
        newHash: string;
        exceptLoginId?: string;
        revokeApiKeys?: boolean;
        nowMs: number;
      },
    ): Promise<boolean> {
      const { oldHash, newHash, exceptLoginId, revokeApiKeys = false, nowMs } = change;
      const isOld = oldHash === undefined ? undefined : eq(users.passwordHash, oldHash);
      const isOther = exceptLoginId === undefined ? undefined : ne(logins.id, exceptLoginId);
      const [replaced] = await db.batch([
        db
          .update(users)
          .set({ passwordHash: newHash })
          .where(and(eq(users.id, userId), isOld)),
        db
          .update(logins)
          .set({ revokedAtMs: nowMs })
          .where(and(eq(logins.userId, userId), isNull(logins.revokedAtMs), isOther, sql`changes() = 1`)),
        ...(revokeApiKeys
          ? [db.delete(apiKeys).where(and(eq(apiKeys.userId, userId), hasPassword(userId, newHash)))]
          : []),
      ]);
      return replaced.rowsAffected === 1;
    },

    async setActive(userId: string, isActive: boolean): Promise<void> {
      await db.update(users).set({ isActive }).where(eq(users.id, userId));
    },

    /** Logins, token pairs and API keys go with it. */
    async removeUser(userId: string): Promise<void> {
      await db.batch([
        db.delete(users).where(eq(users.id, userId)),
        db
          .delete(serverSettings)
          .where(and(eq(serverSettings.name, 'owner'), eq(serverSettings.value, userId))),
      ]);
    },

    /** @returns how many were removed */
    async removeExpiredLogins(nowMs: number, limit: number): Promise<number> {
      const expired = db
        .select({ id: logins.id })
        .from(logins)
        .where(lte(logins.expiresAtMs, nowMs))
        .orderBy(asc(logins.expiresAtMs))
        .limit(limit);
      return (await db.delete(logins).where(inArray(logins.id, expired))).rowsAffected;
    },
  };
}

/** Each hash has a salt of its own, so no other change has made the same one. */
const hasPassword = (id: string, hash: string) =>
  sql`exists (select 1 from users where id = ${id} and password_hash = ${hash})`;
const userExists = (id: string) => sql`exists (select 1 from users where id = ${id})`;
const loginExists = (id: string) => sql`exists (select 1 from logins where id = ${id})`;
