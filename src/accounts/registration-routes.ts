import { Elysia } from 'elysia';
import { Registration } from '../contract/account.ts';
import { RegistrationInput } from '../contract/account-input.ts';
import { failures } from '../contract/fault.ts';
import type { Bodies } from '../http/bodies.ts';
import { describe } from './documented.ts';
import { requireLogin } from './require-user.ts';
import type { Accounts } from './service.ts';

/** /auth/registration: whether strangers may make accounts. The owner of the server decides. */
export function registrationRoutes(accounts: Accounts, bodies: Bodies) {
  return new Elysia({ prefix: '/registration' })
    .use(requireLogin(accounts))
    .use(bodies.json())
    .get('', ({ caller }) => accounts.registration.describe(caller.userId), {
      response: { 200: Registration, ...failures('UNAUTHORIZED', 'FORBIDDEN') },
      detail: describe(
        'getRegistration',
        'Whether others may register',
        'And whether the caller may change it: only the account that set the server up may.',
      ),
    })
    .put('', ({ body, caller }) => accounts.registration.set(caller.userId, body.registration), {
      body: RegistrationInput,
      response: {
        200: Registration,
        ...failures('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'),
      },
      detail: describe(
        'setRegistration',
        'Decide whether others may register',
        '403 for any other account than the one that set the server up; 409 when REGISTRATION in the environment decides.',
      ),
    });
}
