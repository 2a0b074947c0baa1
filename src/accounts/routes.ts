import { Elysia } from 'elysia';
import { Deleted, Done, LoggedIn, Profile, Refreshed, Registered, Setup } from '../contract/account.ts';
import {
  AccountDeletionInput,
  LoginInput,
  LogoutAllInput,
  PasswordInput,
  ProfileInput,
  RefreshInput,
  RegisterInput,
} from '../contract/account-input.ts';
import { failures } from '../contract/fault.ts';
import type { Bodies } from '../http/bodies.ts';
import { senderAddress } from '../http/sender-address.ts';
import { absentAsEmpty, nullAsAbsent, trimFields } from '../http/trim-fields.ts';
import type { Limits } from '../limits/limits.ts';
import { apiKeyRoutes } from './api-key-routes.ts';
import { describe, PASSWORD_REFUSALS } from './documented.ts';
import { toEmailKey } from './email-key.ts';
import { registrationRoutes } from './registration-routes.ts';
import { AUTHENTICATION_REQUIRED, requireLogin, requireUser } from './require-user.ts';
import type { Accounts } from './service.ts';
import { sessionRoutes } from './session-routes.ts';

type Deps = {
  accounts: Accounts;
  bodies: Bodies;
  limits: Pick<Limits, 'passwords' | 'registration'>;
};

/** Everything under /auth. */
export function accountRoutes({ accounts, bodies, limits }: Deps) {
  return new Elysia({ prefix: '/auth' })
    .use(openRoutes({ accounts, bodies, limits }))
    .use(profileRoutes(accounts, bodies))
    .use(deletionRoutes({ accounts, bodies, limits }))
    .use(loginRoutes({ accounts, bodies, limits }))
    .use(sessionRoutes(accounts))
    .use(registrationRoutes(accounts, bodies))
    .use(apiKeyRoutes(accounts, bodies));
}

