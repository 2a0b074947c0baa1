/** Reads what a socket, a header or a person calls an IP address, and gives one spelling of it. */
import ipaddr from 'ipaddr.js';

/** Parsed address. Only `parseIpAddress` makes one, once for each request. */
export type IpAddress = {
  readonly family: 'ipv4' | 'ipv6';
  /** Canonical: lower case, compressed (RFC 5952), no zone id, IPv4-mapped written as IPv4. */
  readonly text: string;
  /** The four bytes of an IPv4 address, or the eight groups of 16 bits of an IPv6 address. */
  readonly parts: readonly number[];
};

/** The longest IPv6 spelling has 45 characters; the rest is room for a zone id (`%eth0`). */
const ADDRESS_LENGTH_MAX = 64;
const ZONE_ID = /%[\w.:-]+$/;
/** How a socket that listens on `::` writes its IPv4 peers. */
const MAPPED = '::ffff:';
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
/**
 * Four decimal parts without leading zeros: ipaddr.js also takes `0x7f.1` and `010.0.0.1`, which others read
 * differently.
 */
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);

/**
 * Parses an address. `::ffff:1.2.3.4` becomes the IPv4 address, because dual-stack sockets report IPv4 peers in that form
 * (RFC 4291, 2.5.5.2). A zone id names an interface of one machine and is dropped.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  const plain = text.startsWith(MAPPED) ? text.slice(MAPPED.length) : text;
  if (IPV4.test(plain)) return { family: 'ipv4', text: plain, parts: plain.split('.').map(Number) };
  // Names of hosts end here: ipaddr.js finds out by exceptions what is not an address.
  if (!text.includes(':') || text.length > ADDRESS_LENGTH_MAX) return undefined;
  const bare = text.replace(ZONE_ID, '');
  const last = bare.slice(bare.lastIndexOf(':') + 1);
  if (last.includes('.') && !IPV4.test(last)) return undefined;
  if (bare.includes('%') || !ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare);
  if (!address.isIPv4MappedAddress())
    return { family: 'ipv6', text: address.toString(), parts: address.parts };
  const mapped = address.toIPv4Address();
  return { family: 'ipv4', text: mapped.toString(), parts: mapped.octets };
}
