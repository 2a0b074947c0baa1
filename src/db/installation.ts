import { eq } from 'drizzle-orm';
import type { Db } from './open.ts';
import { serverSettings } from './schema.ts';

const NAME = 'installation';

/** Of a database, made when it is first asked for: what belongs to it and lies elsewhere carries the id as well. */
export async function findInstallationId(db: Db): Promise<string> {
  await db.insert(serverSettings).values({ name: NAME, value: crypto.randomUUID() }).onConflictDoNothing();
  const [row] = await db
    .select({ value: serverSettings.value })
    .from(serverSettings)
    .where(eq(serverSettings.name, NAME))
    .limit(1);
  if (!row) throw new Error('The database has lost its installation id.');
  return row.value;
}
