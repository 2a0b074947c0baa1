import { USER_SECURITY } from '../accounts/require-user.ts';
import { failures } from '../contract/fault.ts';
import { Goal, GoalInput, GoalList, GoalsAdded, GoalUpdate } from '../contract/goal.ts';
import { GOALS_MAX } from '../vocabulary/contract.ts';
import { type ListDeps, REFUSALS, WebsiteId } from '../websites/own-website.ts';
import { rowRoutes } from '../websites/row-routes.ts';
import type { Goals } from './service.ts';

/** Goals of a website, for its owner. */
export function goalRoutes(deps: ListDeps, goals: Goals) {
  return rowRoutes(deps, {
    service: {
      list: ({ key }, page, { withArchived }) => goals.list(key, page, withArchived),
      get: ({ key }, id) => goals.get(key, id),
      create: ({ key }, input) => goals.create(key, input),
      update: ({ key }, id, input) => goals.update(key, id, input),
      remove: ({ key }, id) => goals.remove(key, id),
    },
    tag: 'Goals',
    path: 'goals',
    name: 'Goal',
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
      security: USER_SECURITY,
    },
  });
}
