/** Ranges of addresses that a person writes down, and the key under which one sender is counted. */
import { BlockList } from 'node:net';
import { type IpAddress, parseIpAddress, toIpv6Groups } from './ip-address.ts';

/** Made by `parseIpRange` only. Parse once and keep it: building one costs as much as six checks. */
export type IpRange = { readonly family: IpAddress['family']; readonly list: BlockList };

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
  const address = parseIpAddress(written);
  if (address === undefined) return undefined;
  const bitsMax = PREFIX_BITS_MAX[address.family];
  const bits = slashIndex === -1 ? bitsMax : toPrefixBits(text.slice(slashIndex + 1), written, address);
  if (bits === undefined || bits < 0 || bits > bitsMax) return undefined;
  const list = new BlockList();
  list.addSubnet(address.text, bits, address.family);
  return { family: address.family, list };
}

/** False for what is no address. The families are compared first, so `::/0` means IPv6 and not everything. */
export function isInRange(address: string, range: IpRange): boolean {
  const parsed = parseIpAddress(address);
  if (parsed === undefined || parsed.family !== range.family) return false;
  return range.list.check(parsed.text, parsed.family);
}

/**
 * What one sender holds, as a key for limits: an IPv4 address, or the /64 of an IPv6 address, because a
 * single customer is given at least a /64 and could use a new address for every request (RFC 6177).
 * Undefined for what is no address. Never to be stored or logged.
 */
export function addressGroup(address: string): string | undefined {
  const parsed = parseIpAddress(address);
  return parsed && canonicalGroup(parsed.text);
}

/** The same of an address in its canonical form (see parseIpAddress), which need not be read again. */
export function canonicalGroup(address: string): string {
  return canonicalNetwork(address, 64);
}

/** A wider network of an IPv6 address in its canonical form; an IPv4 address stands for itself. */
export function canonicalNetwork(address: string, bits: 48 | 56 | 64): string {
  if (!address.includes(':')) return address;
  const [a = 0, b = 0, c = 0, d = 0] = toIpv6Groups(address);
  const subnet = d & (0xffff << (64 - bits));
  return `${[a, b, c, subnet].map((group) => group.toString(16)).join(':')}::/${bits}`;
}

function toPrefixBits(text: string, written: string, address: IpAddress): number | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const isMapped = address.family === 'ipv4' && written.includes(':');
  return Number(text) - (isMapped ? MAPPED_BITS : 0);
}
