import { and, inArray, isNull } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { websites } from '../db/schema.ts';

/** Returns those of the websites that exist and are not deleted. */
export async function findLiveWebsites(db: Db, websiteKeys: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .select({ key: websites.key })
    .from(websites)
    .where(and(inArray(websites.key, [...websiteKeys]), isNull(websites.deletedAtMs)));
  return new Set(rows.map(({ key }) => key));
}
