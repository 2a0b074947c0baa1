import { Elysia, t } from 'elysia';
import type { Access } from '../../access/access.ts';
import { identifyCallers, WebsiteId } from '../../access/website-guard.ts';
import { failures } from '../../contract/fault.ts';
import { PlausibleAnswer, PlausibleQuery, PlausibleSiteQuery } from '../../contract/plausible.ts';
import { bodyFault } from '../../http/bodies.ts';
import { senderAddress } from '../../http/sender-address.ts';
import { API_PREFIX, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { validationError } from '../../vocabulary/errors.ts';
import { type Asking, askWebsite, toAsked } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { grantTime } from '../routes/patience.ts';
import { answerPlausible } from './answer.ts';
import { readPlausibleRequest } from './request.ts';
import { requireShownProperties, toPlausibleSubject } from './subject.ts';
import { plausibleV1Routes } from './v1-routes.ts';

const RESPONSES = {
  200: PlausibleAnswer,
  ...REFUSALS,
  ...failures('UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'),
};

/** Routes for queries in the form of Plausible's Stats API: v2 at our address and at Plausible's, v1 at Plausible's. */
export function plausibleRoutes(deps: MetricsDeps) {
  const { websites, bodies } = deps;

  async function answer(access: Access, asking: Asking, siteId: string, body: unknown) {
    requireShownProperties(access, body);
    const { website, inTurn } = toAsked(deps, access, asking);
    const request = await readPlausibleRequest(body, await toPlausibleSubject(deps, access));
    const imports = { sums: deps.sums, findFirstMs: deps.log.findFirstMs };
    return inTurn((analytics) => answerPlausible(analytics, website, siteId, request, imports));
  }

  const ours = new Elysia({ prefix: `${API_PREFIX}/websites/:id` })
    .onTransform(grantTime)
    .use(askWebsite(deps))
    .use(bodies.json())
    .post(
      '/query',
      (context) => {
        requireReadable(context.request);
        return answer(context.access, context, context.website.id, context.body);
      },
      {
        params: WebsiteId,
        body: t.NoValidate(PlausibleQuery),
        response: RESPONSES,
        detail: describe(
          'query',
          'Ask in the form of Plausible’s Stats API v2',
          'Up to five dimensions at once, one of them a time. An API key needs the scope `read`.',
        ),
      },
    );

  const theirs = new Elysia({ prefix: '/api/v2' })
    .onTransform(grantTime)
    .use(senderAddress())
    .use(identifyCallers(deps))
    .use(bodies.json())
    .post(
      '/query',
      async (context) => {
        const { body, operation, identity } = context;
        requireReadable(context.request);
        const siteId = requireSiteId(body);
        const locate = (userId: string | undefined) => websites.findBySite(userId, siteId);
        const access = await deps.access.open(operation, identity, locate);
        return answer(access, context, siteId, body);
      },
      {
        body: t.NoValidate(PlausibleSiteQuery),
        response: RESPONSES,
        detail: describe(
          'queryBySite',
          'The same at the address of Plausible’s Stats API v2',
          '`site_id` is the domain or the id of one of your websites, so that clients of Plausible work by changing the address. An API key needs the scope `read`.',
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
