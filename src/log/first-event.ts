import { asc, eq, inArray, sql } from 'drizzle-orm';
import { events } from '../db/log-schema.ts';
import type { Db } from '../db/open.ts';
import { websites } from '../db/schema.ts';

/** Returns the time of a website's oldest event: one lookup in the index on website and time. */
export async function findFirstEventMs(db: Db, websiteKey: number): Promise<number | undefined> {
  const [row] = await db
    .select({ createdAtMs: events.createdAtMs })
    .from(events)
    .where(eq(events.websiteKey, websiteKey))
    .orderBy(asc(events.createdAtMs))
    .limit(1);
  return row?.createdAtMs;
}

/**
 * The earliest of when websites began: with their oldest event, or without any when they were created. One statement,
 * because each is a turn through Drizzle, and an account may have a thousand.
 */
export async function findEarliestMs(db: Db, websiteKeys: number[]): Promise<number | undefined> {
  const firstEventMs = db
    .select({ createdAtMs: events.createdAtMs })
    .from(events)
    .where(eq(events.websiteKey, websites.key))
    .orderBy(asc(events.createdAtMs))
    .limit(1);
  const [row] = await db
    .select({ ms: sql<number | null>`min(coalesce(${firstEventMs}, ${websites.createdAtMs}))` })
    .from(websites)
    .where(inArray(websites.key, websiteKeys));
  return row?.ms ?? undefined;
}
