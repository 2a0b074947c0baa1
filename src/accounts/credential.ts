import { SHARE_TOKEN_START } from '../vocabulary/contract.ts';
import { API_KEY_START } from './api-key.ts';

/** Credential as a request presents it, not yet verified. */
export type Credential = { kind: 'token'; token: string } | { kind: 'key'; key: string };

/** One scheme, one token. Two Authorization headers arrive joined by a comma and do not match. */
const BEARER = /^bearer +([\w.~+/=-]+)$/i;

/**
 * Reads the credential from `Authorization`, or from `X-API-Key` if there is no such header. Returns undefined if neither is
 * usable. Text in the place of a key may be malformed.
 */
export function readCredential(headers: Headers): Credential | undefined {
  const authorization = headers.get('authorization');
  const key = headers.get('x-api-key');
  if (authorization === null) return key === null ? undefined : { kind: 'key', key };
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) return undefined;
  return token.startsWith(API_KEY_START) ? { kind: 'key', key: token } : { kind: 'token', token };
}

/**
 * The API key alone, for routes that need no credentials: a login token there is as good as none.
 *
 * @returns the text of what claims to be a key, well-formed or not
 */
export function readClaimedKey(headers: Headers): string | undefined {
  const token = BEARER.exec(headers.get('authorization') ?? '')?.[1];
  return token?.startsWith(API_KEY_START) ? token : (headers.get('x-api-key') ?? undefined);
}

/** The token of a share link, well-formed or not; undefined when the request presents another credential, or none. */
export function readShareToken(headers: Headers): string | undefined {
  const token = BEARER.exec(headers.get('authorization') ?? '')?.[1];
  return token?.startsWith(SHARE_TOKEN_START) ? token : undefined;
}
