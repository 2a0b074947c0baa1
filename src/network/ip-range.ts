/** Ranges of addresses that a person writes down, and the key under which one sender is counted. */
import ipaddr from 'ipaddr.js';
import { readIpAddress } from './ip-address.ts';

/** Made by `parseIpRange` only. */
export type IpRange = { readonly base: ipaddr.IPv4 | ipaddr.IPv6; readonly bits: number };

const PREFIX_BITS_MAX = { ipv4: 32, ipv6: 128 } as const;
/** What an IPv4-mapped IPv6 prefix (`::ffff:10.0.0.0/104`) has more than the IPv4 prefix it stands for. */
const MAPPED_BITS = 96;
const DECIMAL = /^(?:0|[1-9]\d{0,2})$/;

/**
 * An address or a CIDR block of either family; undefined for anything else. Bits after the prefix may be
 * set (`10.1.2.3/8` is `10.0.0.0/8`). A zone id is refused: it means nothing on another machine.
 */
export function parseIpRange(text: string): IpRange | undefined {
  if (text.includes('%')) return undefined;
  const slashIndex = text.indexOf('/');
  const written = slashIndex === -1 ? text : text.slice(0, slashIndex);
  const base = readIpAddress(written);
  if (base === undefined) return undefined;
  const bitsMax = PREFIX_BITS_MAX[base.kind()];
  const isMapped = base.kind() === 'ipv4' && written.includes(':');
  const bits = slashIndex === -1 ? bitsMax : toPrefixBits(text.slice(slashIndex + 1), isMapped);
  return bits === undefined || bits < 0 || bits > bitsMax ? undefined : { base, bits };
}

/** False for what is no address. The families are compared first, so `::/0` means IPv6 and not everything. */
export function isInRange(address: string, { base, bits }: IpRange): boolean {
  const parsed = readIpAddress(address);
  return parsed?.kind() === base.kind() && parsed.match(base, bits);
}

/**
 * What one sender holds, as a key for limits, of an address in its canonical form (see parseIpAddress): an IPv4 address,
 * or the /64 of an IPv6 address, because a single customer is given at least a /64 and could use a new address for every
 * request (RFC 6177). Never to be stored or logged.
 */
export function canonicalGroup(address: string): string {
  return canonicalNetwork(address, 64);
}

/** A wider network of an IPv6 address in its canonical form; an IPv4 address stands for itself. */
export function canonicalNetwork(address: string, bits: 48 | 56 | 64): string {
  if (!address.includes(':')) return address;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv6.parse(address).parts;
  const subnet = d & (0xffff << (64 - bits));
  return `${[a, b, c, subnet].map((group) => group.toString(16)).join(':')}::/${bits}`;
}

function toPrefixBits(text: string, isMapped: boolean): number | undefined {
  return DECIMAL.test(text) ? Number(text) - (isMapped ? MAPPED_BITS : 0) : undefined;
}
