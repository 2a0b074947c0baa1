/** Ranges of addresses that a person writes down, and the key under which one sender is counted. */
import { type IpAddress, parseIpAddress } from './ip-address.ts';

/** Parsed range. Only `parseIpRange` makes one. */
export type IpRange = { readonly base: IpAddress; readonly bits: number };

const PREFIX_BITS_MAX = { ipv4: 32, ipv6: 128 } as const;
const PART_BITS = { ipv4: 8, ipv6: 16 } as const;
/** Extra length of an IPv4-mapped IPv6 prefix (`::ffff:10.0.0.0/104`) compared with the IPv4 prefix. */
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
  const base = parseIpAddress(written);
  if (base === undefined) return undefined;
  const bitsMax = PREFIX_BITS_MAX[base.family];
  const isMapped = base.family === 'ipv4' && written.includes(':');
  const bits = slashIndex === -1 ? bitsMax : toPrefixBits(text.slice(slashIndex + 1), isMapped);
  return bits === undefined || bits < 0 || bits > bitsMax ? undefined : { base, bits };
}

/** The families are compared first, so `::/0` means IPv6 and not everything. */
export function isInRange({ family, parts }: IpAddress, { base, bits }: IpRange): boolean {
  if (family !== base.family) return false;
  const partBits = PART_BITS[family];
  let restBits = bits;
  for (let index = 0; restBits > 0; index += 1) {
    const differing = (parts[index] ?? 0) ^ (base.parts[index] ?? 0);
    if (differing >> Math.max(partBits - restBits, 0) !== 0) return false;
    restBits -= partBits;
  }
  return true;
}

/** Whether a range holds every address of its family. */
export function isEverything({ bits }: IpRange): boolean {
  return bits === 0;
}

/**
 * Returns the key of a sender for limits: an IPv4 address, or the /64 of an IPv6 address, because every customer has at
 * least a /64 and could use a new address for each request (RFC 6177). Never store or log it.
 */
export function canonicalGroup(address: IpAddress): string {
  return canonicalNetwork(address, 64);
}

/** Returns a wider network of an IPv6 address; for IPv4 the address itself. */
export function canonicalNetwork({ family, text, parts }: IpAddress, bits: 48 | 56 | 64): string {
  if (family === 'ipv4') return text;
  const [a = 0, b = 0, c = 0, d = 0] = parts;
  const subnet = d & (0xffff << (64 - bits));
  return `${[a, b, c, subnet].map((group) => group.toString(16)).join(':')}::/${bits}`;
}

function toPrefixBits(text: string, isMapped: boolean): number | undefined {
  return DECIMAL.test(text) ? Number(text) - (isMapped ? MAPPED_BITS : 0) : undefined;
}
