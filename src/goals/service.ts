import type { Filter } from '../analytics/analytics.ts';
import type { Goal, GoalInput, GoalUpdate } from '../contract/goal.ts';
import { FORM_EVENT, GOALS_MAX, NOT_FOUND_EVENT } from '../contract/vocabulary.ts';
import { sqliteExtendedCode } from '../db/busy.ts';
import type { Db } from '../db/open.ts';
import { AppError } from '../errors.ts';
import { toCondition } from './condition.ts';
import { requireMatch, toValueColumns } from './rules.ts';
import { createGoalStore, type GoalRow } from './store.ts';
import { toGoal } from './wire.ts';

/** A goal as it is counted. */
export type CountedGoal = { goal: Goal; condition: Filter };

export type Goals = ReturnType<typeof createGoals>;

type Ready = Pick<GoalRow, 'name' | 'type' | 'match'>;
/** What most websites want to know, and the tracker tells. */
export const READY_GOALS: readonly Ready[] = [
  { name: 'Outbound links', type: 'click', match: 'outbound' },
  { name: 'Downloads', type: 'click', match: 'download' },
  { name: 'Form submissions', type: 'event', match: FORM_EVENT },
  { name: 'Pages not found', type: 'event', match: NOT_FOUND_EVENT },
];

/** The rules of goals. Whose website it is has been decided before. */
export function createGoals({ db, now }: { db: Db; now: () => number }) {
  const store = createGoalStore(db);

  /** @throws CONFLICT when the name is taken */
  async function insert(websiteKey: number, columns: Ready & Partial<GoalRow>): Promise<GoalRow> {
    const nowMs = now();
    const row: GoalRow = {
      id: crypto.randomUUID(),
      websiteKey,
      properties: [],
      valueMinor: null,
      currency: null,
      isPublic: false,
      archivedAtMs: null,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      ...columns,
    };
    await refusingTakenName(() => store.insert(row));
    return row;
  }

  async function requireRoom(websiteKey: number, wanted: number): Promise<void> {
    if ((await store.countOf(websiteKey)) + wanted > GOALS_MAX)
      throw new AppError('CONFLICT', `A website has at most ${GOALS_MAX} goals; delete one first`);
  }

  async function require(websiteKey: number, id: string): Promise<GoalRow> {
    const row = await store.find(websiteKey, id);
    if (!row) throw notFoundError();
    return row;
  }

  return {
    /** By name; archived ones when they are wanted. */
    list: async (websiteKey: number, withArchived: boolean) =>
      (await store.list(websiteKey, withArchived)).map(toGoal),

    /** All of them, with what reaches them. */
    listCounted: async (websiteKey: number): Promise<CountedGoal[]> =>
      (await store.list(websiteKey, true)).map((row) => ({ goal: toGoal(row), condition: toCondition(row) })),

    /** @throws NOT_FOUND */
    get: async (websiteKey: number, id: string) => toGoal(await require(websiteKey, id)),

    /** @throws VALIDATION_ERROR, and CONFLICT for a name that is taken or one goal too many */
    async create(websiteKey: number, { name, type, match, properties, value, isPublic }: GoalInput) {
      requireMatch({ type, match });
      const columns = { name, type, match, ...toValueColumns(value) };
      await requireRoom(websiteKey, 1);
      const row = await insert(websiteKey, {
        ...columns,
        properties: properties ?? [],
        isPublic: isPublic ?? false,
      });
      return toGoal(row);
    },

    /** Adds those that are not there yet, whatever they are called. @returns what was added @throws CONFLICT */
    async addReady(websiteKey: number): Promise<Goal[]> {
      const present = await store.list(websiteKey, true);
      const missing = READY_GOALS.filter(
        (ready) =>
          !present.some(({ name }) => name === ready.name) &&
          !present.some(({ type, match }) => type === ready.type && match === ready.match),
      );
      await requireRoom(websiteKey, missing.length);
      const added: Goal[] = [];
      for (const ready of missing) added.push(toGoal(await insert(websiteKey, ready)));
      return added;
    },

    /** What is absent stays. @throws also what `create` throws */
    async update(websiteKey: number, id: string, input: GoalUpdate): Promise<Goal> {
      const before = await require(websiteKey, id);
      const { name, type, match, properties, value, isPublic, isArchived } = input;
      requireMatch({ type: type ?? before.type, match: match ?? before.match });
      const changes = {
        name,
        type,
        match,
        properties,
        isPublic,
        ...toValueColumns(value),
        ...(isArchived !== undefined && { archivedAtMs: isArchived ? (before.archivedAtMs ?? now()) : null }),
      };
      if (Object.values(changes).every((change) => change === undefined)) return toGoal(before);
      const updatedAtMs = Math.max(now(), before.updatedAtMs + 1);
      const row = await refusingTakenName(() => store.update(websiteKey, id, { ...changes, updatedAtMs }));
      if (!row) throw notFoundError(); // deleted meanwhile
      return toGoal(row);
    },

    /** @throws NOT_FOUND */
    async remove(websiteKey: number, id: string): Promise<void> {
      if (!(await store.remove(websiteKey, id))) throw notFoundError();
    },
  };
}

async function refusingTakenName<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (sqliteExtendedCode(error) !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
    throw new AppError('CONFLICT', 'Another goal of this website has this name');
  }
}

function notFoundError(): AppError {
  return new AppError('NOT_FOUND', 'Goal not found');
}
