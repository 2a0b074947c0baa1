import { Elysia } from 'elysia';
import { type IpAddress, parseIpAddress } from '../network/ip-address.ts';
import { hasProxies, type TrustedProxies } from '../network/trusted-proxies.ts';
import { BATCH_BYTES_MAX } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import { payloadTooLargeError } from './body-faults.ts';
import { clientAddress } from './client-address.ts';
import { isDirect, isLoopback } from './own-machine.ts';
import { methodsOf, type OpenPaths, PIXEL_PATH, pathOf, toCollectionPaths } from './path.ts';
import { requirePlainTarget } from './raw-target.ts';
import { allowRequestedHeaders } from './requested-headers.ts';
import { senderAddress } from './sender-address.ts';

/** Evidence of a proxy in front: its header, or a request from loopback that a browser elsewhere must have made. */
export type ProxySign = 'x-forwarded-for' | 'foreign request from loopback';

type Options = {
  /** Origins whose pages may call more of the API than the open routes. */
  corsOrigins: readonly string[];
  routes: () => readonly { method: string; path: string }[];
  /**
   * Decides whether a request is admitted. @returns headers for its response
   * @throws AppError when it may not
   */
  admit: (request: Request, path: string, address: IpAddress | null) => Record<string, string> | undefined;
  /** The other end of the socket. (Elysia defines a property a request for hooks that use its `server`.) */
  peerOf: (request: Request) => string | undefined;
  openPaths: OpenPaths;
  trustedProxies: TrustedProxies;
  clientIpHeader: string | undefined;
  /** Called once, for the first request that seems to come through a proxy although none is named. */
  onUnknownProxy: (sign: ProxySign) => void;
};

/** Methods by path that scripts on any page may use without credentials. */
function toOpenMethods(paths: OpenPaths) {
  return new Map<string, readonly string[]>([
    ...[...toCollectionPaths(paths)].map((path) => [path, ['POST']] as const),
    ...paths.compatible.map((path) => [path, ['GET', 'HEAD', 'POST']] as const),
    ...[...paths.scripts, PIXEL_PATH].map((path) => [path, ['GET', 'HEAD']] as const),
  ]);
}

/** Headers for JSON opened in a browser: no scripts, framing or referrer. */
const DATA_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
};

const EXPOSED = 'Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id';
const PREFLIGHT_MAX_AGE_S = '86400';

/** RFC 9112, 3.2. Bun joins the values, and takes the first one for the address. */
function requireOneHost(host: string | null): void {
  if (host?.includes(','))
    throw validationError('The request has more than one Host header', {}, [
      'Only one Host header is allowed',
    ]);
}

/**
 * Error for a request without a Host header. Bun's URL is then the path alone, and Elysia looks for the path seven
 * characters later: the limits and the router would see two routes. (RFC 9112, 3.2 requires the 400 as well.)
 */
function missingHostError(): AppError {
  return validationError('The request has no usable Host header', {}, ['The Host header must name a host']);
}

/**
 * Runs before a route is looked up, in this order: the headers that every answer carries, errors included; CORS;
 * preflights; the limits of its sender; the bound of the body.
 */
export function beforeRoutes(options: Options) {
  const { corsOrigins, routes, admit, peerOf, trustedProxies, clientIpHeader, onUnknownProxy } = options;
  const openMethods = toOpenMethods(options.openPaths);
  let isProxyExpected = hasProxies(trustedProxies);
  const app = new Elysia({ name: 'before-routes' })
    .use(senderAddress())
    .onParse({ as: 'global' }, () => null); // else Elysia reads bodies that no route asks for, before its guard
  return app.onRequest((context) => {
    const { request, set } = context;
    const { headers } = set;
    const { headers: sent, method } = request;
    const path = pathOf(request);
    const isApi = path.startsWith('/api/');
    headers['x-content-type-options'] = 'nosniff';
    // Bun closes the connection without saying so; a client that keeps it then loses its next request (RFC 9112, 9.6).
    if (sent.get('connection')?.toLowerCase() === 'close') headers.connection = 'close';
    if (isApi) headers['cache-control'] = 'no-store';
    if (!request.url.includes('://')) throw missingHostError();
    requireOneHost(sent.get('host'));

    const isPreflight = method === 'OPTIONS';
    const asked = isPreflight ? sent.get('access-control-request-method') : method;
    const isOpen = asked !== null && openMethods.get(path)?.includes(asked) === true;
    if (isOpen) {
      if (asked === 'POST') headers['cache-control'] = 'no-store'; // the script may be cached
      headers['access-control-allow-origin'] = '*';
      headers['access-control-expose-headers'] = 'Retry-After, X-Request-Id';
    } else {
      if (isApi) Object.assign(headers, DATA_HEADERS);
      if (corsOrigins.length > 0) allowOrigin(headers, sent.get('origin'));
    }
    if (!isPreflight) {
      const peerText = peerOf(request);
      // A look at the segments costs 4 µs, and what every page may call may be reached by any spelling.
      if (!isOpen) requirePlainTarget(request, peerText !== undefined);
      const peer = parseIpAddress(peerText ?? '') ?? null;
      const address = clientAddress(request, peer, trustedProxies, clientIpHeader);
      const direct = isDirect(request, peer, address);
      context.address = address;
      context.isDirect = direct;
      context.limitedAddress = direct ? null : address;
      if (!isProxyExpected) {
        const sign = findProxySign(sent, { isForeign: !isOpen && !direct, peer });
        isProxyExpected = sign !== undefined;
        if (sign) onUnknownProxy(sign);
      }
      const more = admit(request, path, context.limitedAddress);
      if (more) Object.assign(headers, more);
      if (Number(sent.get('content-length')) > BATCH_BYTES_MAX) throw payloadTooLargeError(BATCH_BYTES_MAX);
    }
    // Elysia awaits a hook whose text has a call right after `return`.
    return isPreflight ? answerOptions(path, headers, sent.get('access-control-request-headers')) : undefined;
  });

  function allowOrigin(headers: Record<string, string | number>, origin: string | null): void {
    headers.vary = 'Origin';
    if (origin === null || !corsOrigins.includes(origin)) return;
    headers['access-control-allow-origin'] = origin;
    headers['access-control-expose-headers'] = EXPOSED;
  }

  function answerOptions(
    path: string,
    headers: Record<string, string | number>,
    requestedHeaders: string | null,
  ): Response {
    const methods = methodsOf(routes(), path);
    if (methods.length === 0) throw new AppError('NOT_FOUND', 'Route not found');
    headers.allow = methods.join(', ');
    if ('access-control-allow-origin' in headers) {
      const isOpen = headers['access-control-allow-origin'] === '*';
      headers['access-control-allow-methods'] = isOpen
        ? (openMethods.get(path) ?? []).join(', ')
        : methods.join(', ');
      if (isOpen) headers.vary = 'Access-Control-Request-Headers';
      headers['access-control-allow-headers'] = isOpen
        ? allowRequestedHeaders(requestedHeaders)
        : 'Authorization, Content-Type, X-API-Key';
      headers['access-control-max-age'] = PREFLIGHT_MAX_AGE_S;
    }
    return new Response(null, { status: 204, headers: headers as Record<string, string> });
  }
}

/** Pages of websites send their events to a developer's machine, too: from open routes `isForeign` shows no proxy. */
function findProxySign(
  headers: Headers,
  { isForeign, peer }: { isForeign: boolean; peer: IpAddress | null },
): ProxySign | undefined {
  if (headers.has('x-forwarded-for')) return 'x-forwarded-for';
  return isForeign && peer !== null && isLoopback(peer) ? 'foreign request from loopback' : undefined;
}
