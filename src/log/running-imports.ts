import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { imports } from '../db/schema.ts';

/** Returns those of the imports that are neither finished nor being undone. */
export async function findRunningImports(db: Db, importKeys: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .select({ key: imports.key })
    .from(imports)
    .where(and(inArray(imports.key, [...importKeys]), eq(imports.state, 'running')));
  return new Set(rows.map(({ key }) => key));
}
