import { Elysia, t } from 'elysia';
import { openWebsite, REFUSALS, REFUSALS_OF_BODIES, WebsiteId } from '../access/website-guard.ts';
import { requireUser } from '../accounts/require-user.ts';
import type { Accounts } from '../accounts/service.ts';
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
import type { OperationId } from '../vocabulary/rights.ts';
import type { ListDeps } from './row-routes.ts';
import type { Websites } from './service.ts';
import { toSettings, toWebsite } from './wire.ts';

const UNAUTHORIZED = 'Missing or invalid authorization header';

type Deps = ListDeps & { accounts: Accounts; websites: Websites };

export function websiteRoutes(deps: Deps) {
  return new Elysia({ prefix: '/websites' }).use(listRoutes(deps)).use(oneRoutes(deps));
}

/** Registers websites and lists them. */
function listRoutes({ accounts, websites, bodies, lists, answerBudget }: Deps) {
  return new Elysia()
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
        const { rows, total } = await lists(userId, request, () => websites.listVisible(userId, page));
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
          'Your own and those that are shared with you, each with your role, in order of creation; all of them, or a page.',
        ),
      },
    );
}

/** One website. Refusals come in this order: 401, 404 and 403 by the guard, then the body's 400. */
function oneRoutes(deps: Deps) {
  const { websites, bodies } = deps;
  return new Elysia()
    .use(openWebsite(deps, UNAUTHORIZED))
    .use(bodies.json())
    .get('/:id', ({ website, access }) => toWebsite(website, access.role), {
      params: WebsiteId,
      response: { 200: Website, ...failures(...REFUSALS) },
      detail: describe(
        'getWebsite',
        'Fetch a website',
        'The website of another account is not found, unless that account shares it with you.',
      ),
    })
    .put('/:id', ({ access, body }) => websites.update(access, body), {
      transform: trimFields('name', 'domain', 'description'),
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
      async ({ website, access }) => {
        await websites.remove(website.userId ?? '', website.id, access.userId);
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
    .get('/:id/settings', ({ website }) => toSettings(website), {
      params: WebsiteId,
      response: { 200: WebsiteSettings, ...failures(...REFUSALS) },
      detail: describe(
        'getWebsiteSettings',
        'Fetch the settings of a website',
        'All of them, also those that were never set.',
      ),
    })
    .patch('/:id/settings', ({ access, body }) => websites.updateSettings(access, body), {
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
    });
}

function describe(operationId: OperationId, summary: string, description: string) {
  return { tags: ['Websites'], operationId, summary, description };
}
