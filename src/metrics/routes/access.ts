import { Elysia } from 'elysia';
import { identifyCaller, USER_SECURITY } from '../../accounts/require-user.ts';
import { senderAddress } from '../../http/sender-address.ts';
import type { IpAddress } from '../../network/ip-address.ts';
import { canonicalGroup } from '../../network/ip-range.ts';
import { type OwnWebsiteDeps, ownWebsite, pathText } from '../../websites/own-website.ts';
import { isSetId } from '../../websites/set-id.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { createAddedAnalytics } from '../answers/added-analytics.ts';
import { createPublicAnalytics } from '../answers/public-analytics.ts';
import type { SharedAnswers } from '../question/shared-answers.ts';
import {
  type Asker,
  type AskInTurn,
  accountLine,
  type QuestionTurns,
  strangersLine,
} from '../question/turns.ts';
import { findMembers, toSetRow } from '../question/website-set.ts';

type Deps = OwnWebsiteDeps & { turns: QuestionTurns; shared: SharedAnswers };
export type Access = {
  website: WebsiteRow;
  /** Asks the questions that this caller may ask. */
  inTurn: AskInTurn;
  /**
   * Whether the caller owns the website. Other callers see a public website, without data that could identify a visitor.
   */
  isOwner: boolean;
  /** Websites of a set, for which `website` stands. */
  members?: readonly WebsiteRow[];
};

/** `security` of a route that answers for a public website without credentials. */
export const PUBLIC_SECURITY: Record<string, string[]>[] = [...USER_SECURITY, {}];

/** Adds the caller's `website` and turn with the engine to the routes of a controller. */
export function askOwnWebsite(deps: Deps) {
  return ownWebsite(deps).derive({ as: 'scoped' }, function deriveTurn({ request, userId }) {
    return { inTurn: deps.turns(accountLine(userId), request) };
  });
}

/** Does the same as `askOwnWebsite`, and admits callers without credentials when the website is public. */
export function visibleWebsite(deps: Deps) {
  return new Elysia()
    .use(senderAddress())
    .derive(
      { as: 'scoped' },
      async function deriveVisibleWebsite({ request, params, address }): Promise<Access> {
        return requireVisibleWebsite(deps, { request, address, id: pathText(params, 'id') });
      },
    );
}

type Caller = { request: Request; address: IpAddress | null; id: string };

/** Answers 401 without credentials both for an unknown website and for one that is not public. */
export async function requireVisibleWebsite(deps: Deps, { request, address, id }: Caller): Promise<Access> {
  const { accounts, websites, turns } = deps;
  if (isSetId(id)) return requireSet(deps, request, id);
  const website = await websites.find(id);
  const { headers } = request;
  const isAnonymous = !headers.has('authorization') && !headers.has('x-api-key');
  if (website?.isPublic && isAnonymous)
    return toPublicAccess(website, shareAnswers(deps, { website, address, request }));
  const { userId } = await identifyCaller(accounts, request);
  const inTurn = turns(accountLine(userId), request);
  if (website?.userId === userId) return { website, inTurn, isOwner: true };
  if (website?.isPublic) return toPublicAccess(website, inTurn);
  return { website: await websites.requireOwned(userId, id), inTurn, isOwner: true }; // throws unless owned
}

/** Several websites of the caller's account. */
async function requireSet(
  { accounts, websites, turns }: Deps,
  request: Request,
  id: string,
): Promise<Access> {
  const { userId } = await identifyCaller(accounts, request);
  const members = findMembers(await websites.listRows(userId), id);
  const inTurn = turns(accountLine(userId), request);
  const keys = members.map(({ key }) => key);
  return {
    website: toSetRow(members, id),
    members,
    isOwner: true,
    inTurn: (ask, signal) => inTurn((analytics) => ask(createAddedAnalytics(analytics, keys)), signal),
  };
}

/** Shares answers between anonymous callers: a page that many clients open at once is one question. */
function shareAnswers(
  { turns, shared }: Deps,
  { website, address, request }: Omit<Caller, 'id'> & { website: WebsiteRow },
): AskInTurn {
  const inTurn = turns(toStranger(website, address), request);
  const { pathname, search } = new URL(request.url);
  const key = [website.id, website.updatedAtMs, pathname, search].join(' ');
  return (ask, signal) =>
    // Live streams share their questions themselves.
    signal ? inTurn(ask, signal) : shared(key, request.signal, (askers) => inTurn(ask, askers));
}

function toStranger({ userId, id }: WebsiteRow, address: IpAddress | null): Asker {
  return strangersLine(userId ?? id, address && canonicalGroup(address));
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
