import { isNull } from 'drizzle-orm';
import type { Filter } from '../analytics/interface/selection.ts';
import type { Goal, GoalInput, GoalUpdate } from '../contract/goal.ts';
import type { Db } from '../db/open.ts';
import { goals } from '../db/schema.ts';
import type { Listed, ListPage } from '../http/list-page.ts';
import { GOALS_MAX, missingReadyGoals } from '../vocabulary/contract.ts';
import { createWebsiteRows } from '../websites/website-rows.ts';
import { toCondition } from './condition.ts';
import { requireMatch, toValueColumns } from './rules.ts';
import { toGoal } from './wire.ts';

/** A goal as it is counted. */
export type CountedGoal = { goal: Goal; condition: Filter };

const NEW = { properties: [], valueMinor: null, currency: null, isPublic: false, archivedAtMs: null };

export type Goals = ReturnType<typeof createGoals>;

/** The rules of goals. Whose website it is has been decided before. */
export function createGoals({ db, now }: { db: Db; now: () => number }) {
  const rows = createWebsiteRows({
    db,
    now,
    table: goals,
    names: ['goal', 'goals'],
    rowsMax: GOALS_MAX,
    orderBy: goals.name,
  });

  return {
    /** Goals by name, with the archived ones if requested. */
    async list(websiteKey: number, page: ListPage, withArchived: boolean): Promise<Listed<Goal>> {
      const isWanted = withArchived ? undefined : isNull(goals.archivedAtMs);
      const listed = await rows.page(websiteKey, page, isWanted);
      return { ...listed, rows: listed.rows.map(toGoal) };
    },

    /** All of them, with what reaches them. */
    listCounted: async (websiteKey: number): Promise<CountedGoal[]> =>
      (await rows.list(websiteKey)).map((row) => ({ goal: toGoal(row), condition: toCondition(row) })),

    /** @throws NOT_FOUND */
    get: async (websiteKey: number, id: string) => toGoal(await rows.require(websiteKey, id)),

    /** @throws VALIDATION_ERROR, and CONFLICT for a name that is taken or one goal too many */
    async create(websiteKey: number, { name, type, match, properties, value, isPublic }: GoalInput) {
      requireMatch({ type, match });
      const columns = { name, type, match, ...toValueColumns(value) };
      await rows.requireRoom(websiteKey);
      const given = { properties: toProperties(properties) ?? [], isPublic: isPublic ?? false };
      return toGoal(await rows.insert(websiteKey, { ...NEW, ...columns, ...given }));
    },

    /** Adds those that are not there yet, whatever they are called. @returns what was added @throws CONFLICT */
    async addReady(websiteKey: number): Promise<Goal[]> {
      const missing = missingReadyGoals(await rows.list(websiteKey));
      await rows.requireRoom(websiteKey, missing.length);
      const added: Goal[] = [];
      for (const ready of missing) added.push(toGoal(await rows.insert(websiteKey, { ...NEW, ...ready })));
      return added;
    },

    /** Changes the fields that are present. @throws also what `create` throws */
    async update(websiteKey: number, id: string, input: GoalUpdate): Promise<Goal> {
      const before = await rows.require(websiteKey, id);
      const { name, type, match, properties, value, isPublic, isArchived } = input;
      requireMatch({ type: type ?? before.type, match: match ?? before.match });
      const changes = {
        name,
        type,
        match,
        properties: toProperties(properties),
        isPublic,
        ...toValueColumns(value),
        ...(isArchived !== undefined && { archivedAtMs: isArchived ? (before.archivedAtMs ?? now()) : null }),
      };
      return toGoal(await rows.update(before, changes));
    },

    /** @throws NOT_FOUND */
    remove: rows.remove,
  };
}

/** Drops unknown fields of the conditions. */
function toProperties(properties: GoalInput['properties']): GoalInput['properties'] {
  return properties?.map(({ key, operator, values }) => ({ key, operator, values }));
}
