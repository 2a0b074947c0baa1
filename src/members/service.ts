import { sql } from 'drizzle-orm';
import type { AccountAccess } from '../access/access.ts';
import { roleTooSmallError } from '../access/refusals.ts';
import { hashApiKey } from '../accounts/api-key.ts';
import { toEmailKey } from '../accounts/email-key.ts';
import type { Admission } from '../accounts/user-store.ts';
import type { Invitation, InvitationInput, Member, MemberUpdate } from '../contract/member.ts';
import { sqliteExtendedCode } from '../db/busy.ts';
import type { Db } from '../db/open.ts';
import { type Listed, type ListPage, toListed } from '../http/list-page.ts';
import { randomText } from '../process/random-text.ts';
import type { Role } from '../vocabulary/access.ts';
import { MEMBERS_MAX, MEMBERSHIPS_MAX, WEBSITES_MAX } from '../vocabulary/contract.ts';
import { DAY_MS } from '../vocabulary/durations.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import { createMemberStore, type EntryFilter, isOpen, type MemberRow } from './store.ts';
import { toEntry, toMember } from './wire.ts';

const INVITATION_LIFETIME_MS = 7 * DAY_MS;
const ENTRIES_KEPT_MS = 366 * DAY_MS;
const TOKEN_LENGTH = 32;
const NAMES_SHOWN_MAX = 10;

export type Members = ReturnType<typeof createMembers>;

