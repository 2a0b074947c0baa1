import { Elysia, t } from 'elysia';
import { type Caller, requireUser, USER_SECURITY } from '../accounts/require-user.ts';
import { failures } from '../contract/fault.ts';
import { ListQuery } from '../contract/list-query.ts';
import {
  Website,
  WebsiteDeleted,
  WebsiteInput,
  WebsiteList,
  WebsiteSettings,
  WebsiteSettingsInput,
  WebsiteUpdate,
} from '../contract/website.ts';
import { readListPage } from '../http/list-page.ts';
import { createParameters } from '../http/parameters.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { senderAddress } from '../http/sender-address.ts';
import { trimFields } from '../http/trim-fields.ts';
import { type ListDeps, REFUSALS, REFUSALS_OF_BODIES, WebsiteId } from './own-website.ts';

const UNAUTHORIZED = 'Missing or invalid authorization header';

/** Refusals come in this order: 401 and 403 by the guard, 404 by `mustOwn`, then the body's 400. */
export function websiteRoutes({ accounts, websites, bodies, lists, answerBudget }: ListDeps) {
  async function mustOwn({ caller, params }: { caller: Caller; params: { id: string } }): Promise<void> {
    await websites.requireOwned(caller.userId, params.id);
  }

  return new Elysia({ prefix: '/websites' })
    .use(requireUser(accounts, UNAUTHORIZED))
    .use(senderAddress())
    .use(bodies.json())
    .post('', async ({ caller, body, status }) => status(201, await websites.create(caller.userId, body)), {
      transform: trimFields('name', 'domain', 'description'),
      body: WebsiteInput,
      response: {
        201: Website,
        ...failures('UNAUTHORIZED', 'FORBIDDEN', ...REFUSALS_OF_BODIES, 'CONFLICT', 'INTERNAL_ERROR'),
      },
      detail: describe(
        'createWebsite',
        'Register a website',
        'Answers the tracking code that its events are submitted with. The same domain again is a 409: http or https, www. or not, makes no difference. So is one more than 1,000 websites.',
      ),
    })
    .get(
      '',
      async ({ caller: { userId }, request }) => {
        const parameters = createParameters(request.url);
        const page = readListPage(parameters);
        parameters.finish();
        const { rows, total } = await lists(userId, request, () => websites.list(userId, page));
        return { websites: rows, total };
      },
      {
        mapResponse: sendAnswer(answerBudget),
        query: t.NoValidate(ListQuery),
        response: {
          200: WebsiteList,
          ...failures('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'),
        },
        detail: describe(
          'listWebsites',
          'List your websites',
          'In order of creation; all of them, or a page.',
        ),
      },
    )
    .get('/:id', ({ caller, params }) => websites.get(caller.userId, params.id), {
      params: WebsiteId,
      response: { 200: Website, ...failures(...REFUSALS) },
      detail: describe('getWebsite', 'Fetch a website', 'The website of another account is not found.'),
    })
    .put('/:id', ({ caller, params, body }) => websites.update(caller.userId, params.id, body), {
      transform: [mustOwn, trimFields('name', 'domain', 'description')],
      params: WebsiteId,
      body: WebsiteUpdate,
      response: {
        200: Website,
        ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT'),
      },
      detail: describe(
        'updateWebsite',
        'Change a website',
        'What is absent stays; without a known field nothing changes. The tracking code never changes.',
      ),
    })
    .delete(
      '/:id',
      async ({ caller, params }) => {
        await websites.remove(caller.userId, params.id);
        return { success: true as const, message: 'Website deleted' };
      },
      {
        params: WebsiteId,
        response: { 200: WebsiteDeleted, ...failures(...REFUSALS) },
        detail: describe(
          'deleteWebsite',
          'Delete a website',
          'From now on its events are refused. Those that are stored are removed in the background.',
        ),
      },
    )
    .get('/:id/settings', ({ caller, params }) => websites.getSettings(caller.userId, params.id), {
      params: WebsiteId,
      response: { 200: WebsiteSettings, ...failures(...REFUSALS) },
      detail: describe(
        'getWebsiteSettings',
        'Fetch the settings of a website',
        'All of them, also those that were never set.',
      ),
    })
    .patch(
      '/:id/settings',
      ({ caller, params, body }) => websites.updateSettings(caller.userId, params.id, body),
      {
        transform: mustOwn,
        params: WebsiteId,
        body: WebsiteSettingsInput,
        response: {
          200: WebsiteSettings,
          ...failures(...REFUSALS, ...REFUSALS_OF_BODIES),
        },
        detail: describe(
          'updateWebsiteSettings',
          'Change settings',
          'What is absent stays; a list replaces the whole list.',
        ),
      },
    );
}

function describe(operationId: string, summary: string, description: string) {
  return { tags: ['Websites'], operationId, summary, description, security: USER_SECURITY };
}
