import { and, asc, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Db } from '../db/open.ts';
import { apiKeys, logins, serverSettings, users } from '../db/schema.ts';
import type { ApiKeyRow } from './api-key-store.ts';
import { addLoginIf, type NewLogin } from './login-store.ts';
import { createServerSettings, type Ownership } from './server-settings.ts';

export type UserRow = typeof users.$inferSelect;

/** How an invitation admits a new account, whatever the rule of registration. */
export type Admission = {
  /** Whether the invitation can still be accepted. */
  isWanted: SQL;
  /** Statements that accept it, after the insert of the user in its batch. */
  statements: readonly BatchItem<'sqlite'>[];
  /** Called with the account in place. */
  finish(): Promise<void>;
};

/** The SQL of users. Each change is one statement or one batch: all or nothing. */
export function createUserStore(db: Db) {
  const server = createServerSettings(db);

  return {
    async findByEmailKey(emailKey: string): Promise<UserRow | undefined> {
      return db.select().from(users).where(eq(users.emailKey, emailKey)).get();
    },

    async find(id: string): Promise<UserRow | undefined> {
      return db.select().from(users).where(eq(users.id, id)).get();
    },

    /** In the order of their addresses, after `emailKey`. */
    async list(emailKey: string, limit: number): Promise<UserRow[]> {
      return db
        .select()
        .from(users)
        .where(gt(users.emailKey, emailKey))
        .orderBy(asc(users.emailKey))
        .limit(limit);
    },

    async hasAny(): Promise<boolean> {
      return (await db.select({ id: users.id }).from(users).limit(1)).length > 0;
    },

    /**
     * @param onlyFirst stores nothing when there is a user already
     * @param more `ownership` where the user may become the owner of the server, `admission` where they were invited
     * @returns whether the user was stored
     * @throws SQLITE_CONSTRAINT_UNIQUE when the address is taken
     */
    async add(
      user: UserRow,
      key: ApiKeyRow,
      login: NewLogin,
      onlyFirst: boolean,
      { ownership, admission }: { ownership?: Ownership | undefined; admission?: Admission | undefined } = {},
    ): Promise<boolean> {
      const { id, email, emailKey, passwordHash, name, isActive, createdAtMs } = user;
      const isFree = onlyFirst ? sql`not exists (select 1 from users)` : sql`true`;
      const isWanted = admission?.isWanted ?? isFree;
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
        ...addLoginIf(db, userExists(id), login),
        ...(ownership ? server.toOwnerStatements(id, ownership) : []),
        ...(admission?.statements ?? []),
      ]);
      return added.rowsAffected === 1;
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
    async remove(userId: string): Promise<void> {
      await db.batch([
        db.delete(users).where(eq(users.id, userId)),
        db
          .delete(serverSettings)
          .where(and(eq(serverSettings.name, 'owner'), eq(serverSettings.value, userId))),
      ]);
    },
  };
}

/** Each hash has a salt of its own, so no other change has made the same one. */
const hasPassword = (id: string, hash: string) =>
  sql`exists (select 1 from users where id = ${id} and password_hash = ${hash})`;
const userExists = (id: string) => sql`exists (select 1 from users where id = ${id})`;
