import { parseIpAddress } from './ip-address.ts';
import { isPublicAddress } from './public-address.ts';

/** Names that the public DNS never resolves (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|test|internal|home\.arpa)\.?$/;

/**
 * Returns whether pages on a host are out of the public's reach: on this machine, in a private network, or under a name
 * that is reserved for them.
 *
 * @param hostname of a URL, so in lower case
 */
export function isLocalHost(hostname: string): boolean {
  if (LOCAL_NAME.test(hostname)) return true;
  const address = parseIpAddress(hostname.startsWith('[') ? hostname.slice(1, -1) : hostname);
  return address !== undefined && !isPublicAddress(address);
}
