import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { serverSettings } from './schema.ts';

const NAME = 'installation';

/**
 * Returns the id that a database shares with its copies and with its data in other places. The first start creates it, so
 * that all backups have it.
 */
export async function findInstallationId(db: Db): Promise<string> {
  const known = await read(db);
  if (known !== undefined) return known;
  const value = crypto.randomUUID();
  await db.insert(serverSettings).values({ name: NAME, value }).onConflictDoNothing();
  return (await read(db)) ?? value; // another process may have been faster
}

async function read(db: Db): Promise<string | undefined> {
  const [row] = await db
    .select({ value: serverSettings.value })
    .from(serverSettings)
    .where(eq(serverSettings.name, NAME))
    .limit(1);
  return row?.value;
}
