/** A header name (RFC 9110, 5.6.2). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** Longer lists are answered with a wildcard: proxies allow an answer's headers 4 KB in all. */
const LIST_LENGTH_MAX = 2_048;

/**
 * Returns the `Access-Control-Allow-Headers` that permits what a preflight asks for. Error reporters and tracers add
 * headers to every request of a page, and one name that is missing here makes the browser block the request. The
 * names are echoed because older browsers, and all of them for `Authorization`, do not read the wildcard.
 */
export function allowRequestedHeaders(requested: string | null): string {
  if (requested === null || requested.length > LIST_LENGTH_MAX) return '*';
  const names = requested.split(',').map((name) => name.trim());
  return names.filter((name) => HEADER_NAME.test(name)).join(', ') || '*';
}
