import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { websites } from '../db/schema.ts';

/** The website of an export was deleted while it was written: what there is would be half of it. */
export class WebsiteGone extends Error {
  constructor() {
    super('The website was deleted meanwhile. Nothing is left of the export.');
  }
}

/** @throws WebsiteGone */
export async function requireWebsite(db: Db, key: number): Promise<void> {
  const rows = await db
    .select({ key: websites.key })
    .from(websites)
    .where(and(eq(websites.key, key), isNull(websites.deletedAtMs)))
    .limit(1);
  if (rows.length === 0) throw new WebsiteGone();
}
