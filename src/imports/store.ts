import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { imports, websites } from '../db/schema.ts';
import { type Listed, type ListPage, toListed } from '../http/list-page.ts';

export type ImportRecord = typeof imports.$inferSelect;
type NewImport = Pick<ImportRecord, 'websiteKey' | 'format' | 'source' | 'fingerprint'>;
export type ImportProgress = Pick<ImportRecord, 'rows' | 'accepted' | 'rejected' | 'firstMs' | 'lastMs'>;

/** SQL of imports. */
export function createImportStore(db: Db, now: () => number) {
  const isRunning = (key: number) => and(eq(imports.key, key), eq(imports.state, 'running'));

  return {
    /** Finds an interrupted import of the same files and options, or begins one. */
    async begin(row: NewImport): Promise<ImportRecord> {
      const [interrupted] = await db
        .select()
        .from(imports)
        .where(
          and(
            eq(imports.websiteKey, row.websiteKey),
            eq(imports.fingerprint, row.fingerprint),
            eq(imports.state, 'running'),
          ),
        )
        .limit(1);
      if (interrupted) return interrupted;
      const atMs = now();
      const [inserted] = await db
        .insert(imports)
        .values({ ...row, id: Bun.randomUUIDv7(), state: 'running', createdAtMs: atMs, updatedAtMs: atMs })
        .returning();
      if (!inserted) throw new Error('The insert of an import returned no row.');
      return inserted;
    },

    async advance(key: number, progress: ImportProgress): Promise<void> {
      await db
        .update(imports)
        .set({ ...progress, updatedAtMs: now() })
        .where(isRunning(key));
    },

    async finish(key: number, added: number): Promise<void> {
      await db.update(imports).set({ state: 'done', added, updatedAtMs: now() }).where(isRunning(key));
    },

    /** Orders that its events are removed: from here on none is added, and any process may remove them. */
    async orderUndo(key: number): Promise<void> {
      await db.update(imports).set({ state: 'undoing', updatedAtMs: now() }).where(eq(imports.key, key));
    },

    async remove(key: number): Promise<void> {
      await db.delete(imports).where(eq(imports.key, key));
    },

    async find(id: string): Promise<ImportRecord | undefined> {
      const [row] = await db.select().from(imports).where(eq(imports.id, id)).limit(1);
      return row;
    },

    async listPage(websiteKey: number, page: ListPage): Promise<Listed<ImportRecord>> {
      const ofWebsite = eq(imports.websiteKey, websiteKey);
      const rows = await db
        .select()
        .from(imports)
        .where(ofWebsite)
        .orderBy(asc(imports.key))
        .limit(page.limit)
        .offset(page.offset);
      return toListed(rows, page, () => db.$count(imports, ofWebsite));
    },

    /** Lists the imports of one website, or of all, in the order in which they began. */
    list(websiteKey?: number): Promise<(ImportRecord & { domain: string })[]> {
      return db
        .select()
        .from(imports)
        .innerJoin(websites, eq(websites.key, imports.websiteKey))
        .where(websiteKey === undefined ? undefined : eq(imports.websiteKey, websiteKey))
        .orderBy(asc(imports.key))
        .limit(LISTED_MAX)
        .then((rows) => rows.map((row) => ({ ...row.imports, domain: row.websites.domain })));
    },
  };
}

const LISTED_MAX = 1_000;

export type ImportStore = ReturnType<typeof createImportStore>;
