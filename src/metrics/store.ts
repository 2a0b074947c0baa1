import { asc, eq } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { events } from '../db/schema.ts';

/** When the oldest event of a website happened: one look into the index on website and time. */
export async function findFirstEventMs(db: Db, websiteKey: number): Promise<number | undefined> {
  const [row] = await db
    .select({ createdAtMs: events.createdAtMs })
    .from(events)
    .where(eq(events.websiteKey, websiteKey))
    .orderBy(asc(events.createdAtMs))
    .limit(1);
  return row?.createdAtMs;
}
