import { and, eq, gte, lt } from 'drizzle-orm';
import type { Annotation, AnnotationInput, AnnotationUpdate } from '../contract/annotation.ts';
import type { Db } from '../db/open.ts';
import { annotations } from '../db/schema.ts';
import type { Listed, ListPage } from '../http/list-page.ts';
import { ANNOTATIONS_MAX } from '../vocabulary/contract.ts';
import { DAY_MS } from '../vocabulary/durations.ts';
import { validationError } from '../vocabulary/errors.ts';
import type { WebsiteRow } from '../websites/store.ts';
import { createWebsiteRows } from '../websites/website-rows.ts';

export type AnnotationRow = typeof annotations.$inferSelect;
type Website = Pick<WebsiteRow, 'key' | 'timezone'>;

type Deps = {
  db: Db;
  now: () => number;
  /** The instant that a text means in a time zone, as questions read it. */
  readInstant: (text: string, timezone: string) => number | undefined;
};

export type Annotations = ReturnType<typeof createAnnotations>;

/** A day may begin and end so long before or after it does in UTC. */
const NEAR_MS = 2 * DAY_MS;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The rules of annotations. That the caller manages the website has been decided before. */
export function createAnnotations({ db, now, readInstant }: Deps) {
  const rows = createWebsiteRows({
    db,
    now,
    table: annotations,
    names: ['annotation', 'annotations'],
    rowsMax: ANNOTATIONS_MAX,
    orderBy: annotations.atMs,
  });

  /** @throws VALIDATION_ERROR */
  function readAt({ timezone }: Website, at: string | number): Pick<AnnotationRow, 'atMs' | 'isDay'> {
    const text = String(at).trim();
    const isDay = DAY.test(text);
    const atMs = readInstant(text, isDay ? 'UTC' : timezone);
    if (atMs === undefined)
      throw validationError('Invalid request data', {
        at: [
          'Must be a day such as 2026-11-20, a time such as 2026-11-20T13:00, or milliseconds since the epoch',
        ],
      });
    return { atMs, isDay };
  }

  return {
    /** Annotations by time. */
    async list({ key }: Website, page: ListPage): Promise<Listed<Annotation>> {
      const listed = await rows.page(key, page);
      return { ...listed, rows: listed.rows.map(toAnnotation) };
    },

    /** Annotations of a range and some time around it, by time. */
    listAround(
      websiteKey: number,
      { fromMs, toMs }: { fromMs: number; toMs: number },
      onlyPublic: boolean,
    ): Promise<AnnotationRow[]> {
      const isShown = onlyPublic ? eq(annotations.isPublic, true) : undefined;
      const isNear = and(gte(annotations.atMs, fromMs - NEAR_MS), lt(annotations.atMs, toMs + NEAR_MS));
      return rows.list(websiteKey, and(isNear, isShown));
    },

    /** @throws NOT_FOUND */
    get: async ({ key }: Website, id: string) => toAnnotation(await rows.require(key, id)),

    /** @throws VALIDATION_ERROR, and CONFLICT for one annotation too many */
    async create(website: Website, { at, text, isPublic = false }: AnnotationInput): Promise<Annotation> {
      const columns = readAt(website, at ?? now());
      await rows.requireRoom(website.key);
      return toAnnotation(await rows.insert(website.key, { ...columns, text, isPublic }));
    },

    /** Changes the fields that are present. @throws also what `create` throws */
    async update(website: Website, id: string, input: AnnotationUpdate): Promise<Annotation> {
      const before = await rows.require(website.key, id);
      const { at, text, isPublic } = input;
      const columns = at === undefined ? {} : readAt(website, at);
      return toAnnotation(await rows.update(before, { ...columns, text, isPublic }));
    },

    /** @throws NOT_FOUND */
    remove: ({ key }: Website, id: string) => rows.remove(key, id),
  };
}

function toAnnotation({ id, atMs, isDay, text, isPublic, ...row }: AnnotationRow): Annotation {
  const instant = new Date(atMs).toISOString();
  return {
    id,
    at: isDay ? instant.slice(0, 10) : instant,
    text,
    isPublic,
    createdAt: new Date(row.createdAtMs).toISOString(),
    updatedAt: new Date(row.updatedAtMs).toISOString(),
  };
}
