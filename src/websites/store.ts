import { and, asc, count, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { goals, websites } from '../db/schema.ts';
import type { ListPage } from '../http/list-page.ts';
import { type IpRange, parseIpRange } from '../network/ip-range.ts';

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
  | 'retentionDays'
  | 'isCountryOnly'
  | 'isPublic'
  | 'publicHides'
  | 'primaryGoalId';
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
  /** Whether events get no region and no city. */
  isCountryOnly: boolean;
};

const { id, userId, name, domain, description, trackingCode, createdAtMs, updatedAtMs } = websites;
/** The columns that a list of websites shows. */
const SHOWN = { id, userId, name, domain, description, trackingCode, createdAtMs, updatedAtMs };
export type ShownWebsite = Pick<WebsiteRow, keyof typeof SHOWN>;

const CODES_A_QUERY_MAX = 1_000;

/** SQL of websites. Only the cleaner sees rows with `deleted_at_ms`. */
export function createWebsiteStore(db: Db) {
  /** Prepared, because every request about a website begins with one of these. */
  const selectById = db
    .select()
    .from(websites)
    .where(
      and(eq(websites.id, sql.placeholder('id')), isNotNull(websites.userId), isNull(websites.deletedAtMs)),
    )
    .prepare();
  const selectOwned = db
    .select()
    .from(websites)
    .where(and(eq(websites.userId, sql.placeholder('userId')), isNull(websites.deletedAtMs)))
    .orderBy(asc(websites.key))
    .prepare();

  const selectShown = db
    .select(SHOWN)
    .from(websites)
    .where(and(eq(websites.userId, sql.placeholder('userId')), isNull(websites.deletedAtMs)))
    .orderBy(asc(websites.key))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare();

  async function findOne(condition: SQL | undefined): Promise<WebsiteRow | undefined> {
    const [row] = await db.select().from(websites).where(condition).limit(1);
    return row;
  }

  return {
    async insert(row: NewWebsite): Promise<WebsiteRow> {
      const [inserted] = await db.insert(websites).values(row).returning();
      if (!inserted) throw new Error('The insert of a website returned no row.');
      return inserted;
    },

    /** In order of creation. All of them: `WEBSITES_MAX` bounds how many there are. */
    listOf(userId: string): Promise<WebsiteRow[]> {
      return selectOwned.all({ userId });
    },

    /** In order of creation, without settings: half of the time of a list is taken by their columns. */
    listShown(userId: string, page: ListPage): Promise<ShownWebsite[]> {
      return selectShown.all({ userId, ...page });
    },

    async countOf(userId: string): Promise<number> {
      const [row] = await db.select({ websites: count() }).from(websites).where(ownedBy(userId));
      return row?.websites ?? 0;
    },

    async findOwned(userId: string, id: string): Promise<WebsiteRow | undefined> {
      const row = await selectById.get({ id });
      return row?.userId === userId ? row : undefined;
    },

    async hasGoal({ key }: WebsiteRow, goalId: string): Promise<boolean> {
      const own = and(eq(goals.websiteKey, key), eq(goals.id, goalId));
      return (await db.select({ id: goals.id }).from(goals).where(own).limit(1)).length > 0;
    },

    findOwnedByDomain(userId: string, domainKey: string): Promise<WebsiteRow | undefined> {
      return findOne(ownedBy(userId, eq(websites.domainKey, domainKey)));
    },

    findOwnedByCode(userId: string, trackingCode: string): Promise<WebsiteRow | undefined> {
      return findOne(ownedBy(userId, eq(websites.trackingCode, trackingCode)));
    },

    /** Finds a website of any owner. */
    async find(id: string): Promise<WebsiteRow | undefined> {
      return selectById.get({ id });
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
        for (const { trackingCode, userId, excludedIps, ...rest } of await selectTracked(db, codes)) {
          const excludedRanges = excludedIps.map(parseIpRange).filter((range) => range !== undefined);
          if (userId !== null) found.set(trackingCode, { ...rest, userId, excludedRanges });
        }
      }
      return found;
    },

    /** Increases `updated_at_ms` with every change, even if the clock stops or is set back. */
    async update(
      userId: string,
      id: string,
      changes: WebsiteChanges,
      nowMs: number,
    ): Promise<WebsiteRow | undefined> {
      const [row] = await db
        .update(websites)
        .set({ ...changes, updatedAtMs: sql`max(${nowMs}, ${websites.updatedAtMs} + 1)` })
        .where(ownedBy(userId, eq(websites.id, id)))
        .returning();
      return row;
    },

    /** @returns the tracking code that no longer counts, or undefined when there was no such website */
    async tombstone(userId: string, id: string, nowMs: number): Promise<string | undefined> {
      const [row] = await db
        .update(websites)
        .set({ deletedAtMs: nowMs })
        .where(ownedBy(userId, eq(websites.id, id)))
        .returning({ trackingCode: websites.trackingCode });
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
      allowedOrigins: websites.allowedOrigins,
      excludedIps: websites.excludedIps,
      isCountryOnly: websites.isCountryOnly,
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
