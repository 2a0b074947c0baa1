import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { imports, websites } from '../db/schema.ts';
import { type Listed, type ListPage, toListed } from '../http/list-page.ts';
import type { ImportState } from '../vocabulary/contract.ts';

export type ImportRecord = typeof imports.$inferSelect;
type NewImport = Pick<ImportRecord, 'websiteKey' | 'format' | 'source' | 'fingerprint'> &
  Partial<Pick<ImportRecord, 'state' | 'sizeBytes' | 'options'>>;
export type ImportProgress = Pick<ImportRecord, 'rows' | 'accepted' | 'rejected' | 'firstMs' | 'lastMs'>;

/** SQL of imports. */
export function createImportStore(db: Db, now: () => number) {
  const isRunning = (key: number) => and(eq(imports.key, key), eq(imports.state, 'running'));

  async function insert(row: NewImport): Promise<ImportRecord> {
    const atMs = now();
    const [inserted] = await db
      .insert(imports)
      .values({ state: 'running', ...row, id: Bun.randomUUIDv7(), createdAtMs: atMs, updatedAtMs: atMs })
      .returning();
    if (!inserted) throw new Error('The insert of an import returned no row.');
    return inserted;
  }

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
      return interrupted ?? insert(row);
    },

    /** Begins an import whose file is about to be uploaded; undefined when the website has `max` of them. */
    async beginUpload(
      row: Pick<ImportRecord, 'websiteKey' | 'source' | 'options'> & { sizeBytes: number },
      max: number,
    ): Promise<ImportRecord | undefined> {
      const open = and(eq(imports.websiteKey, row.websiteKey), inArray(imports.state, [...OPEN_STATES]));
      if ((await db.$count(imports, and(open, isNotNull(imports.sizeBytes)))) >= max) return undefined;
      return insert({ ...row, state: 'uploading', format: '', fingerprint: '' });
    },

    /** Changes an import that is in one of these states. @returns it as it is then; undefined when it is in another */
    async change(
      key: number,
      states: readonly ImportState[],
      set: Partial<ImportRecord>,
    ): Promise<ImportRecord | undefined> {
      const [changed] = await db
        .update(imports)
        .set({ ...set, updatedAtMs: now() })
        .where(and(eq(imports.key, key), inArray(imports.state, [...states])))
        .returning();
      return changed;
    },

    /** Finds uploads that wait for the import process or were left by it, the oldest first. */
    async listWork(): Promise<Pick<ImportRecord, 'key' | 'id'>[]> {
      return db
        .select({ key: imports.key, id: imports.id })
        .from(imports)
        .where(and(isNotNull(imports.sizeBytes), inArray(imports.state, ['reading', 'running'])))
        .orderBy(asc(imports.key))
        .limit(LISTED_MAX);
    },

    async advance(key: number, progress: ImportProgress): Promise<void> {
      await db
        .update(imports)
        .set({ ...progress, updatedAtMs: now() })
        .where(isRunning(key));
    },

    async finish(key: number, added: number): Promise<void> {
      await db
        .update(imports)
        .set({ state: 'done', added, error: null, updatedAtMs: now() })
        .where(isRunning(key));
    },

    /** Orders that its events are removed: from here on none is added, and any process may remove them. */
    async orderUndo(key: number): Promise<void> {
      await db.update(imports).set({ state: 'undoing', updatedAtMs: now() }).where(eq(imports.key, key));
    },

    async remove(key: number): Promise<void> {
      await db.delete(imports).where(eq(imports.key, key));
    },

    /** Called before the first anonymous event is stored, so that no answer misses it. */
    async markAnonymous(websiteKey: number): Promise<void> {
      await db.update(websites).set({ hasAnonymous: true }).where(eq(websites.key, websiteKey));
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
const OPEN_STATES: readonly ImportState[] = ['uploading', 'reading', 'ready', 'running', 'failed'];

export type ImportStore = ReturnType<typeof createImportStore>;
