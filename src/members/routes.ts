import { Elysia, t } from 'elysia';
import type { AccessRules } from '../access/access.ts';
import { pathText, REFUSALS, REFUSALS_OF_BODIES } from '../access/website-guard.ts';
import { requireLogin, requireUser } from '../accounts/require-user.ts';
import type { Accounts } from '../accounts/service.ts';
import { failures } from '../contract/fault.ts';
import { ListQuery } from '../contract/list-query.ts';
import {
  AccountList,
  AuditLog,
  AuditQuery,
  Done,
  Invitation,
  InvitationInput,
  Invited,
  Joined,
  Member,
  MemberList,
  MemberUpdate,
  TokenInput,
} from '../contract/member.ts';
import type { Bodies } from '../http/bodies.ts';
import { readListPage } from '../http/list-page.ts';
import { createParameters } from '../http/parameters.ts';
import { trimFields } from '../http/trim-fields.ts';
import type { Table } from '../metrics/files/format.ts';
import { respond } from '../metrics/files/respond.ts';
import { AUDIT_ACTIONS } from '../vocabulary/access.ts';
import { NAME_LENGTH_MAX } from '../vocabulary/contract.ts';
import type { OperationId } from '../vocabulary/rights.ts';
import type { Members } from './service.ts';

type Deps = { access: AccessRules; accounts: Accounts; bodies: Bodies; members: Members };

const AccountId = t.NoValidate(t.Object({ accountId: t.String({ description: 'id of the account.' }) }));
const MemberId = t.NoValidate(
  t.Object({
    accountId: t.String({ description: 'id of the account.' }),
    memberId: t.String({ description: 'id of the member.' }),
  }),
);
const CONFLICTS = failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT');

/** Members of accounts, their invitations, and the audit log. */
export function memberRoutes(deps: Deps) {
  return new Elysia().use(ownRoutes(deps)).use(invitationRoutes(deps)).use(accountRoutes(deps));
}

function ownRoutes({ accounts, members }: Deps) {
  return new Elysia().use(requireUser(accounts)).get(
    '/accounts',
    async ({ caller }) => {
      const found = await members.listAccounts(caller.userId);
      return { accounts: found, total: found.length };
    },
    {
      response: { 200: AccountList, ...failures('UNAUTHORIZED', 'FORBIDDEN') },
      detail: describe(
        'listAccounts',
        'List the accounts that you are a member of',
        'Your own account first, with the role `owner`.',
      ),
    },
  );
}

function invitationRoutes({ accounts, bodies, members }: Deps) {
  const open = new Elysia({ prefix: '/invitations' })
    .use(bodies.json())
    .post('/preview', ({ body }) => members.preview(body.token), {
      body: TokenInput,
      response: { 200: Invitation, ...failures('NOT_FOUND', ...REFUSALS_OF_BODIES) },
      detail: describe(
        'previewInvitation',
        'Say what an invitation is for',
        'For the page of its link. 404 when it was used, revoked or has expired. The token is in the body, so that no log has it.',
      ),
    });
  const known = new Elysia({ prefix: '/invitations' })
    .use(requireLogin(accounts))
    .use(bodies.json())
    .post('/accept', ({ body, caller }) => members.accept(body.token, caller.userId), {
      body: TokenInput,
      response: { 200: Joined, ...CONFLICTS },
      detail: describe(
        'acceptInvitation',
        'Accept an invitation',
        'Once. 404 when it was used, revoked or has expired, 403 when it is for another address, 409 for the owner and for members of the account. To accept with a new account, give its token to `POST /auth/register` as `invitation`.',
      ),
    });
  return new Elysia().use(open).use(known);
}

function accountRoutes({ access, bodies, members }: Deps) {
  return new Elysia({ prefix: '/accounts/:accountId' })
    .derive(async function deriveAccount({ request, route, params }) {
      const operation = access.operationOf(request.method, route);
      return { account: await access.inAccount(operation, request, pathText(params, 'accountId')) };
    })
    .use(bodies.json())
    .get(
      '/members',
      async ({ account, request }) => {
        const { rows, total } = await members.list(account.accountId, readPage(request));
        return { members: rows, total };
      },
      {
        params: AccountId,
        query: t.NoValidate(ListQuery),
        response: { 200: MemberList, ...failures(...REFUSALS, 'VALIDATION_ERROR') },
        detail: describe('listMembers', 'List members and open invitations', 'Open invitations first.'),
      },
    )
    .post('/members', async ({ account, body, status }) => status(201, await members.invite(account, body)), {
      transform: trimFields('email', 'note'),
      params: AccountId,
      body: InvitationInput,
      response: { 201: Invited, ...CONFLICTS },
      detail: describe(
        'inviteMember',
        'Invite a person, or hand a website over',
        'Answers the token of a link that is valid for 7 days and one use; no mail is sent. The role `owner`, given by the owner alone, offers one website to another account: it moves there, with its data, when that account accepts.',
      ),
    })
    .patch(
      '/members/:memberId',
      ({ account, params, body }) => members.update(account, pathText(params, 'memberId'), body),
      {
        transform: trimFields('note'),
        params: MemberId,
        body: MemberUpdate,
        response: { 200: Member, ...CONFLICTS },
        detail: describe(
          'updateMember',
          'Change a role, its websites, or what is hidden',
          'What is absent stays. In effect with the next request of the member; open live streams end within two seconds.',
        ),
      },
    )
    .delete(
      '/members/:memberId',
      async ({ account, params }) => {
        await members.remove(account, pathText(params, 'memberId'));
        return { success: true as const, message: 'Member removed' };
      },
      {
        params: MemberId,
        response: { 200: Done, ...failures(...REFUSALS) },
        detail: describe(
          'removeMember',
          'Remove a member, or revoke an invitation',
          'In effect with their next request; open live streams end within two seconds.',
        ),
      },
    )
    .delete(
      '/membership',
      async ({ account }) => {
        await members.leave(account);
        return { success: true as const, message: 'You have left the account' };
      },
      {
        params: AccountId,
        response: { 200: Done, ...failures(...REFUSALS, 'CONFLICT') },
        detail: describe('leaveAccount', 'Leave an account', '409 for its owner.'),
      },
    )
    .get(
      '/audit-log',
      async ({ account, request }) => {
        const parameters = createParameters(request.url);
        const page = readListPage(parameters);
        const action = parameters.choice('action', AUDIT_ACTIONS);
        const search = parameters.text('search', NAME_LENGTH_MAX);
        const format = parameters.choice('format', ['json', 'csv']) ?? 'json';
        parameters.finish();
        const { rows, total } = await members.listEntries(account.accountId, { action, search }, page);
        return respond(format, { entries: rows, total }, toTable);
      },
      {
        params: AccountId,
        query: t.NoValidate(AuditQuery),
        response: { 200: AuditLog, ...failures(...REFUSALS, 'VALIDATION_ERROR') },
        detail: describe(
          'getAuditLog',
          'Who changed what in an account',
          'Invitations, members, roles, share links, API keys, websites with their settings, and erasures, the latest first. Kept for a year. Also as a CSV file.',
        ),
      },
    );
}

function toTable({ entries }: AuditLog): Table {
  return {
    name: 'audit-log',
    columns: ['at', 'actor', 'action', 'websiteId', 'subject', 'details'],
    rows: entries,
  };
}

function readPage(request: Request) {
  const parameters = createParameters(request.url);
  const page = readListPage(parameters);
  parameters.finish();
  return page;
}

function describe(operationId: OperationId, summary: string, description: string) {
  return { tags: ['Members'], operationId, summary, description };
}
