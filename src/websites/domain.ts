import { INVALID_DOMAIN, WEB_ADDRESS_PATTERN } from '../contract/website.ts';
import { validationError } from '../vocabulary/errors.ts';

/**
 * The form in which the domains of one user are compared: host without a leading `www.`, port unless it is the
 * scheme's own, path without its trailing slash. The scheme, and what follows the path, do not count.
 *
 * @param domain trimmed
 * @throws VALIDATION_ERROR naming the field when it is not an http or https URL with a host
 */
export function toDomainKey(domain: string): string {
  const url = parseWebAddress(domain);
  if (!url) throw validationError('Invalid request data', { domain: [INVALID_DOMAIN] });
  const host = url.hostname.replace(/^www\.(?=.)/, '');
  const port = url.port && `:${url.port}`;
  return `${host}${port}${url.pathname.replace(/\/$/, '')}`;
}

/** Null for what is not an http or https URL. */
export function parseWebAddress(text: string): URL | null {
  return WEB_ADDRESS.test(text) ? URL.parse(text) : null;
}

const WEB_ADDRESS = new RegExp(WEB_ADDRESS_PATTERN);
