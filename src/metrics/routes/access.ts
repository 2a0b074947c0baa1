import { Elysia } from 'elysia';
import { identifyCaller, USER_SECURITY } from '../../accounts/require-user.ts';
import { type OwnWebsiteDeps, ownWebsite, pathText } from '../../websites/own-website.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { createPublicAnalytics } from '../answers/public-analytics.ts';
import { type AskInTurn, accountLine, type QuestionTurns, strangersLine } from '../question/turns.ts';

type Deps = OwnWebsiteDeps & { turns: QuestionTurns };
export type Access = {
  website: WebsiteRow;
  /** Asks what this caller may ask. */
  inTurn: AskInTurn;
  /** Others see a public website, but nothing that could identify a visitor. */
  isOwner: boolean;
};

/** `security` of a route that a public website answers without credentials. */
export const PUBLIC_SECURITY: Record<string, string[]>[] = [...USER_SECURITY, {}];

/** Gives the routes of the controller that uses it their `website`, and its owner's turn with the engine. */
export function askOwnWebsite(deps: Deps) {
  return ownWebsite(deps).derive({ as: 'scoped' }, function deriveTurn({ request, userId }) {
    return { inTurn: deps.turns(accountLine(userId), request) };
  });
}

/** Likewise, for anybody when the website is public. */
export function visibleWebsite(deps: Deps) {
  return new Elysia().derive(
    { as: 'scoped' },
    async function deriveVisibleWebsite({ request, params }): Promise<Access> {
      return requireVisibleWebsite(deps, request, pathText(params, 'id'));
    },
  );
}

/** Without credentials, an unknown website is told from one that is not public by nothing: both are a 401. */
export async function requireVisibleWebsite(deps: Deps, request: Request, id: string): Promise<Access> {
  const { accounts, websites, turns } = deps;
  const website = await websites.find(id);
  const { headers } = request;
  const isAnonymous = !headers.has('authorization') && !headers.has('x-api-key');
  if (website?.isPublic && isAnonymous)
    return toPublicAccess(website, turns(strangersLine(website.id), request));
  const { userId } = await identifyCaller(accounts, request);
  const inTurn = turns(accountLine(userId), request);
  if (website?.userId === userId) return { website, inTurn, isOwner: true };
  if (website?.isPublic) return toPublicAccess(website, inTurn);
  return { website: await websites.requireOwned(userId, id), inTurn, isOwner: true }; // refuses
}

function toPublicAccess(website: WebsiteRow, inTurn: AskInTurn): Access {
  const { publicHides } = website;
  if (publicHides.length === 0) return { website, inTurn, isOwner: false };
  return {
    website,
    inTurn: (ask, signal) =>
      inTurn((analytics) => ask(createPublicAnalytics(analytics, publicHides)), signal),
    isOwner: false,
  };
}
