import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { type AuditEntry, CHANGED, toAuditStatement } from '../db/audit.ts';
import type { Db } from '../db/open.ts';
import { goals, members, websites } from '../db/schema.ts';
import type { ListPage } from '../http/list-page.ts';
import { type IpRange, parseIpRange } from '../network/ip-range.ts';
import { isLocalHost } from '../network/local-host.ts';
import type { Role } from '../vocabulary/access.ts';

export type WebsiteRow = typeof websites.$inferSelect;
type NewWebsite = typeof websites.$inferInsert;
type Changeable =
  | 'name'
  | 'domain'
  | 'domainKey'
  | 'description'
  | 'timezone'
  | 'allowedOrigins'
  | 'excludedIps'
  | 'leavesOutLocalPages'
  | 'oldIds'
  | 'retentionDays'
  | 'isCountryOnly'
  | 'isPublic'
  | 'publicHides'
  | 'primaryGoalId'
  | 'isAnonymous';
/** Columns that an owner can change. Undefined keeps the value. */
export type WebsiteChanges = { [Column in Changeable]?: WebsiteRow[Column] | undefined };

/** Website as ingest needs it. */
export type TrackedWebsite = {
  /** Key that events refer to. */
  key: number;
  id: string;
  userId: string;
  /** Origins that may submit; empty means any. */
  allowedOrigins: readonly string[];
  /** Addresses and ranges whose events are left out of metrics. */
  excludedRanges: readonly IpRange[];
  /** Whether events of pages on local hosts are left out of metrics; false where the domain is local itself. */
  leavesOutLocalPages: boolean;
  /** Whether events get no region and no city. */
  isCountryOnly: boolean;
  /** Whether visitors are derived by day for every sender. */
  isAnonymous: boolean;
  /** Whether any event was anonymous. */
  hasAnonymous: boolean;
  /** Time zone whose days those are. */
  timezone: string;
};

const { id, userId, name, domain, description, trackingCode, createdAtMs, updatedAtMs } = websites;
/** The columns that a list of websites shows. */
const SHOWN = { id, userId, name, domain, description, trackingCode, createdAtMs, updatedAtMs };
export type ShownWebsite = Pick<WebsiteRow, keyof typeof SHOWN>;
export type VisibleWebsite<Row = ShownWebsite> = Row & { role: Role };

/** Websites of a user and those that accounts share with them, joined with `members` for the role. */
const isVisibleTo = (userId: string | Placeholder) =>
  and(
    sql`${websites.userId} in (select ${userId} union all select account_id from members where user_id = ${userId})`,
    or(
      eq(websites.userId, userId),
      isNull(members.websiteIds),
      sql`${websites.id} in (select value from json_each(${members.websiteIds}))`,
    ),
    isNull(websites.deletedAtMs),
  );
const isMember = (userId: string | Placeholder) =>
  and(eq(members.accountId, websites.userId), eq(members.userId, userId));
const ROLE = sql<Role>`coalesce(${members.role}, 'owner')`;

const CODES_A_QUERY_MAX = 1_000;

