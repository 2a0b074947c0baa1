import { and, asc, count, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { type AuditEntry, CHANGED, toAuditStatement } from '../db/audit.ts';
import type { Db } from '../db/open.ts';
import { auditEntries, members, users, websites } from '../db/schema.ts';
import type { ListPage } from '../http/list-page.ts';
import type { AuditAction } from '../vocabulary/access.ts';

export type MemberRow = typeof members.$inferSelect;
/** A member with the user's address and name, null for an open invitation. */
export type ListedMember = MemberRow & { userEmail: string | null; userName: string | null };
/** Entries of the audit log to list: of one action, and with a text. */
export type EntryFilter = { action: AuditAction | undefined; search: string | undefined };
type Audited = Omit<AuditEntry, 'accountId'>;

/** SQL of the members of accounts and their audit log. Each change is one batch: all or nothing. */
export function createMemberStore(db: Db) {
  const withUser = { ...getTableColumns(members), userEmail: users.email, userName: users.name };
  function toAcceptStatements(invitation: MemberRow, userId: string, nowMs: number, audited: Audited) {
    return [
      db
        .update(members)
        .set({ userId, tokenHash: null, expiresAtMs: null, joinedAtMs: nowMs })
        .where(isOpen(invitation, nowMs)),
      toAuditStatement(db, { ...audited, accountId: invitation.accountId }, CHANGED),
    ] as const;
  }
  const inAccount = (accountId: string, id: string) =>
    and(eq(members.accountId, accountId), eq(members.id, id));

  return {
    toAcceptStatements,

    /** Joined members in order of joining, after open invitations, the latest first. */
    list(accountId: string, nowMs: number, { limit, offset }: ListPage): Promise<ListedMember[]> {
      return db
        .select(withUser)
        .from(members)
        .leftJoin(users, eq(users.id, members.userId))
        .where(and(eq(members.accountId, accountId), isAlive(nowMs)))
        .orderBy(asc(isNotNull(members.userId)), desc(members.createdAtMs), asc(members.id))
        .limit(limit)
        .offset(offset);
    },

    async count(accountId: string, nowMs: number): Promise<number> {
      const [row] = await db
        .select({ total: count() })
        .from(members)
        .where(and(eq(members.accountId, accountId), isAlive(nowMs)));
      return row?.total ?? 0;
    },

    async find(accountId: string, id: string): Promise<ListedMember | undefined> {
      const [row] = await db
        .select(withUser)
        .from(members)
        .leftJoin(users, eq(users.id, members.userId))
        .where(inAccount(accountId, id))
        .limit(1);
      return row;
    },

    async findMembership(accountId: string, userId: string): Promise<MemberRow | undefined> {
      const [row] = await db
        .select()
        .from(members)
        .where(and(eq(members.accountId, accountId), eq(members.userId, userId)))
        .limit(1);
      return row;
    },

    /** Finds an open invitation, with the account that invites. */
    async findInvitation(tokenHash: string) {
      const [row] = await db
        .select({ ...getTableColumns(members), accountEmail: users.email, accountName: users.name })
        .from(members)
        .innerJoin(users, eq(users.id, members.accountId))
        .where(and(eq(members.tokenHash, tokenHash), isNull(members.userId)))
        .limit(1);
      return row;
    },

    /** Accounts that a user is a member of, in order of joining. */
    listAccounts(userId: string, limit: number) {
      return db
        .select({
          id: members.accountId,
          email: users.email,
          name: users.name,
          role: members.role,
          websiteIds: members.websiteIds,
        })
        .from(members)
        .innerJoin(users, eq(users.id, members.accountId))
        .where(eq(members.userId, userId))
        .orderBy(asc(members.joinedAtMs), asc(members.id))
        .limit(limit);
    },

    findUser: (id: string) => db.select().from(users).where(eq(users.id, id)).get(),

    /** Ids and names of the account's websites, in order of creation. */
    listWebsites(accountId: string) {
      return db
        .select({ id: websites.id, name: websites.name })
        .from(websites)
        .where(and(eq(websites.userId, accountId), isNull(websites.deletedAtMs)))
        .orderBy(asc(websites.key));
    },

    async add(row: typeof members.$inferInsert, audited: Audited): Promise<void> {
      await db.batch([
        db.insert(members).values(row),
        toAuditStatement(db, { ...audited, accountId: row.accountId }),
      ]);
    },

    /** @returns false when the member is gone */
    async update(
      { accountId, id }: MemberRow,
      changes: Partial<Pick<MemberRow, 'role' | 'websiteIds' | 'hides' | 'note'>>,
      audited: Audited,
    ): Promise<boolean> {
      const [changed] = await db.batch([
        db.update(members).set(changes).where(inAccount(accountId, id)),
        toAuditStatement(db, { ...audited, accountId }, CHANGED),
      ]);
      return changed.rowsAffected === 1;
    },

    /** @returns false when the member was gone already */
    async remove({ accountId, id }: MemberRow, audited: Audited): Promise<boolean> {
      const [removed] = await db.batch([
        db.delete(members).where(inAccount(accountId, id)),
        toAuditStatement(db, { ...audited, accountId }, CHANGED),
      ]);
      return removed.rowsAffected === 1;
    },

    /**
     * Accepts an invitation for a user, once.
     *
     * @returns false when it was used, revoked or has expired since
     * @throws SQLITE_CONSTRAINT_UNIQUE when the user is a member already
     */
    async accept(invitation: MemberRow, userId: string, nowMs: number, audited: Audited): Promise<boolean> {
      const [accepted] = await db.batch(toAcceptStatements(invitation, userId, nowMs, audited));
      return accepted.rowsAffected === 1;
    },

    /**
     * Moves a website to the user who accepts it. Members of the account that gives it lose it.
     *
     * @returns false when the invitation was used, revoked or has expired since, or the website is gone
     * @throws SQLITE_CONSTRAINT_UNIQUE when the user has a website with this domain
     */
    async handOver(
      invitation: MemberRow,
      { websiteId, userId, nowMs }: { websiteId: string; userId: string; nowMs: number },
      [given, received]: [AuditEntry, AuditEntry],
    ): Promise<boolean> {
      const { accountId } = invitation;
      const [moved] = await db.batch([
        db
          .update(websites)
          .set({ userId, updatedAtMs: sql`max(${nowMs}, ${websites.updatedAtMs} + 1)` })
          .where(
            and(
              eq(websites.id, websiteId),
              eq(websites.userId, accountId),
              isNull(websites.deletedAtMs),
              sql`exists (select 1 from members where ${isOpen(invitation, nowMs)})`,
            ),
          ),
        toAuditStatement(db, given, CHANGED),
        toAuditStatement(db, received, CHANGED),
        db.delete(members).where(and(inAccount(accountId, invitation.id), CHANGED)),
        db
          .update(members)
          .set({
            websiteIds: sql`(select json_group_array(value) from json_each(${members.websiteIds}) where value <> ${websiteId})`,
          })
          .where(and(eq(members.accountId, accountId), isNotNull(members.websiteIds))),
      ]);
      return moved.rowsAffected === 1;
    },

    listEntries(accountId: string, filter: EntryFilter, { limit, offset }: ListPage) {
      return db
        .select()
        .from(auditEntries)
        .where(isEntry(accountId, filter))
        .orderBy(desc(auditEntries.key))
        .limit(limit)
        .offset(offset);
    },

    async countEntries(accountId: string, filter: EntryFilter): Promise<number> {
      const [row] = await db.select({ total: count() }).from(auditEntries).where(isEntry(accountId, filter));
      return row?.total ?? 0;
    },

    /** Removes entries, and invitations, that are older than these instants. */
    async removeOld(entriesBeforeMs: number, invitationsBeforeMs: number): Promise<void> {
      await db.batch([
        db.delete(auditEntries).where(lt(auditEntries.atMs, entriesBeforeMs)),
        db.delete(members).where(and(isNull(members.userId), lt(members.expiresAtMs, invitationsBeforeMs))),
      ]);
    },
  };
}

/** @param filter `search` is compared with the actor and the subject, whatever the case of ASCII letters */
function isEntry(accountId: string, { action, search }: EntryFilter) {
  const text = sql`lower(coalesce(${auditEntries.actor}, '') || char(10) || ${auditEntries.subject})`;
  return and(
    eq(auditEntries.accountId, accountId),
    action && eq(auditEntries.action, action),
    search === undefined ? undefined : sql`instr(${text}, lower(${search})) > 0`,
  );
}

/** Expired invitations are not shown. */
const isAlive = (nowMs: number) => or(isNotNull(members.userId), gt(members.expiresAtMs, nowMs));

/** Whether an invitation, as it was read, can still be accepted. */
export function isOpen({ id, tokenHash }: MemberRow, nowMs: number) {
  return and(
    eq(members.id, id),
    eq(members.tokenHash, tokenHash ?? ''),
    isNull(members.userId),
    gt(members.expiresAtMs, nowMs),
  );
}
