import { Elysia, t } from 'elysia';
import { ApiKeyCreated, ApiKeyList, Deleted } from '../contract/account.ts';
import { ApiKeyInput } from '../contract/account-input.ts';
import { failures } from '../contract/fault.ts';
import type { Bodies } from '../http/bodies.ts';
import { trimFields } from '../http/trim-fields.ts';
import { describe } from './documented.ts';
import { requireLogin } from './require-user.ts';
import type { Accounts } from './service.ts';

/** /auth/api-keys. Managed with a login only: a key cannot make another one. */
export function apiKeyRoutes(accounts: Accounts, bodies: Bodies) {
  const { apiKeys } = accounts;
  return new Elysia({ prefix: '/api-keys' })
    .use(requireLogin(accounts))
    .use(bodies.json())
    .get('', ({ caller }) => apiKeys.list(caller.userId), {
      response: { 200: ApiKeyList, ...failures('UNAUTHORIZED', 'FORBIDDEN') },
      detail: describe('listApiKeys', 'List API keys', 'Without the keys themselves.'),
    })
    .post('', async ({ body, caller, status }) => status(201, await apiKeys.create(caller.userId, body)), {
      transform: trimFields('name'),
      body: ApiKeyInput,
      response: {
        201: ApiKeyCreated,
        ...failures('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'),
      },
      detail: describe(
        'createApiKey',
        'Create an API key',
        'The key is in this answer only. 409 when the account has 100 keys.',
      ),
    })
    .delete(
      '/:id',
      async ({ params, caller }) => {
        await apiKeys.remove(caller.userId, params.id);
        return { success: true as const, message: 'API key deleted' };
      },
      {
        params: t.NoValidate(t.Object({ id: t.String({ description: 'id of the API key.' }) })),
        response: { 200: Deleted, ...failures('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND') },
        detail: describe('deleteApiKey', 'Delete an API key', 'It is refused from now on.'),
      },
    );
}
