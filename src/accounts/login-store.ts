import { and, asc, desc, eq, exists, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { apiKeys, logins, tokenPairs, users } from '../db/schema.ts';

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

/** The SQL of logins and their token pairs. Each change is one statement or one batch: all or nothing. */
export function createLoginStore(db: Db) {
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

  return {
    /**
     * @returns false when the password was changed, or the account deactivated or deleted, since it was looked at:
     *          such a login would escape the revocation that came with it
     */
    async add(login: NewLogin, passwordHash: string): Promise<boolean> {
      const isUnchanged = sql`exists (select 1 from users
        where id = ${login.userId} and password_hash = ${passwordHash} and is_active)`;
      const [added] = await db.batch(addLoginIf(db, isUnchanged, login));
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
    async list(userId: string, nowMs: number): Promise<LoginRow[]> {
      return db
        .select()
        .from(logins)
        .where(and(eq(logins.userId, userId), isNull(logins.revokedAtMs), gt(logins.expiresAtMs, nowMs)))
        .orderBy(desc(logins.createdAtMs), desc(logins.id))
        .limit(LOGINS_LISTED_MAX);
    },

    /** @returns whether the user had such a login, and it was not over */
    async revokeOwn(userId: string, id: string, nowMs: number): Promise<boolean> {
      const isAlive = and(isNull(logins.revokedAtMs), gt(logins.expiresAtMs, nowMs));
      const revoked = await db
        .update(logins)
        .set({ revokedAtMs: nowMs })
        .where(and(eq(logins.id, id), eq(logins.userId, userId), isAlive));
      return revoked.rowsAffected === 1;
    },

    async revoke(id: string, nowMs: number): Promise<void> {
      await db
        .update(logins)
        .set({ revokedAtMs: nowMs })
        .where(and(eq(logins.id, id), isNull(logins.revokedAtMs)));
    },

    async revokeAll(userId: string, nowMs: number, revokeApiKeys: boolean): Promise<void> {
      await db.batch([
        db
          .update(logins)
          .set({ revokedAtMs: nowMs })
          .where(and(eq(logins.userId, userId), isNull(logins.revokedAtMs))),
        ...(revokeApiKeys ? [db.delete(apiKeys).where(eq(apiKeys.userId, userId))] : []),
      ]);
    },

    /** @returns how many were removed */
    async removeExpired(nowMs: number, limit: number): Promise<number> {
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

/** Inserts a login and its pair if the condition holds; otherwise the statements insert nothing and do not fail. */
export function addLoginIf(
  db: Db,
  condition: SQL,
  { id, userId, jti, createdAtMs, expiresAtMs, client }: NewLogin,
) {
  const loginExists = sql`exists (select 1 from logins where id = ${id})`;
  return [
    db
      .insert(logins)
      .select(
        sql`select ${id}, ${userId}, ${createdAtMs}, ${expiresAtMs}, null, ${client} where ${condition}`,
      ),
    db.insert(tokenPairs).select(sql`select ${jti}, ${id}, null where ${loginExists}`),
  ] as const;
}
