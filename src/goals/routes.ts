import { Elysia, t } from 'elysia';
import { USER_SECURITY } from '../accounts/require-user.ts';
import { failures } from '../contract/fault.ts';
import {
  Goal,
  GoalDeleted,
  GoalInput,
  GoalList,
  GoalsAdded,
  GoalsQuery,
  GoalUpdate,
} from '../contract/goal.ts';
import { GOALS_MAX } from '../contract/vocabulary.ts';
import { jsonBody } from '../http/json-body.ts';
import { createParameters } from '../http/parameters.ts';
import { trimFields } from '../http/trim-fields.ts';
import {
  type OwnWebsiteDeps,
  ownWebsite,
  pathText,
  REFUSALS,
  REFUSALS_OF_BODIES,
  WebsiteId,
  websiteId,
} from '../websites/own-website.ts';
import type { Goals } from './service.ts';

type Deps = OwnWebsiteDeps & { goals: Goals };

/** Goals of a website, for its owner. Refusals come in this order: 401 and 403, 404, then the body's 400. */
export function goalRoutes({ goals, ...deps }: Deps) {
  async function mustExist({ website, params }: { website: { key: number }; params: object }): Promise<void> {
    await goals.get(website.key, pathText(params, 'goalId'));
  }

  return new Elysia({ prefix: '/websites/:id/goals' })
    .use(ownWebsite(deps))
    .use(jsonBody())
    .get(
      '',
      async ({ website, request }) => {
        const parameters = createParameters(request.url);
        const isArchived = parameters.flag('archived');
        parameters.finish();
        const list = await goals.list(website.key, isArchived);
        return { goals: list, total: list.length };
      },
      {
        params: WebsiteId,
        query: t.NoValidate(GoalsQuery),
        response: { 200: GoalList, ...failures('VALIDATION_ERROR', ...REFUSALS) },
        detail: describe('listGoals', 'List goals', 'By name. Archived ones when they are asked for.'),
      },
    )
    .post('', async ({ website, body, status }) => status(201, await goals.create(website.key, body)), {
      transform: trimFields('name', 'match'),
      params: WebsiteId,
      body: GoalInput,
      response: { 201: Goal, ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT') },
      detail: describe(
        'createGoal',
        'Add a goal',
        `It counts at once, over everything that is stored. A name that is taken is a 409; so is one more than ${GOALS_MAX} goals.`,
      ),
    })
    .post('/ready-made', async ({ website }) => ({ goals: await goals.addReady(website.key) }), {
      params: WebsiteId,
      response: { 200: GoalsAdded, ...failures(...REFUSALS, 'CONFLICT') },
      detail: describe(
        'addReadyGoals',
        'Add the goals that most websites have',
        'Outbound links, downloads, form submissions and pages that were not found; those that are there already stay as they are.',
      ),
    })
    .get('/:goalId', ({ website, params }) => goals.get(website.key, params.goalId), {
      params: GoalId,
      response: { 200: Goal, ...failures(...REFUSALS) },
      detail: describe('getGoal', 'Fetch a goal', 'Also one that is archived.'),
    })
    .patch('/:goalId', ({ website, params, body }) => goals.update(website.key, params.goalId, body), {
      transform: [mustExist, trimFields('name', 'match')],
      params: GoalId,
      body: GoalUpdate,
      response: { 200: Goal, ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT') },
      detail: describe(
        'updateGoal',
        'Change, rename or archive a goal',
        'What is absent stays. Its figures, those of the past included, are then those of the new condition.',
      ),
    })
    .delete(
      '/:goalId',
      async ({ website, params }) => {
        await goals.remove(website.key, params.goalId);
        return { success: true as const, message: 'Goal deleted' };
      },
      {
        params: GoalId,
        response: { 200: GoalDeleted, ...failures(...REFUSALS) },
        detail: describe(
          'deleteGoal',
          'Delete a goal',
          'No event is lost: the same goal added again counts the same.',
        ),
      },
    );
}

const GoalId = t.NoValidate(
  t.Object({
    ...websiteId,
    goalId: t.String({ description: 'id of the goal.' }),
  }),
);

function describe(operationId: string, summary: string, description: string) {
  return { tags: ['Goals'], operationId, summary, description, security: USER_SECURITY };
}
