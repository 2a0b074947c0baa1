import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { CHANGED, toAuditStatement } from '../db/audit.ts';
import type { Db } from '../db/open.ts';
import { apiKeys, users } from '../db/schema.ts';

export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** The SQL of API keys. */
export function createApiKeyStore(db: Db) {
  /** Every request with a key asks this: its SQL is written once, not each time. */
  const selectByHash = db
    .select({ key: apiKeys, user: { id: users.id, email: users.email, isActive: users.isActive } })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(eq(apiKeys.hash, sql.placeholder('hash')))
    .prepare();

  return {
    async list(userId: string, limit: number): Promise<ApiKeyRow[]> {
      return db
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.userId, userId))
        .orderBy(asc(apiKeys.createdAtMs), asc(apiKeys.id))
        .limit(limit);
    },

    /** @returns false when the user has `countMax` keys already, or is gone; then nothing is stored */
    async add(key: ApiKeyRow, countMax: number, nowMs: number): Promise<boolean> {
      const { id, userId, name, prefix, hash, scopes, expiresAtMs, createdAtMs } = key;
      const adding = db.insert(apiKeys).select(
        sql`select ${id}, ${userId}, ${name}, ${prefix}, ${hash}, ${scopes}, ${expiresAtMs}, null, ${createdAtMs}
            where exists (select 1 from users where id = ${userId})
              and (select count(*) from api_keys where user_id = ${userId}) < ${countMax}`,
      );
      const details = { prefix, scopes: scopes.split(' ') };
      const entry = { accountId: userId, actorId: userId, atMs: nowMs, subject: name, details };
      const [added] = await db.batch([
        adding,
        toAuditStatement(db, { ...entry, action: 'key.created' }, CHANGED),
      ]);
      return added.rowsAffected === 1;
    },

    /** @returns false when the user has no such key */
    async remove(userId: string, id: string, nowMs: number): Promise<boolean> {
      const isOwn = and(eq(apiKeys.id, id), eq(apiKeys.userId, userId));
      const [found] = await db
        .select({ name: apiKeys.name, prefix: apiKeys.prefix })
        .from(apiKeys)
        .where(isOwn);
      if (!found) return false;
      const { name, prefix } = found;
      const entry = { accountId: userId, actorId: userId, atMs: nowMs, subject: name, details: { prefix } };
      const [removed] = await db.batch([
        db.delete(apiKeys).where(isOwn),
        toAuditStatement(db, { ...entry, action: 'key.deleted' }, CHANGED),
      ]);
      return removed.rowsAffected === 1;
    },

    async findByHash(hash: string) {
      const found = await selectByHash.get({ hash });
      return found;
    },

    /** Notes the use of a key, unless it was noted after `unlessSinceMs`. */
    async noteUse(id: string, nowMs: number, unlessSinceMs: number): Promise<void> {
      const isDue = or(isNull(apiKeys.lastUsedAtMs), lte(apiKeys.lastUsedAtMs, unlessSinceMs));
      await db
        .update(apiKeys)
        .set({ lastUsedAtMs: nowMs })
        .where(and(eq(apiKeys.id, id), isDue));
    },
  };
}
export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;
