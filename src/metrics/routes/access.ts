import { Elysia } from 'elysia';
import type { Access, AccessRules, Identity } from '../../access/access.ts';
import { isSetId, refuseSet } from '../../access/set-id.ts';
import { pathText } from '../../access/website-guard.ts';
import type { Filter } from '../../analytics/interface/selection.ts';
import type { CountedGoal, Goals } from '../../goals/service.ts';
import { senderAddress } from '../../http/sender-address.ts';
import type { IpAddress } from '../../network/ip-address.ts';
import { canonicalGroup } from '../../network/ip-range.ts';
import { ROLES } from '../../vocabulary/access.ts';
import { AppError } from '../../vocabulary/errors.ts';
import { isForPublic, type OperationId } from '../../vocabulary/rights.ts';
import type { Websites } from '../../websites/service.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { createAddedAnalytics } from '../answers/added-analytics.ts';
import { createLimitedAnalytics } from '../answers/limited-analytics.ts';
import { createNarrowedAnalytics } from '../answers/narrowed-analytics.ts';
import { parseFilters } from '../question/filters.ts';
import type { SharedAnswers } from '../question/shared-answers.ts';
import {
  type Asker,
  type AskInTurn,
  accountLine,
  type QuestionTurns,
  strangersLine,
} from '../question/turns.ts';
import { findMembers, toSetRow } from '../question/website-set.ts';
import { findZone, requireUtc } from '../time/zone.ts';

type Deps = {
  access: AccessRules;
  websites: Pick<Websites, 'listVisibleRows'>;
  turns: QuestionTurns;
  shared: SharedAnswers;
  goals: Pick<Goals, 'listCounted'>;
};
export type Asking = { request: Request; address: IpAddress | null };

/** Gives the routes of a controller their `website`, the caller's `access` to it, and the turn with the engine. */
export function askWebsite(deps: Deps) {
  const { access } = deps;
  return new Elysia()
    .use(senderAddress())
    .derive({ as: 'scoped' }, async function deriveAskedWebsite(context) {
      const { request, route, params, address } = context;
      const operation = access.operationOf(request.method, route);
      const identity = await access.identify(operation, request);
      const id = pathText(params, 'id');
      /** Decides again, for an answer that takes long. @throws AppError as at first */
      async function recheck(): Promise<void> {
        await access.open(operation, await access.identify(operation, request), id);
      }
      if (isSetId(id)) return { ...(await toAskedSet(deps, { operation, identity, id, request })), recheck };
      const opened = await access.open(operation, identity, id);
      return { ...toAsked(deps, opened, { request, address }), recheck };
    });
}

type AskedWebsite = {
  access: Access;
  website: WebsiteRow;
  userId: string | undefined;
  inTurn: AskInTurn;
  /** Websites of a set, for which `website` stands. */
  members?: readonly WebsiteRow[];
};

/** Returns what routes need to ask about a website: questions take turns by caller, and answers lack what is hidden. */
export function toAsked(deps: Deps, access: Access, asking: Asking): AskedWebsite {
  const { website, userId, hides, role } = access;
  const ask =
    userId === undefined
      ? narrowAnswers(deps, access, shareAnswers(deps, access, asking))
      : deps.turns(accountLine(userId), asking.request);
  const inTurn: AskInTurn =
    hides.length === 0
      ? ask
      : (question, signal) =>
          ask((analytics) => question(createLimitedAnalytics(analytics, { role, hides })), signal);
  return { access, website, userId, inTurn };
}

type AskedSet = { operation: OperationId; identity: Identity; id: string; request: Request };

/**
 * Opens several websites of a caller as one, for the operations that a public website answers as well: the others are
 * about one website. The caller has the smallest of their roles, and misses what is hidden on one of them.
 */
async function toAskedSet(deps: Deps, { operation, identity, id, request }: AskedSet): Promise<AskedWebsite> {
  if (identity.kind === 'anonymous') throw identity.refusal;
  if (identity.kind === 'link') throw new AppError('NOT_FOUND', 'Website not found');
  if (!isForPublic(operation)) refuseSet();
  const { userId } = identity;
  const { rows } = await deps.websites.listVisibleRows(userId);
  const members = findMembers(rows, id);
  const opened = await Promise.all(
    members.map((website) => deps.access.open(operation, identity, async () => website)),
  );
  const role = ROLES.find((each) => opened.some((access) => access.role === each)) ?? 'viewer';
  const hides = [...new Set(opened.flatMap((access) => access.hides))];
  const keys = members.map(({ key }) => key);
  const access = { website: toSetRow(members, id), role, userId, hides };
  const asked = toAsked(deps, access, { request, address: null });
  return {
    ...asked,
    members,
    inTurn: (question, signal) =>
      asked.inTurn((analytics) => question(createAddedAnalytics(analytics, keys)), signal),
  };
}

/** Limits answers to the filter of a share link. */
function narrowAnswers({ goals }: Deps, { website, link }: Access, inTurn: AskInTurn): AskInTurn {
  if (!link || link.filters.length === 0) return inTurn;
  return async (ask, signal) => {
    const filter = toLinkFilter(link.filters, website, await goals.listCounted(website.key));
    return inTurn((analytics) => ask(createNarrowedAnalytics(analytics, filter)), signal);
  };
}

/** Closed when a goal of the filter was deleted: without it, the link would show more. */
function toLinkFilter(filters: unknown[], { timezone }: WebsiteRow, goals: readonly CountedGoal[]): Filter {
  const known = { goals, segments: undefined, propertiesError: undefined };
  const read = parseFilters(filters, known, findZone(timezone) ?? requireUtc(), { isSaved: true });
  if ('filter' in read) return read.filter;
  throw new AppError('FORBIDDEN', 'The filter of this link names something that was deleted');
}

/** Shares answers between anonymous callers: a page that many clients open at once is one question. */
function shareAnswers(
  { turns, shared }: Deps,
  { website, link }: Access,
  { request, address }: Asking,
): AskInTurn {
  const inTurn = turns(toStranger(website, address), request);
  const { pathname, search } = new URL(request.url);
  const key = [website.id, website.updatedAtMs, link?.id, link?.updatedAtMs, pathname, search].join(' ');
  return (ask, signal) =>
    // Live streams share their questions themselves.
    signal ? inTurn(ask, signal) : shared(key, request.signal, (askers) => inTurn(ask, askers));
}

function toStranger({ userId, id }: Access['website'], address: IpAddress | null): Asker {
  return strangersLine(userId ?? id, address && canonicalGroup(address));
}
