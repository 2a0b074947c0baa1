import { URL_LENGTH_MAX } from '../vocabulary/contract.ts';

/** Fragments in which single-page applications keep their route: `#/pricing`, `#!/pricing`. */
const ROUTE = /^#!?\//;
const REFERRER_ORIGIN = /^(?:https?|android-app):\/\/[^/?#]+/i;

/**
 * The address of a page without a fragment that is not a route: fragments hold what a page keeps from servers, such as
 * `#access_token=…`.
 */
export function toPageUrl(url: string): string {
  const start = url.indexOf('#');
  return start === -1 || ROUTE.test(url.slice(start)) ? url : url.slice(0, start);
}

/**
 * The referrer to store, without its fragment, or its origin when it is too long (D52). Null for an address that is
 * neither of a page nor of an Android app.
 */
export function toReferrer(url: string | undefined): string | null {
  const origin = url && REFERRER_ORIGIN.exec(url)?.[0];
  if (!url || !origin) return null;
  const [address = ''] = url.split('#', 1);
  return address.length <= URL_LENGTH_MAX ? address : origin.slice(0, URL_LENGTH_MAX);
}
