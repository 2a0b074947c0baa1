import type { FunnelInput, FunnelUpdate, SavedFunnel } from '../contract/saved-funnel.ts';
import type { Db } from '../db/open.ts';
import { funnels } from '../db/schema.ts';
import type { Listed, ListPage } from '../http/list-page.ts';
import { FUNNELS_MAX } from '../vocabulary/contract.ts';
import { validationError } from '../vocabulary/errors.ts';
import type { OpenedWebsite } from '../websites/row-routes.ts';
import { createWebsiteRows } from '../websites/website-rows.ts';

type FunnelRow = typeof funnels.$inferSelect;
export type FunnelParts = Pick<FunnelRow, 'steps' | 'window'>;

/** Result of checking a funnel against the rules of reports. */
export type JudgedFunnel = {
  /** Faults by field. */
  faults: Partial<Record<keyof FunnelParts, string[]>>;
  /** With goals by their ids. */
  steps: unknown[];
};

type Deps = {
  db: Db;
  now: () => number;
  /** Judges the funnels of one website, whose goals and segments it reads once. */
  openJudge: (website: OpenedWebsite) => Promise<Judge>;
};

/** `isSaved`: asks what has become wrong since it was saved, and compiles nothing. */
type Judge = (parts: FunnelParts, options: { isSaved: boolean }) => JudgedFunnel;

export type Funnels = ReturnType<typeof createFunnels>;

/** The rules of saved funnels. That the caller manages the website has been decided before. */
export function createFunnels({ db, now, openJudge }: Deps) {
  const rows = createWebsiteRows({
    db,
    now,
    table: funnels,
    names: ['funnel', 'funnels'],
    rowsMax: FUNNELS_MAX,
    orderBy: funnels.name,
  });

  /** @throws VALIDATION_ERROR */
  async function requireAskable(website: OpenedWebsite, parts: FunnelParts): Promise<JudgedFunnel> {
    const judged = (await openJudge(website))(parts, { isSaved: false });
    if (Object.keys(judged.faults).length > 0) throw validationError('Invalid request data', judged.faults);
    return judged;
  }

  return {
    /** Funnels by name. */
    async list(website: OpenedWebsite, page: ListPage): Promise<Listed<SavedFunnel>> {
      const judge = await openJudge(website);
      const listed = await rows.page(website.key, page);
      return { ...listed, rows: listed.rows.map((row) => toSavedFunnel(row, judge(row, { isSaved: true }))) };
    },

    /** @throws NOT_FOUND */
    async get(website: OpenedWebsite, id: string): Promise<SavedFunnel> {
      const row = await rows.require(website.key, id);
      const judge = await openJudge(website);
      return toSavedFunnel(row, judge(row, { isSaved: true }));
    },

    /** @throws VALIDATION_ERROR, and CONFLICT for a name that is taken or one funnel too many */
    async create(website: OpenedWebsite, input: FunnelInput): Promise<SavedFunnel> {
      const { name, by = 'visitor', order = 'loose', window = null } = input;
      const judged = await requireAskable(website, { steps: input.steps, window });
      await rows.requireRoom(website.key);
      const columns = { name, by, order, window, steps: judged.steps };
      return toSavedFunnel(await rows.insert(website.key, columns), judged);
    },

    /** Changes the fields that are present. @throws also what `create` throws */
    async update(website: OpenedWebsite, id: string, input: FunnelUpdate): Promise<SavedFunnel> {
      const before = await rows.require(website.key, id);
      const { name, by, order, window, steps } = input;
      // One whose goal was deleted can still be renamed.
      const isAskable = steps !== undefined || window !== undefined;
      const judged =
        isAskable &&
        (await requireAskable(website, { steps: steps ?? before.steps, window: window ?? null }));
      const kept = judged && steps ? judged.steps : undefined;
      const row = await rows.update(before, { name, by, order, window, steps: kept });
      const judge = await openJudge(website);
      return toSavedFunnel(row, judge(row, { isSaved: true }));
    },

    /** @throws NOT_FOUND */
    remove: ({ key }: OpenedWebsite, id: string) => rows.remove(key, id),
  };
}

function toSavedFunnel(row: FunnelRow, { faults }: JudgedFunnel): SavedFunnel {
  const { id, name, steps, by, order, window, createdAtMs, updatedAtMs } = row;
  return {
    id,
    name,
    steps,
    by,
    order,
    window,
    faults: Object.values(faults).flat(),
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  };
}
