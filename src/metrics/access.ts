import { Elysia } from 'elysia';
import { identifyCaller, USER_SECURITY } from '../accounts/require-user.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Analytics } from '../analytics/analytics.ts';
import type { Websites } from '../websites/service.ts';
import type { WebsiteRow } from '../websites/store.ts';
import { createPublicAnalytics } from './public-analytics.ts';

type Deps = { accounts: Accounts; websites: Websites };
type VisibleDeps = Deps & { analytics: Analytics };
export type Access = {
  website: WebsiteRow;
  /** What this caller may ask. */
  analytics: Analytics;
  /** Others see a public website, but nothing that could identify a visitor. */
  isOwner: boolean;
};

/** `security` of a route that a public website answers without credentials. */
export const PUBLIC_SECURITY: Record<string, string[]>[] = [...USER_SECURITY, {}];

/**
 * Gives the routes of the controller that uses it their `website`, for the owner alone. Derived before validation, so
 * that 401 comes before 404 before 400 (D11).
 */
export function ownWebsite(deps: Deps) {
  return new Elysia().derive({ as: 'scoped' }, async function deriveOwnWebsite({ request, params }) {
    return { website: await requireOwnWebsite(deps, request, idOf(params)) };
  });
}

/** Likewise, for anybody when the website is public. */
export function visibleWebsite(deps: VisibleDeps) {
  return new Elysia().derive(
    { as: 'scoped' },
    async function deriveVisibleWebsite({ request, params }): Promise<Access> {
      return requireVisibleWebsite(deps, request, idOf(params));
    },
  );
}

async function requireOwnWebsite(
  { accounts, websites }: Deps,
  request: Request,
  id: string,
): Promise<WebsiteRow> {
  const caller = await identifyCaller(accounts, request);
  return websites.requireOwned(caller.userId, id);
}

/** Without credentials, an unknown website is told from one that is not public by nothing: both are a 401. */
export async function requireVisibleWebsite(
  deps: VisibleDeps,
  request: Request,
  id: string,
): Promise<Access> {
  const { accounts, websites, analytics } = deps;
  const website = await websites.find(id);
  const { headers } = request;
  const isAnonymous = !headers.has('authorization') && !headers.has('x-api-key');
  if (website?.isPublic && isAnonymous) return toPublicAccess(website, analytics);
  const { userId } = await identifyCaller(accounts, request);
  if (website?.userId === userId) return { website, analytics, isOwner: true };
  if (website?.isPublic) return toPublicAccess(website, analytics);
  return { website: await websites.requireOwned(userId, id), analytics, isOwner: true }; // refuses
}

function toPublicAccess(website: WebsiteRow, analytics: Analytics): Access {
  const { publicHides } = website;
  const isWhole = publicHides.length === 0;
  return {
    website,
    analytics: isWhole ? analytics : createPublicAnalytics(analytics, publicHides),
    isOwner: false,
  };
}

/** An id that cannot be decoded arrives as null, and is no website's. */
function idOf(params: object): string {
  return 'id' in params && typeof params.id === 'string' ? params.id : '';
}