/** The rules of members: invitations, roles, and handing websites over. Who may call them is decided before. */
export function createMembers({ db, now }: { db: Db; now: () => number }) {
  const store = createMemberStore(db);

  /** @throws NOT_FOUND */
  async function requireMember(accountId: string, id: string) {
    const row = await store.find(accountId, id);
    if (!row) throw new AppError('NOT_FOUND', 'Member not found');
    return row;
  }

  /** @throws VALIDATION_ERROR */
  async function requireFitting(
    accountId: string,
    { role, websiteIds, hides }: Pick<MemberRow, 'role' | 'websiteIds' | 'hides'>,
  ): Promise<void> {
    const faults: Record<string, string[]> = {};
    if (hides.length > 0 && role !== 'viewer') faults.hides = ['Sections can only be hidden from a viewer'];
    if (role === 'owner' && websiteIds?.length !== 1)
      faults.websiteIds = ['Must be the one website that is handed over'];
    if (websiteIds?.length === 0) faults.websiteIds = ['Must have at least one website, or be null for all'];
    if (websiteIds) {
      const known = new Set((await store.listWebsites(accountId)).map(({ id }) => id));
      const unknown = websiteIds.filter((id) => !known.has(id));
      if (unknown.length > 0) faults.websiteIds = unknown.map((id) => `Unknown website ${id.slice(0, 50)}`);
    }
    if (Object.keys(faults).length > 0) throw validationError('Invalid request data', faults);
  }

  /** @throws NOT_FOUND the same for an unknown, a used and a revoked one; another sentence for an expired one */
  async function requireInvitation(token: string) {
    const found = await store.findInvitation(hashApiKey(token));
    if (!found) throw unknownInvitation();
    if ((found.expiresAtMs ?? 0) <= now())
      throw new AppError('NOT_FOUND', 'This invitation has expired; ask for another one');
    return found;
  }

  async function requireAcceptable(token: string, userId: string) {
    const invitation = await requireInvitation(token);
    const { accountId, email, role } = invitation;
    if (accountId === userId)
      throw new AppError('CONFLICT', 'This invitation is to your own account; it is for another one');
    const user = await store.findUser(userId);
    if (!user) throw unknownInvitation();
    requireAddress(email, user.email);
    if (role !== 'owner' && (await store.findMembership(accountId, userId))) throw memberAlready();
    return invitation;
  }

  async function takeOver(invitation: MemberRow, userId: string): Promise<void> {
    const { accountId } = invitation;
    const [websiteId = ''] = invitation.websiteIds ?? [];
    const website = (await store.listWebsites(accountId)).find(({ id }) => id === websiteId);
    if (!website) throw new AppError('NOT_FOUND', 'The website of this invitation is gone');
    if ((await store.listWebsites(userId)).length >= WEBSITES_MAX)
      throw new AppError('CONFLICT', `An account has at most ${WEBSITES_MAX} websites`);
    const nowMs = now();
    const entry = { atMs: nowMs, actorId: userId, websiteId, subject: website.name };
    const isMoved = await store
      .handOver(invitation, { websiteId, userId, nowMs }, [
        { ...entry, accountId, action: 'website.handedOver' },
        { ...entry, accountId: userId, action: 'website.received' },
      ])
      .catch((error) => {
        if (!isTaken(error)) throw error;
        throw new AppError('CONFLICT', 'Your account has a website with this domain already');
      });
    if (!isMoved) throw unknownInvitation();
  }

  return {
    async list(accountId: string, page: ListPage): Promise<Listed<Member>> {
      const nowMs = now();
      const rows = (await store.list(accountId, nowMs, page)).map(toMember);
      return toListed(rows, page, () => store.count(accountId, nowMs));
    },

    /** The accounts of a user: their own, then those that they are a member of. */
    async listAccounts(userId: string) {
      const user = await store.findUser(userId);
      const others = await store.listAccounts(userId, MEMBERSHIPS_MAX);
      const own = user
        ? [{ id: userId, email: user.email, name: user.name, role: 'owner' as const, isWhole: true }]
        : [];
      return [
        ...own,
        ...others.map(({ websiteIds, ...account }) => ({ ...account, isWhole: websiteIds === null })),
      ];
    },

    /** @returns the invitation with its token, which is not stored @throws VALIDATION_ERROR, FORBIDDEN, CONFLICT */
    async invite({ accountId, role: own, caller }: AccountAccess, input: InvitationInput) {
      const { role, websiteIds = null, hides = [], note = '' } = input;
      if (role === 'owner' && own !== 'owner') throw roleTooSmallError('owner', own);
      await requireFitting(accountId, { role, websiteIds, hides });
      const nowMs = now();
      if ((await store.count(accountId, nowMs)) >= MEMBERS_MAX)
        throw new AppError('CONFLICT', `An account has at most ${MEMBERS_MAX} members; remove one first`);
      const email = input.email?.trim() || null;
      const token = randomText(TOKEN_LENGTH);
      const id = crypto.randomUUID();
      const row = {
        id,
        accountId,
        role,
        websiteIds,
        hides,
        note,
        email,
        tokenHash: hashApiKey(token),
        createdAtMs: nowMs,
        expiresAtMs: nowMs + INVITATION_LIFETIME_MS,
      };
      await store.add(row, {
        atMs: nowMs,
        actorId: caller.userId,
        action: 'member.invited',
        subject: email ?? note,
        details: { role, websiteIds, hides },
      });
      return { member: toMember(await requireMember(accountId, id)), token };
    },

    /** Changes a role, its websites or what is hidden; in effect with the member's next request. */
    async update({ accountId, caller }: AccountAccess, id: string, input: MemberUpdate): Promise<Member> {
      const before = await requireMember(accountId, id);
      if (before.role === 'owner')
        throw new AppError('CONFLICT', 'A hand-over cannot be changed; revoke it and offer it again');
      const { role = before.role, websiteIds = before.websiteIds, note = before.note } = input;
      const hides = input.hides ?? (role === 'viewer' ? before.hides : []);
      await requireFitting(accountId, { role, websiteIds, hides });
      const from = { role: before.role, websiteIds: before.websiteIds, hides: before.hides };
      const isChanged = await store.update(
        before,
        { role, websiteIds, hides, note },
        {
          atMs: now(),
          actorId: caller.userId,
          action: 'member.changed',
          subject: before.userEmail ?? before.email ?? before.note,
          details: { from, to: { role, websiteIds, hides } },
        },
      );
      if (!isChanged) throw new AppError('NOT_FOUND', 'Member not found');
      return toMember(await requireMember(accountId, id));
    },

    /** Removes a member, or revokes an open invitation. */
    async remove({ accountId, caller }: AccountAccess, id: string): Promise<void> {
      const row = await requireMember(accountId, id);
      const isRemoved = await store.remove(row, {
        atMs: now(),
        actorId: caller.userId,
        action: row.userId === null ? 'invitation.revoked' : 'member.removed',
        subject: row.userEmail ?? row.email ?? row.note,
        details: { role: row.role },
      });
      if (!isRemoved) throw new AppError('NOT_FOUND', 'Member not found');
    },

    async leave({ accountId, caller }: AccountAccess): Promise<void> {
      const row = await store.findMembership(accountId, caller.userId);
      if (!row) throw new AppError('CONFLICT', 'The owner cannot leave; delete the account instead');
      const entry = { atMs: now(), actorId: caller.userId, action: 'member.left' as const };
      await store.remove(row, { ...entry, subject: caller.email, details: { role: row.role } });
    },

    /** Content of the page of an invitation. */
    async preview(token: string): Promise<Invitation> {
      const found = await requireInvitation(token);
      const all = await store.listWebsites(found.accountId);
      const shared = all.filter(({ id }) => found.websiteIds?.includes(id) ?? true);
      return {
        account: { name: found.accountName, email: found.accountEmail },
        role: found.role,
        websites: shared.slice(0, NAMES_SHOWN_MAX).map(({ name }) => name),
        websiteTotal: shared.length,
        hides: found.hides,
        isBound: found.email !== null,
        expiresAt: new Date(found.expiresAtMs ?? 0).toISOString(),
      };
    },

    /** @throws NOT_FOUND, FORBIDDEN for another address, CONFLICT for a member and for the owner */
    async accept(token: string, userId: string): Promise<{ accountId: string; role: Role }> {
      const invitation = await requireAcceptable(token, userId);
      const { accountId, role } = invitation;
      if (role === 'owner') {
        await takeOver(invitation, userId);
        return { accountId: userId, role };
      }
      if ((await store.listAccounts(userId, MEMBERSHIPS_MAX)).length >= MEMBERSHIPS_MAX)
        throw new AppError('CONFLICT', `An account is a member of at most ${MEMBERSHIPS_MAX} others`);
      const nowMs = now();
      const user = await store.findUser(userId);
      const entry = { atMs: nowMs, actorId: userId, action: 'member.joined' as const };
      const isAccepted = await store
        .accept(invitation, userId, nowMs, { ...entry, subject: user?.email ?? '', details: { role } })
        .catch((error) => {
          throw isTaken(error) ? memberAlready() : error;
        });
      if (!isAccepted) throw unknownInvitation();
      return { accountId, role };
    },

    /**
     * How a new account with this address accepts an invitation, in the batch that adds it.
     *
     * @throws as `accept`
     */
    async admit(token: string, { id, email }: { id: string; email: string }): Promise<Admission> {
      const invitation = await requireInvitation(token);
      requireAddress(invitation.email, email);
      const nowMs = now();
      const isWanted = sql`exists (select 1 from members where ${isOpen(invitation, nowMs)})`;
      const { role } = invitation;
      if (role === 'owner') return { isWanted, statements: [], finish: () => takeOver(invitation, id) };
      const entry = { atMs: nowMs, actorId: id, action: 'member.joined' as const, subject: email };
      const statements = store.toAcceptStatements(invitation, id, nowMs, { ...entry, details: { role } });
      return { isWanted, statements, finish: async () => {} };
    },

    async listEntries(accountId: string, filter: EntryFilter, page: ListPage) {
      const rows = (await store.listEntries(accountId, filter, page)).map(toEntry);
      return toListed(rows, page, () => store.countEntries(accountId, filter));
    },

    /** Removes entries of the audit log after a year, and invitations a week after they expired. */
    removeOld: () => store.removeOld(now() - ENTRIES_KEPT_MS, now() - INVITATION_LIFETIME_MS),
  };
}

/** @throws FORBIDDEN */
function requireAddress(bound: string | null, address: string): void {
  if (bound !== null && toEmailKey(bound) !== toEmailKey(address))
    throw new AppError('FORBIDDEN', 'This invitation is for another e-mail address');
}

function unknownInvitation(): AppError {
  return new AppError('NOT_FOUND', 'Invitation not found: it was used or revoked, or never existed');
}

function memberAlready(): AppError {
  return new AppError('CONFLICT', 'You are a member of this account already');
}

function isTaken(error: unknown): boolean {
  return sqliteExtendedCode(error) === 'SQLITE_CONSTRAINT_UNIQUE';
}
