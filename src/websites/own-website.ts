import { Elysia, t } from 'elysia';
import { identifyCaller } from '../accounts/require-user.ts';
import type { Accounts } from '../accounts/service.ts';
import type { AnswerBudget } from '../http/answer-budget.ts';
import type { Bodies } from '../http/bodies.ts';
import type { ListTurns } from '../process/list-turns.ts';
import type { Websites } from './service.ts';
import { isSetId, refuseSet } from './set-id.ts';

export type OwnWebsiteDeps = { accounts: Accounts; websites: Websites };
/** Dependencies of routes with lists. */
export type ListDeps = OwnWebsiteDeps & {
  lists: ListTurns;
  bodies: Bodies;
  answerBudget: AnswerBudget;
};

/**
 * Gives the routes of the controller that uses it their `website`, that of the path's `id`, for its owner alone. Derived
 * before validation, so that 401 comes before 404 before 400.
 */
export function ownWebsite({ accounts, websites }: OwnWebsiteDeps) {
  return new Elysia().derive({ as: 'scoped' }, async function deriveOwnWebsite({ request, params }) {
    const { userId } = await identifyCaller(accounts, request);
    const id = pathText(params, 'id');
    if (isSetId(id)) refuseSet();
    return { userId, website: await websites.requireOwned(userId, id) };
  });
}

/** Returns a path parameter. One that cannot be decoded arrives as null, and matches nothing. */
export function pathText(params: object, name: string): string {
  const text: unknown = name in params ? params[name as keyof typeof params] : '';
  return typeof text === 'string' ? text : '';
}

/** Path parameter of a website, which other parameters may follow. */
export const websiteId = { id: t.String({ description: 'id of the website.' }) };
/** Not validated: a malformed id is unknown (404), not wrong (400). */
export const WebsiteId = t.NoValidate(t.Object(websiteId));

export const REFUSALS = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;
/** Additional refusals of routes that read a body. */
export const REFUSALS_OF_BODIES = [
  'VALIDATION_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
  'SERVICE_UNAVAILABLE',
] as const;
