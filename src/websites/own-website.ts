import { Elysia } from 'elysia';
import { identifyCaller } from '../accounts/require-user.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Websites } from './service.ts';

/**
 * Gives the routes of the controller that uses it their `website`, that of the path's `id`, for its owner alone. Derived
 * before validation, so that 401 comes before 404 before 400.
 */
export function ownWebsite({ accounts, websites }: { accounts: Accounts; websites: Websites }) {
  return new Elysia().derive({ as: 'scoped' }, async function deriveOwnWebsite({ request, params }) {
    const { userId } = await identifyCaller(accounts, request);
    return { website: await websites.requireOwned(userId, pathText(params, 'id')) };
  });
}

/** A part of a path. One that cannot be decoded arrives as null, and is nobody's. */
export function pathText(params: object, name: string): string {
  const text: unknown = name in params ? params[name as keyof typeof params] : '';
  return typeof text === 'string' ? text : '';
}
