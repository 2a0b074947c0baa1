import { AppError, validationError } from '../vocabulary/errors.ts';

/** More than any path of the service has. */
const SEGMENTS_MAX = 16;

type Handle = (request: Request) => Response | Promise<Response>;
/** Bun's router puts the segments of the target on the request, decoded. */
type Routed = Request & { params?: Record<string, string> };

/**
 * Returns patterns for Bun's own router, which all lead to the application. Only that router sees a target as it was sent:
 * `request.url` has been through the URL parser, which takes `\` for `/` and resolves `..`, so a proxy that opens `/m`
 * would also open `/m/..\api\v1\auth\setup`. Elysia adds its own routes, which win; these patterns match the rest.
 */
export function toRawRoutes(handle: Handle): Record<string, Handle> {
  const patterns = Array.from({ length: SEGMENTS_MAX }, (_, last) =>
    Array.from({ length: last + 1 }, (_, index) => `/:segment${index}`).join(''),
  );
  // Elysia takes one slash away from the end of each.
  const paths = ['//', ...patterns, ...patterns.map((pattern) => `${pattern}//`)];
  return Object.fromEntries(paths.map((path) => [path, handle]));
}

/**
 * Refuses a target that the URL parser has rewritten.
 *
 * @param isServed the request came through Bun's server, which gives it its segments
 * @throws AppError VALIDATION_ERROR; NOT_FOUND for one that no route above matches: it has an empty segment, or too many
 */
export function requirePlainTarget(request: Request, isServed: boolean): void {
  const { params } = request as Routed;
  if (!params && !isServed) return;
  if (!params) throw new AppError('NOT_FOUND', 'Route not found');
  let backslashes = 0;
  for (const segment of Object.values(params)) {
    if (segment === '.' || segment === '..')
      throw rewrittenError('The path must not have "." or ".." as a segment');
    if (segment.includes('\\')) backslashes += segment.split('\\').length - 1;
  }
  // An encoded one is text of a segment, and still there in the parsed address.
  if (backslashes > 0 && backslashes !== request.url.match(/%5c/gi)?.length)
    throw rewrittenError('The path must not have a backslash');
}

function rewrittenError(sentence: string): AppError {
  return validationError('Invalid request target', {}, [sentence]);
}
