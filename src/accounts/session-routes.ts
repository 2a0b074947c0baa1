import { Elysia, t } from 'elysia';
import { Deleted, SessionList } from '../contract/account.ts';
import { failures } from '../contract/fault.ts';
import { describe } from './documented.ts';
import { requireLogin } from './require-user.ts';
import type { Accounts } from './service.ts';

/** /auth/sessions: where the account is logged in. Closed to API keys, which are not logins. */
export function sessionRoutes(accounts: Accounts) {
  return new Elysia({ prefix: '/sessions' })
    .use(requireLogin(accounts))
    .get('', ({ caller, loginId }) => accounts.listSessions(caller.userId, loginId), {
      response: { 200: SessionList, ...failures('UNAUTHORIZED', 'FORBIDDEN') },
      detail: describe(
        'listLogins',
        'List logins',
        'Those that have neither ended nor expired. Addresses are not stored.',
      ),
    })
    .delete(
      '/:id',
      async ({ caller, params }) => {
        await accounts.endSession(caller.userId, params.id);
        return { success: true as const, message: 'Session ended' };
      },
      {
        params: t.Object({ id: t.String({ description: 'id of the login.' }) }),
        response: { 200: Deleted, ...failures('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND') },
        detail: describe(
          'endLogin',
          'End a login',
          'Its access and refresh tokens get 401 from now on; also the one that asks can be ended.',
        ),
      },
    );
}
