import type { IpAddress } from './ip-address.ts';
import { type IpRange, isInRange, parseIpRange } from './ip-range.ts';

/**
 * Proxies whose X-Forwarded-For is trusted: a number of proxies with any addresses, or any number of them in these
 * networks.
 */
export type TrustedProxies = number | readonly IpRange[];

const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);
const COUNT_MAX = 10;
const NETWORKS_MAX = 200;

export function hasProxies(proxies: TrustedProxies): boolean {
  return typeof proxies !== 'number' || proxies > 0;
}

export function isTrusted(address: IpAddress, ranges: readonly IpRange[]): boolean {
  return ranges.some((range) => isInRange(address, range));
}

/** The reader of TRUST_PROXY. @throws Error whose message continues the name of the setting */
export function readTrustedProxies(text: string): TrustedProxies {
  if (/^\d{1,9}$/.test(text) && Number(text) <= COUNT_MAX) return Number(text);
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.length > NETWORKS_MAX)
    throw new Error(`lists ${entries.length} networks; ${NETWORKS_MAX} are the most.`);
  return entries.flatMap((entry) => {
    const ranges = (NAMED.get(entry) ?? [entry]).map(parseIpRange);
    if (ranges.some((range) => range === undefined))
      throw new Error(
        `must be a whole number from 0 to ${COUNT_MAX}, or list addresses, networks such as 10.0.0.0/8, "loopback" or "private", not "${entry}".`,
      );
    return ranges.filter((range) => range !== undefined);
  });
}
