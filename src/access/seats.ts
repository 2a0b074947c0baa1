import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { members } from '../db/schema.ts';
import type { Role, Section } from '../vocabulary/access.ts';

/** Role of a user in another account. `websiteIds` null: on all of its websites. */
export type Seat = { role: Role; websiteIds: readonly string[] | null; hides: readonly Section[] };

/** SQL of the roles that accounts have given to users. */
export function createSeats(db: Db) {
  const select = db
    .select({ role: members.role, websiteIds: members.websiteIds, hides: members.hides })
    .from(members)
    .where(
      and(eq(members.accountId, sql.placeholder('accountId')), eq(members.userId, sql.placeholder('userId'))),
    )
    .prepare();

  return {
    async find(accountId: string, userId: string): Promise<Seat | undefined> {
      return accountId === userId ? OWNER : select.get({ accountId, userId });
    },
  };
}

const OWNER: Seat = { role: 'owner', websiteIds: null, hides: [] };
