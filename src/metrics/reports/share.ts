import { Elysia } from 'elysia';
import { pathText } from '../../access/website-guard.ts';
import { failures } from '../../contract/fault.ts';
import { type FigureBadge, Unlocked, UnlockInput } from '../../contract/share-link.ts';
import { senderAddress } from '../../http/sender-address.ts';
import type { IpAddress } from '../../network/ip-address.ts';
import type { ShareLinks } from '../../saved/share-links.ts';
import { SHARED_WEBSITE } from '../../vocabulary/contract.ts';
import { findTotals } from '../answers/conversions.ts';
import { toLinkRange } from '../question/link-range.ts';
import { findFirstMs } from '../question/open-question.ts';
import { toAsked } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { formatFigure, toBadge } from './badge.ts';

const CACHE_S = 60;
const CACHED = {
  'cache-control': `public, max-age=${CACHE_S}`,
  'cross-origin-resource-policy': 'cross-origin',
};
const BADGE_HEADERS = {
  ...CACHED,
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
};
/** Range of a badge, unless the link has one. */
const BADGE_RANGE = { period: '30d' } as const;
/** Answers kept at the same time; the oldest are dropped first. */
const KEPT_MAX = 500;

type Figure = { visitors: number; online: number | undefined };
type Asking = { request: Request; address: IpAddress | null };

type UnlockDeps = Pick<MetricsDeps, 'links' | 'bodies'> & {
  /** Counts a password against the limits of its sender. */
  toAttempt: (address: IpAddress | null, account: string) => PasswordAttempt;
};
type PasswordAttempt = ReturnType<Parameters<ShareLinks['unlock']>[2]>;

/** POST /share/unlock, under /api/v1. */
export function unlockRoutes({ links, bodies, toAttempt }: UnlockDeps) {
  return new Elysia({ prefix: '/share' })
    .use(senderAddress())
    .use(bodies.json())
    .post(
      '/unlock',
      ({ body, address }) =>
        links.unlock(body.token, body.password, (id) => toAttempt(address, `share link ${id}`)),
      {
        body: UnlockInput,
        response: {
          200: Unlocked,
          ...failures('VALIDATION_ERROR', 'UNAUTHORIZED', 'UNSUPPORTED_MEDIA_TYPE', 'SERVICE_UNAVAILABLE'),
        },
        detail: {
          tags: ['Metrics'],
          operationId: 'unlockShareLink',
          summary: 'Open a share link that has a password',
          description:
            'Use the answered token in place of that of the link, for a day. 429 after too many wrong passwords.',
          security: [],
        },
      },
    );
}

/** Badges of share links, outside the API: pages elsewhere show them as images. */
export function badgeRoutes(deps: MetricsDeps & { monotonicMs: () => number }) {
  const { log, now, monotonicMs } = deps;
  const kept = new Map<string, { atMs: number; figure: Promise<Figure> }>();

  async function ask(token: string, { request, address }: Asking): Promise<Figure> {
    const headers = { authorization: `Bearer ${token}` };
    const asked = new Request(request.url, { headers, signal: request.signal });
    const identity = await deps.access.identify('getTotals', asked);
    const access = await deps.access.open('getTotals', identity, SHARED_WEBSITE);
    const { website, inTurn } = toAsked(deps, access, { request: asked, address });
    const { link } = access;
    const nowMs = now();
    const findBeganAtMs = async () => (await findFirstMs(log, { website })) ?? website.createdAtMs;
    const { range } = await toLinkRange(link?.range ?? BADGE_RANGE, { website, nowMs, findBeganAtMs });
    const { fromMs, toMs } = range;
    const isRunning = nowMs >= fromMs && nowMs < toMs;
    const websiteKey = website.key;
    return inTurn(async (analytics) => {
      const [{ visitors }, online] = await Promise.all([
        findTotals(analytics, { websiteKey, fromMs, toMs }, undefined),
        isRunning ? analytics.realtime({ websiteKey, nowMs, limit: 1 }) : undefined,
      ]);
      return { visitors, online: online?.visitors };
    });
  }

  /** Checks the link each time, and asks at most once a minute. */
  async function find(params: object, asking: Asking): Promise<Figure> {
    const token = pathText(params, 'token');
    const { id, updatedAtMs } = await deps.links.open(token);
    const key = `${id} ${updatedAtMs}`;
    const known = kept.get(key);
    if (known && monotonicMs() - known.atMs < CACHE_S * 1_000) return known.figure;
    const figure = ask(token, asking);
    kept.delete(key);
    kept.set(key, { atMs: monotonicMs(), figure });
    figure.catch(() => kept.delete(key));
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT_MAX) break;
      kept.delete(oldest);
    }
    return figure;
  }

  const hidden = { detail: { hide: true } };
  return new Elysia({ prefix: '/share/:token' })
    .use(senderAddress())
    .get(
      '/badge.svg',
      async ({ params, request, address }) => {
        const { visitors, online = 0 } = await find(params, { request, address });
        return new Response(toBadge(visitors, online), { headers: BADGE_HEADERS });
      },
      hidden,
    )
    .get(
      '/figure.json',
      async ({ params, request, address }) => {
        const { visitors } = await find(params, { request, address });
        const figure: typeof FigureBadge.static = {
          schemaVersion: 1,
          label: 'visitors',
          message: formatFigure(visitors),
          color: 'blue',
          cacheSeconds: CACHE_S,
        };
        return Response.json(figure, { headers: { ...CACHED, 'access-control-allow-origin': '*' } });
      },
      hidden,
    );
}
