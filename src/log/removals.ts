import { inArray, lt } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { removals } from '../db/schema.ts';

/** How long a removal stays on record. Statistics that were not brought up to date for longer are made anew. */
const KEPT_MS = 30 * 86_400_000;
const FORGOTTEN_A_STEP = 1_000;

/** Removes the oldest records; with them goes the id of a visitor who was erased. To be called now and then. */
export async function forgetOldRemovals(db: Db, nowMs: number): Promise<void> {
  const old = db
    .select({ key: removals.key })
    .from(removals)
    .where(lt(removals.removedAtMs, nowMs - KEPT_MS))
    .orderBy(removals.key)
    .limit(FORGOTTEN_A_STEP);
  await db.delete(removals).where(inArray(removals.key, old));
}
