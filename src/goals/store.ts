import { and, asc, count, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { goals } from '../db/schema.ts';

export type GoalRow = typeof goals.$inferSelect;
/** What an owner can change. Undefined stays as it is. */
export type GoalChanges = {
  [Column in Exclude<keyof GoalRow, 'id' | 'websiteKey' | 'createdAtMs' | 'updatedAtMs'>]?:
    | GoalRow[Column]
    | undefined;
};

/** The SQL of goals. */
export function createGoalStore(db: Db) {
  const own = (websiteKey: number, id: string) => and(eq(goals.websiteKey, websiteKey), eq(goals.id, id));

  return {
    async insert(row: GoalRow): Promise<void> {
      await db.insert(goals).values(row);
    },

    async find(websiteKey: number, id: string): Promise<GoalRow | undefined> {
      const [row] = await db.select().from(goals).where(own(websiteKey, id)).limit(1);
      return row;
    },

    /** By name. There are no more than GOALS_MAX. */
    async list(websiteKey: number, withArchived: boolean): Promise<GoalRow[]> {
      const isWanted = withArchived ? undefined : isNull(goals.archivedAtMs);
      return db
        .select()
        .from(goals)
        .where(and(eq(goals.websiteKey, websiteKey), isWanted))
        .orderBy(asc(goals.name));
    },

    async countOf(websiteKey: number): Promise<number> {
      const [row] = await db.select({ total: count() }).from(goals).where(eq(goals.websiteKey, websiteKey));
      return row?.total ?? 0;
    },

    async update(
      websiteKey: number,
      id: string,
      changes: GoalChanges & { updatedAtMs: number },
    ): Promise<GoalRow | undefined> {
      const [row] = await db.update(goals).set(changes).where(own(websiteKey, id)).returning();
      return row;
    },

    /** @returns false when there is no such goal */
    async remove(websiteKey: number, id: string): Promise<boolean> {
      const removed = await db.delete(goals).where(own(websiteKey, id)).returning({ id: goals.id });
      return removed.length > 0;
    },
  };
}
