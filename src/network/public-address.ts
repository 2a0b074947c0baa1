import ipaddr from 'ipaddr.js';
import type { IpAddress } from './ip-address.ts';

/** A cloud's own service for its machines, public in form only. */
const CLOUD_SERVICE = '168.63.129.16';

/**
 * Whether an address is one of the public internet: not private, loopback, link local, shared, multicast,
 * documentation, nor one behind which another address hides (6to4, Teredo, NAT64).
 *
 * IPv6 has one allocated block, 2000::/3; outside of it nothing is public.
 */
export function isPublicAddress({ family, text, parts }: IpAddress): boolean {
  if (family === 'ipv4') return text !== CLOUD_SERVICE && new ipaddr.IPv4([...parts]).range() === 'unicast';
  return /^[23][0-9a-f]{3}:/.test(text) && new ipaddr.IPv6([...parts]).range() === 'unicast';
}
