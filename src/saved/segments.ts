import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { SavedSegment, SegmentInput, SegmentUpdate } from '../contract/segment.ts';
import type { Db } from '../db/open.ts';
import { savedSegments } from '../db/schema.ts';
import type { Listed, ListPage } from '../http/list-page.ts';
import { SEGMENTS_MAX } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import type { OpenedWebsite } from '../websites/row-routes.ts';
import { createWebsiteRows } from '../websites/website-rows.ts';

/** `callerId`: the account that asks, which sees its own segments as well. */
type Website = Pick<OpenedWebsite, 'key' | 'callerId'>;
type SegmentRow = typeof savedSegments.$inferSelect;
/** `filters` is JSON. */
export type StoredSegment = Pick<SegmentRow, 'id' | 'name' | 'isPublic'> & { filters: string };

type Deps = {
  db: Db;
  now: () => number;
  /** Judges the segments of one website, whose goals it reads once. */
  openJudge: (websiteKey: number) => Promise<Judge>;
};

type Judge = {
  /** Checks filters that are about to be saved. */
  judge: (filters: readonly unknown[]) => JudgedSegment;
  /** Returns the faults that saved filters have acquired since. Compiles nothing. */
  judgeSaved: (filters: readonly unknown[]) => string[];
};

/** Faults of filters, and the filters with goals as ids. */
export type JudgedSegment = { faults: string[]; filters: unknown[] };

export type Segments = ReturnType<typeof createSegments>;

/** The rules of segments. That the caller manages the website has been decided before. */
export function createSegments({ db, now, openJudge }: Deps) {
  const rows = createWebsiteRows({
    db,
    now,
    table: savedSegments,
    names: ['segment', 'segments'],
    rowsMax: SEGMENTS_MAX,
    orderBy: savedSegments.name,
  });

  /** @throws VALIDATION_ERROR */
  function requireReadable(judge: Judge, given: readonly unknown[]): unknown[] {
    const { faults, filters } = judge.judge(given);
    if (faults.length > 0) throw validationError('Invalid request data', { filters: faults });
    return filters;
  }

  /** @throws NOT_FOUND, also for a segment that another user made for their own use */
  async function require({ key, callerId }: Website, id: string): Promise<SegmentRow> {
    const row = await rows.require(key, id);
    if (row.userId !== null && row.userId !== callerId) throw new AppError('NOT_FOUND', 'Segment not found');
    return row;
  }

  /** The segments of the website, and the caller's own. */
  function visibleTo({ callerId }: Website): SQL | undefined {
    const isOwn = callerId === null ? undefined : eq(savedSegments.userId, callerId);
    return or(isNull(savedSegments.userId), isOwn);
  }

  return {
    /** Segments by name, for reports: most of them name no segment, so the filters stay unparsed. */
    listAsStored(website: Website): Promise<StoredSegment[]> {
      const { id, name, isPublic, filters } = savedSegments;
      return db
        .select({ id, name, isPublic, filters: sql<string>`${filters}` })
        .from(savedSegments)
        .where(and(eq(savedSegments.websiteKey, website.key), visibleTo(website)))
        .orderBy(asc(name), asc(id))
        .limit(SEGMENTS_MAX);
    },

    /** Segments by name. */
    async list(website: Website, page: ListPage): Promise<Listed<SavedSegment>> {
      const judge = await openJudge(website.key);
      const listed = await rows.page(website.key, page, visibleTo(website));
      return { ...listed, rows: listed.rows.map((row) => toSegment(row, judge)) };
    },

    /** @throws NOT_FOUND */
    get: async (website: Website, id: string) =>
      toSegment(await require(website, id), await openJudge(website.key)),

    /** @throws VALIDATION_ERROR, and CONFLICT for a name that is taken or one segment too many */
    async create(website: Website, input: SegmentInput): Promise<SavedSegment> {
      const { name, isOwn = false, isPublic = false } = input;
      const judge = await openJudge(website.key);
      const filters = requireReadable(judge, input.filters);
      requireShareable(isOwn, isPublic);
      await rows.requireRoom(website.key);
      const userId = isOwn ? website.callerId : null;
      return toSegment(await rows.insert(website.key, { userId, name, filters, isPublic }), judge);
    },

    /** Changes the fields that are present. @throws also what `create` throws */
    async update(website: Website, id: string, input: SegmentUpdate): Promise<SavedSegment> {
      const before = await require(website, id);
      const { name, isOwn, isPublic } = input;
      const judge = await openJudge(website.key);
      // One whose goal was deleted can still be renamed.
      const filters = input.filters && requireReadable(judge, input.filters);
      requireShareable(isOwn ?? before.userId !== null, isPublic ?? before.isPublic);
      const owner = isOwn === undefined ? {} : { userId: isOwn ? website.callerId : null };
      return toSegment(await rows.update(before, { name, filters, isPublic, ...owner }), judge);
    },

    /** @throws NOT_FOUND */
    async remove(website: Website, id: string): Promise<void> {
      await require(website, id);
      await rows.remove(website.key, id);
    },
  };
}

/** @throws VALIDATION_ERROR */
function requireShareable(isOwn: boolean, isPublic: boolean): void {
  if (isOwn && isPublic)
    throw validationError('Invalid request data', {
      isPublic: ['Only a segment of the website can be shown to the public, not one of your own'],
    });
}

function toSegment(row: SegmentRow, { judgeSaved }: Judge): SavedSegment {
  const { id, name, filters, userId, isPublic, createdAtMs, updatedAtMs } = row;
  return {
    id,
    name,
    filters,
    isOwn: userId !== null,
    isPublic,
    faults: judgeSaved(filters),
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  };
}