/** SQL of websites. Only the cleaner sees rows with `deleted_at_ms`. */
export function createWebsiteStore(db: Db) {
  /** Prepared, because every request about a website begins with one of these. */
  const selectByKey = db
    .select()
    .from(websites)
    .where(
      and(eq(websites.key, sql.placeholder('key')), isNotNull(websites.userId), isNull(websites.deletedAtMs)),
    )
    .prepare();
  const selectById = db
    .select()
    .from(websites)
    .where(
      and(eq(websites.id, sql.placeholder('id')), isNotNull(websites.userId), isNull(websites.deletedAtMs)),
    )
    .prepare();
  const selectVisible = db
    .select({ ...getTableColumns(websites), role: ROLE })
    .from(websites)
    .leftJoin(members, isMember(sql.placeholder('userId')))
    .where(isVisibleTo(sql.placeholder('userId')))
    .orderBy(asc(websites.key))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare();

  const selectShown = db
    .select({ ...SHOWN, role: ROLE })
    .from(websites)
    .leftJoin(members, isMember(sql.placeholder('userId')))
    .where(isVisibleTo(sql.placeholder('userId')))
    .orderBy(asc(websites.key))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare();

  async function findOne(condition: SQL | undefined): Promise<WebsiteRow | undefined> {
    const [row] = await db.select().from(websites).where(condition).limit(1);
    return row;
  }

  return {
    async insert(row: NewWebsite, audited: AuditEntry): Promise<WebsiteRow> {
      const [[inserted]] = await db.batch([
        db.insert(websites).values(row).returning(),
        toAuditStatement(db, audited),
      ]);
      if (!inserted) throw new Error('The insert of a website returned no row.');
      return inserted;
    },

    /** The websites that a user sees, in order of creation. */
    listVisible(userId: string, page: ListPage): Promise<VisibleWebsite<WebsiteRow>[]> {
      return selectVisible.all({ userId, ...page });
    },

    /** Lists the same without settings, whose columns take half of the time of a list. */
    listShown(userId: string, page: ListPage): Promise<VisibleWebsite[]> {
      return selectShown.all({ userId, ...page });
    },

    async countVisible(userId: string): Promise<number> {
      const [row] = await db
        .select({ websites: count() })
        .from(websites)
        .leftJoin(members, isMember(userId))
        .where(isVisibleTo(userId));
      return row?.websites ?? 0;
    },

    async countOf(userId: string): Promise<number> {
      const [row] = await db.select({ websites: count() }).from(websites).where(ownedBy(userId));
      return row?.websites ?? 0;
    },

    async hasGoal({ key }: WebsiteRow, goalId: string): Promise<boolean> {
      const own = and(eq(goals.websiteKey, key), eq(goals.id, goalId));
      return (await db.select({ id: goals.id }).from(goals).where(own).limit(1)).length > 0;
    },

    async findOwned(userId: string, domainKey: string): Promise<WebsiteRow | undefined> {
      return findOne(ownedBy(userId, eq(websites.domainKey, domainKey)));
    },

    /** Finds a website by its domain, the user's own before one that is shared with them. */
    async findVisibleByDomain(userId: string, domainKey: string): Promise<WebsiteRow | undefined> {
      const [row] = await db
        .select(getTableColumns(websites))
        .from(websites)
        .leftJoin(members, isMember(userId))
        .where(and(isVisibleTo(userId), eq(websites.domainKey, domainKey)))
        .orderBy(desc(eq(websites.userId, userId)), asc(websites.key))
        .limit(1);
      return row;
    },

    /** Finds a website of any owner by its tracking code. */
    findByCode(trackingCode: string): Promise<WebsiteRow | undefined> {
      return findOne(
        and(
          eq(websites.trackingCode, trackingCode),
          isNotNull(websites.userId),
          isNull(websites.deletedAtMs),
        ),
      );
    },

    /** Finds a website of any owner. */
    async find(id: string): Promise<WebsiteRow | undefined> {
      return selectById.get({ id });
    },

    async findByKey(key: number): Promise<WebsiteRow | undefined> {
      return selectByKey.get({ key });
    },

    async findLike(like: { domain: string; description: string }, max: number): Promise<string[]> {
      const rows = await db
        .select({ trackingCode: websites.trackingCode })
        .from(websites)
        .where(
          and(
            eq(websites.domain, like.domain),
            eq(websites.description, like.description),
            eq(websites.isUnfinished, false),
            isNull(websites.deletedAtMs),
          ),
        )
        .orderBy(desc(websites.key))
        .limit(max);
      return rows.map(({ trackingCode }) => trackingCode);
    },

    /** Finds the websites of tracking codes, by code. */
    async findTracked(trackingCodes: readonly string[]): Promise<Map<string, TrackedWebsite>> {
      const found = new Map<string, TrackedWebsite>();
      for (let start = 0; start < trackingCodes.length; start += CODES_A_QUERY_MAX) {
        const codes = trackingCodes.slice(start, start + CODES_A_QUERY_MAX);
        for (const { trackingCode, userId, domain, excludedIps, ...rest } of await selectTracked(db, codes)) {
          const excludedRanges = excludedIps.map(parseIpRange).filter((range) => range !== undefined);
          const leavesOutLocalPages = rest.leavesOutLocalPages && !isLocalHost(new URL(domain).hostname);
          if (userId !== null)
            found.set(trackingCode, { ...rest, userId, excludedRanges, leavesOutLocalPages });
        }
      }
      return found;
    },

    /** Finds the website that lists an old id, of any owner. */
    async findByOldId(oldId: string): Promise<{ key: number; trackingCode: string } | undefined> {
      const isListed = sql`EXISTS (SELECT 1 FROM json_each(${websites.oldIds}) WHERE value = ${oldId})`;
      const [row] = await db
        .select({ key: websites.key, trackingCode: websites.trackingCode })
        .from(websites)
        .where(and(isNull(websites.deletedAtMs), isListed))
        .orderBy(asc(websites.key))
        .limit(1);
      return row;
    },

    /** Increases `updated_at_ms` with every change, even if the clock stops or is set back. */
    async update(
      userId: string,
      id: string,
      changes: WebsiteChanges,
      audited: AuditEntry,
    ): Promise<WebsiteRow | undefined> {
      const [[row]] = await db.batch([
        db
          .update(websites)
          .set({ ...changes, updatedAtMs: sql`max(${audited.atMs}, ${websites.updatedAtMs} + 1)` })
          .where(ownedBy(userId, eq(websites.id, id)))
          .returning(),
        toAuditStatement(db, audited, CHANGED),
      ]);
      return row;
    },

    async markAnonymous(key: number): Promise<void> {
      await db.update(websites).set({ hasAnonymous: true }).where(eq(websites.key, key));
    },

    /** @returns the tracking code that no longer counts, or undefined when there was no such website */
    async tombstone(userId: string, id: string, audited: AuditEntry): Promise<string | undefined> {
      const [[row]] = await db.batch([
        db
          .update(websites)
          .set({ deletedAtMs: audited.atMs })
          .where(ownedBy(userId, eq(websites.id, id)))
          .returning({ trackingCode: websites.trackingCode }),
        toAuditStatement(db, audited, CHANGED),
      ]);
      return row?.trackingCode;
    },

    /** @returns the tracking codes that no longer count */
    tombstoneAllOf(userId: string, nowMs: number): Promise<string[]> {
      return tombstoneWhere(ownedBy(userId), nowMs);
    },

    /** Deletes unfinished websites of one user or of all. @returns the tracking codes that no longer count */
    tombstoneUnfinished(userId: string | undefined, nowMs: number): Promise<string[]> {
      const isUnfinished = eq(websites.isUnfinished, true);
      const condition = and(isUnfinished, isNull(websites.deletedAtMs));
      return tombstoneWhere(userId === undefined ? condition : ownedBy(userId, isUnfinished), nowMs);
    },

    /** @returns false when the website no longer exists */
    async finish(userId: string, id: string): Promise<boolean> {
      const rows = await db
        .update(websites)
        .set({ isUnfinished: false })
        .where(ownedBy(userId, eq(websites.id, id)))
        .returning({ id: websites.id });
      return rows.length > 0;
    },
  };

  async function tombstoneWhere(condition: SQL | undefined, nowMs: number): Promise<string[]> {
    const rows = await db
      .update(websites)
      .set({ deletedAtMs: nowMs })
      .where(condition)
      .returning({ trackingCode: websites.trackingCode });
    return rows.map((row) => row.trackingCode);
  }
}

/** The websites of a user that are not deleted; all of them, or those that meet the condition. */
function ownedBy(userId: string, condition?: SQL): SQL | undefined {
  return and(condition, eq(websites.userId, userId), isNull(websites.deletedAtMs));
}

function selectTracked(db: Db, trackingCodes: string[]) {
  return db
    .select({
      trackingCode: websites.trackingCode,
      key: websites.key,
      id: websites.id,
      userId: websites.userId,
      domain: websites.domain,
      allowedOrigins: websites.allowedOrigins,
      excludedIps: websites.excludedIps,
      leavesOutLocalPages: websites.leavesOutLocalPages,
      isCountryOnly: websites.isCountryOnly,
      isAnonymous: websites.isAnonymous,
      hasAnonymous: websites.hasAnonymous,
      timezone: websites.timezone,
    })
    .from(websites)
    .where(
      and(
        inArray(websites.trackingCode, trackingCodes),
        isNotNull(websites.userId), // null: the account was deleted, and its websites are being removed
        isNull(websites.deletedAtMs),
      ),
    );
}
