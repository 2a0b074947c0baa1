import { eq, type SQL, sql } from 'drizzle-orm';
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

/** The statement directly before, in the same batch, changed one row. */
export const CHANGED = sql`changes() = 1`;

/**
 * Records a change of another store, which no transaction can span: the entry is written first, and withdrawn when the
 * change is refused, so that no change is without its entry.
 *
 * @param isDone whether the change changed anything
 */
export async function recordAround<Result>(
  db: Db,
  entry: AuditEntry,
  change: () => Promise<Result>,
  isDone: (result: Result) => boolean,
): Promise<Result> {
  const { lastInsertRowid } = await toAuditStatement(db, entry);
  const result = await change();
  if (!isDone(result)) await db.delete(auditEntries).where(eq(auditEntries.key, Number(lastInsertRowid)));
  return result;
}

/** Returns which values of a record changed, before and after. Undefined is not a change. */
export function toDifference<Row extends object>(
  before: Row,
  changes: { [Name in keyof Row]?: Row[Name] | undefined },
): Record<'from' | 'to', Partial<Row>> {
  const from: Partial<Row> = {};
  const to: Partial<Row> = {};
  for (const name of Object.keys(changes) as (keyof Row)[]) {
    const value = changes[name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(before[name])) continue;
    from[name] = before[name];
    to[name] = value;
  }
  return { from, to };
}

/**
 * Returns the statement that adds an entry, for the batch of the change that it records. `CHANGED` as the condition,
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
