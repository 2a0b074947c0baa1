import { type SQL, sql } from 'drizzle-orm';
import type { AuditAction } from '../vocabulary/access.ts';
import type { Db } from './open.ts';
import { auditEntries } from './schema.ts';

/** An entry of the audit log of an account. `actorId` null: the server itself. */
export type AuditEntry = {
  accountId: string;
  atMs: number;
  actorId: string | null;
  action: AuditAction;
  websiteId?: string | null;
  subject: string;
  details?: Record<string, unknown>;
};

/**
 * Returns the statement that adds an entry, for the batch of the change that it records. `changes() = 1` as the condition,
 * directly after the change, records only what happened.
 */
export function toAuditStatement(db: Db, entry: AuditEntry, condition: SQL = sql`true`) {
  const { accountId, atMs, actorId, action, websiteId = null, subject, details = {} } = entry;
  const actor = sql`(select email from users where id = ${actorId})`;
  return db
    .insert(auditEntries)
    .select(
      sql`select null, ${accountId}, ${atMs}, ${actorId}, ${actor}, ${action}, ${websiteId}, ${subject}, ${JSON.stringify(details)} where ${condition}`,
    );
}
