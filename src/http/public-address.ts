import { BlockList } from 'node:net';
import type { IpAddress } from './ip-address.ts';

let reserved: BlockList | undefined;

/**
 * Whether an address belongs to somebody in the internet: not private, loopback, link local, shared, multicast,
 * documentation, nor one behind which another address hides (6to4, Teredo, NAT64).
 *
 * IPv6 has one allocated block, 2000::/3; outside of it nothing is public.
 */
export function isPublicAddress(address: IpAddress): boolean {
  if (address.family === 'ipv6' && !/^[23][0-9a-f]{3}:/.test(address.text)) return false;
  reserved ??= reservedRanges();
  return !reserved.check(address.text, address.family);
}

/** IANA's special-purpose registries (RFC 6890 and later), multicast and class E. */
function reservedRanges(): BlockList {
  const list = new BlockList();
  list.addSubnet('0.0.0.0', 8, 'ipv4'); // this network
  list.addSubnet('10.0.0.0', 8, 'ipv4'); // private
  list.addSubnet('100.64.0.0', 10, 'ipv4'); // shared by a carrier's customers
  list.addSubnet('127.0.0.0', 8, 'ipv4'); // loopback
  list.addAddress('168.63.129.16', 'ipv4'); // a cloud's own service for its machines, public in form only
  list.addSubnet('169.254.0.0', 16, 'ipv4'); // link local, where clouds keep their metadata
  list.addSubnet('172.16.0.0', 12, 'ipv4'); // private
  list.addSubnet('192.0.0.0', 24, 'ipv4'); // protocol assignments
  list.addSubnet('192.0.2.0', 24, 'ipv4'); // documentation
  list.addSubnet('192.31.196.0', 24, 'ipv4'); // AS112, which answers for private names
  list.addSubnet('192.52.193.0', 24, 'ipv4'); // relays of multicast
  list.addSubnet('192.88.99.0', 24, 'ipv4'); // 6to4 relays, given up
  list.addSubnet('192.168.0.0', 16, 'ipv4'); // private
  list.addSubnet('192.175.48.0', 24, 'ipv4'); // AS112
  list.addSubnet('198.18.0.0', 15, 'ipv4'); // benchmarks
  list.addSubnet('198.51.100.0', 24, 'ipv4'); // documentation
  list.addSubnet('203.0.113.0', 24, 'ipv4'); // documentation
  list.addSubnet('224.0.0.0', 3, 'ipv4'); // multicast, class E, broadcast
  list.addSubnet('2001::', 23, 'ipv6'); // protocol assignments, Teredo
  list.addSubnet('2001:db8::', 32, 'ipv6'); // documentation
  list.addSubnet('2002::', 16, 'ipv6'); // 6to4: an IPv4 address inside
  list.addSubnet('2620:4f:8000::', 48, 'ipv6'); // AS112
  list.addSubnet('3fff::', 20, 'ipv6'); // documentation
  return list;
}
