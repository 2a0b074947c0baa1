import type { HigherOrderFunction } from 'elysia/types';

type Handle = (request: Request) => Response | Promise<Response>;

/**
 * Requests under the base path are answered as those without it: a proxy may take the path away or not, and health checks
 * on this machine need not know it. Around everything else, so that nothing inside knows of it.
 */
export function withoutBasePath(base: string): HigherOrderFunction {
  const strip =
    (handle: Handle): Handle =>
    (request) => {
      const start = request.url.indexOf('/', request.url.indexOf('://') + 3);
      if (start !== -1 && isUnder(request.url.slice(start), base)) {
        const url = request.url.slice(0, start) + toPath(request.url.slice(start + base.length));
        // A new request would be unknown to the socket, which is asked for the sender's address.
        Object.defineProperty(request, 'url', { value: url });
      }
      return handle(request);
    };
  const wrap = base === '' ? (handle: Handle) => handle : strip;
  // Elysia's type of what wraps its handler says less than what it is.
  return wrap as unknown as HigherOrderFunction;
}

function isUnder(path: string, base: string): boolean {
  return path.startsWith(base) && ['', '/', '?'].includes(path.charAt(base.length));
}

function toPath(rest: string): string {
  return rest.startsWith('/') ? rest : `/${rest}`;
}
