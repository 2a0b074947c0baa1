import { and, asc, count, eq, type SQL } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { type AuditEntry, CHANGED, toAuditStatement } from '../db/audit.ts';
import { sqliteExtendedCode } from '../db/busy.ts';
import type { Db } from '../db/open.ts';
import { type Listed, type ListPage, toListed, WHOLE_LIST } from '../http/list-page.ts';
import { AppError } from '../vocabulary/errors.ts';

/** Table of rows that users save for a website. */
type WebsiteTable = SQLiteTable & {
  id: AnySQLiteColumn<{ data: string }>;
  websiteKey: AnySQLiteColumn<{ data: number }>;
  createdAtMs: AnySQLiteColumn<{ data: number }>;
  updatedAtMs: AnySQLiteColumn<{ data: number }>;
};
type Managed = { id: string; websiteKey: number; createdAtMs: number; updatedAtMs: number };
/** Columns to change. Undefined keeps the value. */
type Changes<Row> = { [Column in Exclude<keyof Row, keyof Managed>]?: Row[Column] | undefined };

/** A change that returns the rows it changed. */
type Change = BatchItem<'sqlite'> & PromiseLike<unknown[]>;

type Options<Table> = {
  db: Db;
  now: () => number;
  table: Table;
  /** `goal`, `goals`: what the refusals call them. */
  names: readonly [one: string, many: string];
  rowsMax: number;
  orderBy: AnySQLiteColumn | SQL;
};

/** SQL and shared rules of such a table. Callers have checked who owns the website. */
export function createWebsiteRows<Table extends WebsiteTable>(options: Options<Table>) {
  type Row = Table['$inferSelect'] & Managed; // the columns that every such table has
  const { db, now, names, rowsMax, orderBy } = options;
  const [one, many] = names;
  // Drizzle cannot infer the types of a generic table; the functions below state them.
  const table: WebsiteTable = options.table;
  const own = (websiteKey: number, id: string) => and(eq(table.websiteKey, websiteKey), eq(table.id, id));

  /** @throws NOT_FOUND */
  async function require(websiteKey: number, id: string): Promise<Row> {
    const [row] = await db.select().from(table).where(own(websiteKey, id)).limit(1);
    if (!row) throw notFoundError();
    return row as Row; // of this table
  }

  async function list(
    websiteKey: number,
    condition?: SQL,
    { limit, offset }: ListPage = WHOLE_LIST,
  ): Promise<Row[]> {
    const rows = await db
      .select()
      .from(table)
      .where(and(eq(table.websiteKey, websiteKey), condition))
      .orderBy(orderBy, asc(table.id))
      .limit(limit)
      .offset(offset);
    return rows as Row[]; // of this table
  }

  async function countRows(websiteKey: number, condition?: SQL): Promise<number> {
    const [row] = await db
      .select({ total: count() })
      .from(table)
      .where(and(eq(table.websiteKey, websiteKey), condition));
    return row?.total ?? 0;
  }

  function notFoundError(): AppError {
    return new AppError('NOT_FOUND', `${one.charAt(0).toUpperCase()}${one.slice(1)} not found`);
  }

  /** Runs a change, and in the same transaction adds its entry to the audit log. */
  async function withEntry(change: Change, audited: AuditEntry | undefined): Promise<unknown[]> {
    if (!audited) return await change;
    const [rows] = await db.batch([change, toAuditStatement(db, audited, CHANGED)]);
    return rows as unknown[]; // of a change that returns them
  }

  async function refusingTakenName<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write();
    } catch (error) {
      if (sqliteExtendedCode(error) !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
      const message = `Another ${one} of this website has this name`;
      throw new AppError('CONFLICT', message, {
        details: { formErrors: [], fieldErrors: { name: [message] } },
      });
    }
  }

  return {
    require,

    list,

    async page(websiteKey: number, page: ListPage, condition?: SQL): Promise<Listed<Row>> {
      return toListed(await list(websiteKey, condition, page), page, () => countRows(websiteKey, condition));
    },

    /** @throws CONFLICT when there would be too many */
    async requireRoom(websiteKey: number, wanted = 1): Promise<void> {
      if ((await countRows(websiteKey)) + wanted > rowsMax)
        throw new AppError('CONFLICT', `A website has at most ${rowsMax} ${many}; delete one first`);
    },

    /** @throws CONFLICT when the name is taken */
    async insert(websiteKey: number, columns: Omit<Row, keyof Managed>, audited?: AuditEntry): Promise<Row> {
      const nowMs = now();
      const managed = { id: crypto.randomUUID(), websiteKey, createdAtMs: nowMs, updatedAtMs: nowMs };
      const row = { ...columns, ...managed } as Row; // both halves of it
      await refusingTakenName(() => withEntry(db.insert(table).values(row).returning(), audited));
      return row;
    },

    /** @throws NOT_FOUND when it has been deleted since it was read, CONFLICT when the name is taken */
    async update(before: Row, changes: Changes<Row>, audited?: AuditEntry): Promise<Row> {
      if (Object.values(changes).every((change) => change === undefined)) return before;
      const updatedAtMs = Math.max(now(), before.updatedAtMs + 1);
      const [row] = await refusingTakenName(() =>
        withEntry(
          db
            .update(table)
            .set({ ...changes, updatedAtMs })
            .where(own(before.websiteKey, before.id))
            .returning(),
          audited,
        ),
      );
      if (!row) throw notFoundError();
      return row as Row; // of this table
    },

    /** @throws NOT_FOUND */
    async remove(websiteKey: number, id: string, audited?: AuditEntry): Promise<void> {
      const removed = await withEntry(db.delete(table).where(own(websiteKey, id)).returning(), audited);
      if (removed.length === 0) throw notFoundError();
    },
  };
}
