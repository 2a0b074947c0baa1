import { REFUSALS, WebsiteId } from '../access/website-guard.ts';
import { failures } from '../contract/fault.ts';
import { Goal, GoalInput, GoalList, GoalsAdded, GoalUpdate } from '../contract/goal.ts';
import { GOALS_MAX } from '../vocabulary/contract.ts';
import { type ListDeps, type OpenedWebsite, rowRoutes } from '../websites/row-routes.ts';
import type { Goals } from './service.ts';

/** Goals of a website. Their values are shown to callers who see its revenue. */
export function goalRoutes(deps: ListDeps, goals: Goals) {
  return rowRoutes(deps, {
    service: {
      async list(website, page, { withArchived }) {
        const { rows, total } = await goals.list(website.key, page, withArchived);
        return { rows: rows.map((goal) => toShown(website, goal)), total };
      },
      get: async (website, id) => toShown(website, await goals.get(website.key, id)),
      create: ({ key }, input) => goals.create(key, input),
      update: ({ key }, id, input) => goals.update(key, id, input),
      remove: ({ key }, id) => goals.remove(key, id),
    },
    tag: 'Goals',
    path: 'goals',
    name: 'Goal',
    operationName: 'Goal',
    article: 'a goal',
    schemas: { one: Goal, list: GoalList, input: GoalInput, update: GoalUpdate },
    hasArchived: true,
    trimmed: ['name', 'match'],
    about: {
      list: 'By name. Archived ones when they are asked for.',
      create: `It counts at once, over everything that is stored. A name that is taken is a 409; so is one more than ${GOALS_MAX} goals.`,
      update:
        'Changes, renames or archives. What is absent stays. Its figures, those of the past included, are then those of the new condition.',
      remove: 'No event is lost: the same goal added again counts the same.',
    },
  }).post('/ready-made', async ({ website }) => ({ goals: await goals.addReady(website.key) }), {
    params: WebsiteId,
    response: { 200: GoalsAdded, ...failures(...REFUSALS, 'CONFLICT') },
    detail: {
      tags: ['Goals'],
      operationId: 'addReadyGoals',
      summary: 'Add the goals that most websites have',
      description:
        'Outbound links, downloads, form submissions and pages that were not found; those that are there already stay as they are.',
    },
  });
}

function toShown({ hides }: OpenedWebsite, goal: Goal): Goal {
  return hides.includes('revenue') ? { ...goal, value: null } : goal;
}
