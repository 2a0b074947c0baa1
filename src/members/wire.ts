import type { AuditLog, Member } from '../contract/member.ts';
import type { auditEntries } from '../db/schema.ts';
import type { ListedMember } from './store.ts';

export function toMember(row: ListedMember): Member {
  const { id, userId, note, role, websiteIds, hides } = row;
  return {
    id,
    userId,
    email: row.userEmail ?? row.email,
    name: row.userName,
    note,
    role,
    websiteIds,
    hides,
    createdAt: new Date(row.createdAtMs).toISOString(),
    expiresAt: toInstant(row.expiresAtMs),
    joinedAt: toInstant(row.joinedAtMs),
  };
}

export function toEntry(row: typeof auditEntries.$inferSelect): AuditLog['entries'][number] {
  const { atMs, actor, action, websiteId, subject, details } = row;
  return { at: new Date(atMs).toISOString(), actor, action, websiteId, subject, details };
}

function toInstant(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
