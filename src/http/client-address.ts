/** The address of the client itself, also behind reverse proxies. Never stored, never logged. */
import { type IpAddress, parseIpAddress } from '../network/ip-address.ts';
import type { IpRange } from '../network/ip-range.ts';
import { isTrusted, type TrustedProxies } from '../network/trusted-proxies.ts';

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
/** One colon only: `1.2.3.4:567`. With more of them it is an IPv6 address and no port. */
const WITH_PORT = /^([^:]*):\d{1,5}$/;

/**
 * Determines the address of the client. `peer` is the other end of the socket. With `trustedProxies` = n proxies in front
 * of the server, each of them appended the address it saw to X-Forwarded-For, so our own outermost proxy wrote the n-th
 * entry from the right; the sender may have invented the entries left of it. With 0 the header is ignored. Falls back to
 * the peer when that entry is not an IP address (`unknown`, a host name).
 *
 * With networks instead of a number, see `walkBack`.
 *
 * `clientIpHeader`, with networks: when all named addresses are trusted proxies, the proxy that wrote the header names the
 * client in it. A sender who bypasses them is named by the first proxy it meets, so its own header is never read.
 *
 * `Forwarded` (RFC 7239) is not read: by default common proxies append to X-Forwarded-For and pass a foreign `Forwarded`
 * through untouched, so a second header would be a second way to forge an address.
 *
 * @returns null without an IP address, as on a Unix socket
 */
export function clientAddress(
  request: Request,
  peer: IpAddress | null,
  trustedProxies: TrustedProxies,
  clientIpHeader?: string,
): IpAddress | null {
  if (trustedProxies === 0) return peer;
  const forwardedFor = request.headers.get('x-forwarded-for');
  if (typeof trustedProxies !== 'number') {
    const address = walkBack(peer, forwardedFor?.split(',') ?? [], trustedProxies);
    const named = clientIpHeader === undefined ? null : request.headers.get(clientIpHeader);
    if (named === null || address === null || !isTrusted(address, trustedProxies)) return address;
    return toAddress(withoutPort(named.trim())) ?? address;
  }
  if (forwardedFor === null || !(trustedProxies > 0)) return peer;
  const entries = forwardedFor.split(',');
  const entry = entries[Math.max(0, entries.length - trustedProxies)] ?? '';
  return toAddress(withoutPort(entry.trim())) ?? peer;
}

/**
 * Walks from the peer to the left as long as the writer of an entry is trusted: the first untrusted address is the
 * client's, by whichever route it came. The client may have invented the entries left of it.
 */
function walkBack(peer: IpAddress | null, entries: string[], ranges: readonly IpRange[]): IpAddress | null {
  let address = peer;
  for (const entry of entries.toReversed()) {
    if (address === null || !isTrusted(address, ranges)) return address;
    const before = toAddress(withoutPort(entry.trim()));
    if (before === null) return address;
    address = before;
  }
  return address;
}

function toAddress(text: string): IpAddress | null {
  return parseIpAddress(text) ?? null;
}

function withoutPort(entry: string): string {
  return BRACKETED.exec(entry)?.[1] ?? WITH_PORT.exec(entry)?.[1] ?? entry;
}
