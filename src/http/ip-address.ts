/** Reads what a socket, a header or a person calls an IP address, and gives one spelling of it. */
import { isIP } from 'node:net';

/** `text` is canonical: lower case, compressed (RFC 5952), no zone id, IPv4-mapped written as IPv4. */
export type IpAddress = { readonly family: 'ipv4' | 'ipv6'; readonly text: string };

/** The longest IPv6 spelling has 45 characters; the rest is room for a zone id (`%eth0`). */
const ADDRESS_LENGTH_MAX = 64;
/** Exactly two groups after `ffff`: with three, `::` would stand for four zero groups and not for five. */
const MAPPED = /^::ffff:[0-9a-f]+:[0-9a-f]+$/;
const IPV6_GROUPS = 8;

/**
 * `::ffff:1.2.3.4` becomes the IPv4 address that it stands for: a dual-stack socket reports its IPv4
 * peers so (RFC 4291, 2.5.5.2). A zone id names an interface of one machine and is dropped.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length > ADDRESS_LENGTH_MAX) return undefined;
  const version = isIP(text);
  if (version === 0) return undefined;
  if (version === 4) return { family: 'ipv4', text };
  const canonical = toCanonicalIpv6(text);
  if (MAPPED.test(canonical)) return { family: 'ipv4', text: toIpv4(canonical) };
  return { family: 'ipv6', text: canonical };
}

/** The eight 16-bit groups of a canonical IPv6 address. */
export function toIpv6Groups(canonical: string): number[] {
  const [head = '', tail] = canonical.split('::');
  const left = toGroups(head);
  if (tail === undefined) return left;
  const right = toGroups(tail);
  const zeros = new Array<number>(IPV6_GROUPS - left.length - right.length).fill(0);
  return [...left, ...zeros, ...right];
}

/** The URL parser writes every valid IPv6 host in one way, and always with hexadecimal groups. */
function toCanonicalIpv6(text: string): string {
  const zoneIndex = text.indexOf('%');
  const bare = zoneIndex === -1 ? text : text.slice(0, zoneIndex);
  return new URL(`http://[${bare}]`).hostname.slice(1, -1);
}

function toIpv4(canonical: string): string {
  const [high = 0, low = 0] = toIpv6Groups(canonical).slice(-2);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function toGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}
