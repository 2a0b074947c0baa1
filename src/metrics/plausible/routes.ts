import { Elysia, t } from 'elysia';
import { identifyCaller, requireUser } from '../../accounts/require-user.ts';
import { failures } from '../../contract/fault.ts';
import { PlausibleAnswer, PlausibleQuery, PlausibleSiteQuery } from '../../contract/plausible.ts';
import { bodyFault } from '../../http/bodies.ts';
import { API_PREFIX, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { validationError } from '../../vocabulary/errors.ts';
import { WebsiteId } from '../../websites/own-website.ts';
import type { WebsiteRow } from '../../websites/store.ts';
import { type AskInTurn, accountLine } from '../question/turns.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { grantTime } from '../routes/patience.ts';
import { answerPlausible } from './answer.ts';
import { readPlausibleRequest } from './request.ts';
import { toPlausibleSubject } from './subject.ts';
import { plausibleV1Routes } from './v1-routes.ts';

const RESPONSES = {
  200: PlausibleAnswer,
  ...REFUSALS,
  ...failures('UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'),
};

/** These POST routes only read: an API key needs the scope `read`. */
const READS = { scope: 'read' } as const;

/** Routes for queries in the form of Plausible's Stats API: v2 at our address and at Plausible's, v1 at Plausible's. */
export function plausibleRoutes(deps: MetricsDeps) {
  const { accounts, websites, bodies, turns } = deps;

  async function answer(inTurn: AskInTurn, website: WebsiteRow, siteId: string, body: unknown) {
    const request = await readPlausibleRequest(body, await toPlausibleSubject(deps, website));
    return inTurn((analytics) => answerPlausible(analytics, website, siteId, request));
  }

  const ours = new Elysia({ prefix: `${API_PREFIX}/websites/:id` })
    .onTransform(grantTime)
    .derive(async function deriveQueriedWebsite({ request, params }) {
      const { userId } = await identifyCaller(accounts, request, undefined, READS);
      const website = await websites.requireOwned(userId, params.id);
      return { website, inTurn: turns(accountLine(userId), request) };
    })
    .use(bodies.json())
    .post(
      '/query',
      ({ website, inTurn, body, request }) => {
        requireReadable(request);
        return answer(inTurn, website, website.id, body);
      },
      {
        params: WebsiteId,
        body: t.NoValidate(PlausibleQuery),
        response: RESPONSES,
        detail: describe(
          'query',
          'Ask in the form of Plausible’s Stats API v2',
          'Up to five dimensions at once, one of them a time. An API key needs the scope `read`.',
          'owner',
        ),
      },
    );

  const theirs = new Elysia({ prefix: '/api/v2' })
    .onTransform(grantTime)
    .use(requireUser(accounts, undefined, READS))
    .use(bodies.json())
    .post(
      '/query',
      async ({ caller, body, request }) => {
        requireReadable(request);
        const siteId = requireSiteId(body);
        const website = await websites.requireOwnedBySite(caller.userId, siteId);
        return answer(turns(accountLine(caller.userId), request), website, siteId, body);
      },
      {
        body: t.NoValidate(PlausibleSiteQuery),
        response: RESPONSES,
        detail: describe(
          'queryBySite',
          'The same at the address of Plausible’s Stats API v2',
          '`site_id` is the domain or the id of one of your websites, so that clients of Plausible work by changing the address. An API key needs the scope `read`.',
          'owner',
        ),
      },
    );

  return new Elysia().use(ours).use(theirs).use(plausibleV1Routes(deps));
}

function requireReadable(request: Request): void {
  const fault = bodyFault(request);
  if (fault) throw fault;
}

function requireSiteId(body: unknown): string {
  const siteId: unknown =
    typeof body === 'object' && body !== null && 'site_id' in body ? body.site_id : undefined;
  if (typeof siteId === 'string' && siteId !== '' && siteId.length <= URL_LENGTH_MAX) return siteId;
  throw validationError('Invalid query', {
    site_id: [siteId === undefined ? 'Required' : 'Must be the domain or the id of a website'],
  });
}
