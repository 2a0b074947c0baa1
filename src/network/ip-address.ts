/** Reads what a socket, a header or a person calls an IP address, and gives one spelling of it. */
import ipaddr from 'ipaddr.js';

/** `text` is canonical: lower case, compressed (RFC 5952), no zone id, IPv4-mapped written as IPv4. */
export type IpAddress = { readonly family: 'ipv4' | 'ipv6'; readonly text: string };

/** The longest IPv6 spelling has 45 characters; the rest is room for a zone id (`%eth0`). */
const ADDRESS_LENGTH_MAX = 64;
const ZONE_ID = /%[\w.:-]+$/;

export function parseIpAddress(text: string): IpAddress | undefined {
  const address = readIpAddress(text);
  return address && { family: address.kind(), text: address.toString() };
}

/**
 * `::ffff:1.2.3.4` becomes the IPv4 address that it stands for: a dual-stack socket reports its IPv4
 * peers so (RFC 4291, 2.5.5.2). A zone id names an interface of one machine and is dropped.
 */
export function readIpAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.length > ADDRESS_LENGTH_MAX) return undefined;
  const { IPv4, IPv6 } = ipaddr;
  // The library also takes `0x7f.1` and `010.0.0.1`, which others read as other addresses.
  if (IPv4.isValidFourPartDecimal(text)) return IPv4.parse(text);
  const bare = text.replace(ZONE_ID, '');
  const last = bare.slice(bare.lastIndexOf(':') + 1);
  if (last.includes('.') && !IPv4.isValidFourPartDecimal(last)) return undefined;
  if (bare.includes('%') || !IPv6.isValid(bare)) return undefined;
  const address = IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}
