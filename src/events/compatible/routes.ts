import { Elysia } from 'elysia';
import { type Bodies, parseJson } from '../../http/bodies.ts';
import { senderAddress } from '../../http/sender-address.ts';
import { COMPATIBLE_PATHS, type CompatibleProduct } from '../../vocabulary/compatible.ts';
import { BATCH_BYTES_MAX, BATCH_EVENTS_MAX, EVENT_BYTES_MAX } from '../../vocabulary/contract.ts';
import { AppError, validationError } from '../../vocabulary/errors.ts';
import type { Websites } from '../../websites/service.ts';
import type { Ingest } from '../ingest.ts';
import { GIF } from '../pixel.ts';
import type { Addresses, SenderReader } from '../sender.ts';
import { readMatomo } from './matomo.ts';
import type { OldEvent } from './old-event.ts';
import { readPlausible } from './plausible.ts';
import { readUmami } from './umami.ts';

type Deps = {
  bodies: Bodies;
  ingest: Ingest;
  toSender: SenderReader;
  websites: Pick<Websites, 'findByOldId'>;
};

/** Rights and limits are those of submitting an event; the API's documentation leaves these routes out. */
const HIDDEN = { parse: 'none', detail: { hide: true, operationId: 'submitEvent' } } as const;

/** Endpoints of the scripts of other products, so that a website can switch before its pages change. */
export function compatibleRoutes(deps: Deps, products: readonly CompatibleProduct[]) {
  const app = new Elysia().use(senderAddress());
  if (products.includes('umami')) app.use(umamiRoute(deps));
  if (products.includes('plausible')) app.use(plausibleRoute(deps));
  if (products.includes('matomo')) app.use(matomoRoutes(deps));
  return app;
}

function umamiRoute(deps: Deps) {
  return new Elysia().use(senderAddress()).post(
    COMPATIBLE_PATHS.umami,
    async ({ request, address, limitedAddress }) => {
      await submitJson(deps, 'umami', readUmami, { request, address, limitedAddress });
      return { cache: '' }; // its script sends this back, and works without
    },
    HIDDEN,
  );
}

function plausibleRoute(deps: Deps) {
  return new Elysia().use(senderAddress()).post(
    COMPATIBLE_PATHS.plausible,
    async ({ request, address, limitedAddress }) => {
      await submitJson(deps, 'plausible', readPlausible, { request, address, limitedAddress });
      return new Response('ok', { status: 202, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
    },
    HIDDEN,
  );
}

type Asking = Addresses & { request: Request };

async function submitJson(
  deps: Deps,
  product: CompatibleProduct,
  read: (body: unknown) => OldEvent | undefined,
  { request, ...addresses }: Asking,
): Promise<void> {
  const bounds = { bytesMax: EVENT_BYTES_MAX, address: addresses.limitedAddress };
  const old = await deps.bodies.withText(request, bounds, async (text) =>
    text === null ? undefined : read(parseJson(text)),
  );
  const event = await toEvent(deps, product, old);
  if (event) await deps.ingest.one(event, deps.toSender(request, addresses, undefined));
}

function matomoRoutes(deps: Deps) {
  const { bodies, ingest, toSender } = deps;
  return new Elysia()
    .use(senderAddress())
    .get(
      COMPATIBLE_PATHS.matomo,
      async ({ request, address, limitedAddress }) => {
        const parameters = new URL(request.url).searchParams;
        await submit(parameters, { request, address, limitedAddress });
        return toImage(parameters);
      },
      HIDDEN,
    )
    .post(
      COMPATIBLE_PATHS.matomo,
      async ({ request, address, limitedAddress }) => {
        const asking = { request, address, limitedAddress };
        const inQuery = new URL(request.url).searchParams;
        const bounds = { bytesMax: BATCH_BYTES_MAX, address: limitedAddress, accepted: MATOMO_TYPES };
        const text = await bodies.withText(request, bounds, async (read) => read ?? '');
        if (text.trimStart().startsWith('{')) return submitAll(parseJson(text), asking);
        const parameters = new URLSearchParams([...inQuery, ...new URLSearchParams(text)]);
        await submit(parameters, asking);
        return toImage(parameters);
      },
      HIDDEN,
    );

  async function submit(parameters: URLSearchParams, { request, ...addresses }: Asking): Promise<void> {
    const event = await toEvent(deps, 'matomo', readMatomo(parameters));
    if (event) await ingest.one(event, toSender(withAgent(request, parameters), addresses, undefined));
  }

  /** Several at once, as back ends send them. */
  async function submitAll(body: unknown, { request, ...addresses }: Asking) {
    const requests =
      typeof body === 'object' && body !== null && 'requests' in body && Array.isArray(body.requests)
        ? body.requests.slice(0, BATCH_EVENTS_MAX)
        : [];
    let tracked = 0;
    for (const each of requests) {
      const parameters = new URLSearchParams(String(each).replace(/^\?/, ''));
      const isTracked = await submit(parameters, { request, ...addresses }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof AppError && error.status < 500) return false;
          throw error;
        },
      );
      if (isTracked) tracked += 1;
    }
    return { status: 'success', tracked, invalid: requests.length - tracked };
  }
}

const MATOMO_TYPES = ['application/x-www-form-urlencoded', 'application/json', 'text/plain', ''];

/** A back end sends the User-Agent of its visitor as a parameter. */
function withAgent(request: Request, parameters: URLSearchParams): Request {
  const userAgent = parameters.get('ua');
  if (!userAgent) return request;
  const headers = new Headers(request.headers);
  headers.set('User-Agent', userAgent);
  return new Request(request.url, { headers });
}

function toImage(parameters: URLSearchParams): Response {
  const headers = { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'cross-origin' };
  if (parameters.get('send_image') === '0') return new Response(null, { status: 204, headers });
  return new Response(GIF, { headers: { ...headers, 'Content-Type': 'image/gif' } });
}

/**
 * @returns undefined when there is nothing to count
 * @throws AppError VALIDATION_ERROR for what the product does not send, NOT_FOUND for an id that no website has
 */
async function toEvent(
  { websites }: Deps,
  product: CompatibleProduct,
  old: OldEvent | undefined,
): Promise<object | undefined> {
  if (!old)
    throw validationError(`This is not an event of ${product}`, {}, ['The website or the event is missing']);
  const trackingCode = await websites.findByOldId(`${product}:${old.site}`);
  if (trackingCode === undefined)
    throw new AppError('NOT_FOUND', `No website has the old id ${product}:${old.site.slice(0, 100)}`);
  return old.event && { trackingCode, ...old.event };
}