function openRoutes({ accounts, bodies, limits }: Deps) {
  return new Elysia()
    .use(senderAddress())
    .get('/setup', ({ isDirect }) => accounts.registration.setup(isDirect), {
      response: { 200: Setup },
      detail: describe(
        'getSetup',
        'Who may register',
        'Needs no credentials: it is what the first page of a new server asks.',
      ),
    })
    .use(bodies.json())
    .post(
      '/register',
      async ({ body, isDirect, limitedAddress, request, status }) => {
        const network = limits.registration(limitedAddress);
        const sender = { userAgent: userAgentOf(request), isDirect, network };
        return status(201, await accounts.register(body, sender));
      },
      {
        transform: [trimFields('email', 'name'), nullAsAbsent('name')],
        body: RegisterInput,
        response: {
          201: Registered,
          ...failures(
            'VALIDATION_ERROR',
            'FORBIDDEN',
            'CONFLICT',
            'UNSUPPORTED_MEDIA_TYPE',
            'SERVICE_UNAVAILABLE',
          ),
        },
        detail: describe(
          'register',
          'Register an account',
          "Also logs in, and returns an API key with all scopes. 403 when `REGISTRATION=closed` and there is an account already, or the first one comes from elsewhere than the server's own machine and without `setupCode`. 409 when the address is taken.",
        ),
      },
    )
    .post(
      '/login',
      ({ address, body, request }) =>
        accounts.login(body, limits.passwords(address, toEmailKey(body.email)), userAgentOf(request)),
      {
        transform: trimFields('email'),
        body: LoginInput,
        response: { 200: LoggedIn, ...PASSWORD_REFUSALS },
        detail: describe(
          'login',
          'Log in',
          '401 for an unknown address and for a wrong password alike. 403 when the account is inactive. 429 after too many failures from one sender; successes do not count.',
        ),
      },
    )
    .post('/refresh', async ({ body }) => ({ tokens: await accounts.refresh(body.refreshToken) }), {
      body: RefreshInput,
      response: {
        200: Refreshed,
        ...failures('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'UNSUPPORTED_MEDIA_TYPE'),
      },
      detail: describe(
        'refreshTokens',
        'Exchange a refresh token for new tokens',
        'A refresh token works once. Using it again ends its login, because it must have been stolen. 401 when it is invalid, expired, used or revoked.',
      ),
    });
}

function userAgentOf({ headers }: Request): string | null {
  return headers.get('user-agent');
}

const forMe = { deletedAccount: 'NOT_FOUND' } as const;

function profileRoutes(accounts: Accounts, bodies: Bodies) {
  return new Elysia()
    .use(requireUser(accounts, AUTHENTICATION_REQUIRED, forMe))
    .use(bodies.json())
    .get('/me', ({ caller }) => accounts.profile(caller.userId), {
      response: { 200: Profile, ...failures('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND') },
      detail: describe(
        'getAccount',
        'The account of the caller',
        '404 when the account was deleted since the token was issued.',
      ),
    })
    .patch('/me', ({ body, caller }) => accounts.rename(caller.userId, body.name), {
      transform: trimFields('name'),
      body: ProfileInput,
      response: {
        200: Profile,
        ...failures('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'UNSUPPORTED_MEDIA_TYPE'),
      },
      detail: describe('renameAccount', 'Change the name', 'An API key needs the scope `write`.'),
    });
}

function deletionRoutes({ accounts, bodies, limits }: Deps) {
  return new Elysia()
    .use(senderAddress())
    .use(requireLogin(accounts, AUTHENTICATION_REQUIRED, forMe))
    .use(bodies.json())
    .delete(
      '/me',
      async ({ address, body, caller }) => {
        const attempt = limits.passwords(address, toEmailKey(caller.email));
        await accounts.deleteAccount(caller.userId, body.password, attempt);
        return { success: true as const, message: 'Account deleted' };
      },
      {
        body: AccountDeletionInput,
        response: { 200: Deleted, ...PASSWORD_REFUSALS, ...failures('NOT_FOUND') },
        detail: describe(
          'deleteAccount',
          'Delete the account',
          'With its websites, their data, all logins and API keys. 401 also when the password is wrong. Not with an API key.',
        ),
      },
    );
}

function loginRoutes({ accounts, bodies, limits }: Deps) {
  return new Elysia()
    .use(senderAddress())
    .use(requireLogin(accounts))
    .use(bodies.json())
    .post(
      '/logout',
      async ({ loginId }) => {
        await accounts.logout(loginId);
        return { message: 'Logged out' };
      },
      {
        response: { 200: Done, ...failures('UNAUTHORIZED', 'FORBIDDEN') },
        detail: describe(
          'logout',
          'Log out',
          'Ends this login: its access and refresh tokens get 401 from now on.',
        ),
      },
    )
    .post(
      '/logout-all',
      async ({ body, caller }) => {
        await accounts.logoutAll(caller.userId, body.revokeApiKeys);
        return { message: 'Logged out everywhere' };
      },
      {
        transform: absentAsEmpty,
        body: LogoutAllInput,
        response: {
          200: Done,
          ...failures('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'UNSUPPORTED_MEDIA_TYPE'),
        },
        detail: describe(
          'logoutEverywhere',
          'Log out everywhere',
          'Ends every login of the account, this one included. API keys stay unless the body says otherwise.',
        ),
      },
    )
    .put(
      '/password',
      async ({ address, body, caller, loginId }) => {
        const attempt = limits.passwords(address, toEmailKey(caller.email));
        await accounts.changePassword(caller.userId, loginId, body, attempt);
        return { message: 'Password changed' };
      },
      {
        body: PasswordInput,
        response: { 200: Done, ...PASSWORD_REFUSALS },
        detail: describe(
          'changePassword',
          'Change the password',
          'Ends every other login of the account; API keys stay unless `revokeApiKeys` is true. 401 also when the current password is wrong. Not with an API key.',
        ),
      },
    );
}
