import { Elysia } from 'elysia';
import { parseIpAddress } from '../network/ip-address.ts';
import { hasProxies, type TrustedProxies } from '../network/trusted-proxies.ts';
import { BATCH_BYTES_MAX } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import { clientAddress } from './client-address.ts';
import { isDirect, isLoopback } from './own-machine.ts';
import { methodsOf, type OpenPaths, pathOf, toCollectionPaths } from './path.ts';
import { payloadTooLargeError } from './read-text.ts';
import { allowRequestedHeaders } from './requested-headers.ts';
import { senderAddress } from './sender-address.ts';

type Options = {
  /** Origins whose pages may call the API beside the open routes. */
  corsOrigins: readonly string[];
  routes: () => readonly { method: string; path: string }[];
  /**
   * Decides whether a request may go on. @returns headers for its answer
   * @throws AppError when it may not
   */
  admit: (request: Request, path: string, address: string | null) => Record<string, string> | undefined;
  openPaths: OpenPaths;
  trustedProxies: TrustedProxies;
  clientIpHeader: string | undefined;
  /** Told once of a request that came through a proxy, as it says, although none is known. */
  onUnknownProxy: () => void;
};

/** What a script on any page may do without credentials. */
function toOpenMethods(paths: OpenPaths) {
  return new Map<string, readonly string[]>([
    ...[...toCollectionPaths(paths)].map((path) => [path, ['POST']] as const),
    ...paths.scripts.map((path) => [path, ['GET', 'HEAD']] as const),
  ]);
}

/** JSON, should a browser be made to show it: nothing in it runs, nothing frames it, nobody learns where it was. */
const DATA_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
  'referrer-policy': 'no-referrer',
};

const EXPOSED = 'Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';
const PREFLIGHT_MAX_AGE_S = '86400';

/** A program on this machine that speaks for itself (`client`), with nobody in between: limits leave it out. */
function isOwnMachine(request: Request, peer: string | null, client: string | null): boolean {
  const address = parseIpAddress(peer ?? '');
  return address !== undefined && isLoopback(address) && client === address.text && isDirect(request, 0);
}

/** RFC 9112, 3.2. Bun joins the values, and takes the first one for the address. */
function requireOneHost(host: string | null): void {
  if (host?.includes(','))
    throw validationError('The request has more than one Host header', {}, [
      'Only one Host header is allowed',
    ]);
}

/**
 * Without a host Bun's address is the path alone, and Elysia looks for the path seven characters later: what the limits
 * see and what answers would be two routes. (RFC 9112, 3.2 asks for the 400 as well.)
 */
function missingHostError(): AppError {
  return validationError('The request has no usable Host header', {}, ['The Host header must name a host']);
}

/**
 * Runs before a route is looked up, in this order: the headers that every answer carries, errors included; CORS;
 * preflights; the limits of its sender; the bound of the body.
 */
export function beforeRoutes(options: Options) {
  const { corsOrigins, routes, admit, trustedProxies, clientIpHeader, onUnknownProxy } = options;
  const openMethods = toOpenMethods(options.openPaths);
  let isProxyExpected = hasProxies(trustedProxies);
  const app = new Elysia({ name: 'before-routes' }).use(senderAddress());
  // Elysia would read a body before the guard of its route; `json-body` does it afterwards.
  app.onParse({ as: 'global' }, () => null);
  return app.onRequest((context) => {
    const { request, server, set } = context;
    const { headers } = set;
    const path = pathOf(request);
    headers['x-content-type-options'] = 'nosniff';
    // Bun closes the connection without saying so; a client that keeps it then loses its next request (RFC 9112, 9.6).
    if (request.headers.get('connection')?.toLowerCase() === 'close') headers.connection = 'close';
    if (path.startsWith('/api/')) headers['cache-control'] = 'no-store';
    if (!request.url.includes('://')) throw missingHostError();
    requireOneHost(request.headers.get('host'));

    const isPreflight = request.method === 'OPTIONS';
    const origin = request.headers.get('origin');
    const asked = isPreflight ? request.headers.get('access-control-request-method') : request.method;
    const isOpen = asked !== null && openMethods.get(path)?.includes(asked);
    if (path.startsWith('/api/') && !isOpen) Object.assign(headers, DATA_HEADERS); // what is sent a million times goes without
    if (isOpen) {
      headers['access-control-allow-origin'] = '*';
      headers['access-control-expose-headers'] = 'Retry-After';
    } else if (corsOrigins.length > 0) {
      headers.vary = 'Origin';
      if (origin !== null && corsOrigins.includes(origin)) {
        headers['access-control-allow-origin'] = origin;
        headers['access-control-expose-headers'] = EXPOSED;
      }
    }
    if (isPreflight)
      return answerOptions(path, headers, request.headers.get('access-control-request-headers'));
    const peer = server?.requestIP(request)?.address ?? null;
    context.address = clientAddress(request, peer, trustedProxies, clientIpHeader);
    context.limitedAddress = isOwnMachine(request, peer, context.address) ? null : context.address;
    if (!isProxyExpected && request.headers.has('x-forwarded-for')) {
      isProxyExpected = true;
      onUnknownProxy();
    }
    const more = admit(request, path, context.limitedAddress);
    if (more) Object.assign(headers, more);
    if (Number(request.headers.get('content-length')) > BATCH_BYTES_MAX)
      throw payloadTooLargeError(BATCH_BYTES_MAX);
  });

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
