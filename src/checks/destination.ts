import { networkInterfaces } from 'node:os';
import { isLocalName, isLoopback } from '../http/own-machine.ts';
import { type IpAddress, parseIpAddress } from '../network/ip-address.ts';
import { isPublicAddress } from '../network/public-address.ts';
import { PageFault } from './page-fault.ts';

/** Destinations that requests for foreign pages may have: only public addresses and the ports of the web. */
export type DestinationRules = {
  /** Address that the owner registered: its port is allowed as well. */
  registered: URL;
  /** A developer's own machine: loopback addresses too, for hosts that are called so. */
  allowsLoopback: boolean;
  /** Addresses of the machine itself; by default those of its network interfaces. */
  ownAddresses?: () => readonly string[];
};

/** Lowest port allowed in a registered address: lower ones belong to other services. */
const FREE_PORT_MIN = 1_024;

/**
 * Returns the addresses to connect to for a URL, in the resolver's order. Every address must be allowed: a name with a
 * public and a private address may be an attack.
 *
 * @param resolve all addresses of a name @throws what the resolver throws
 * @throws PageFault
 */
export async function findDestination(
  url: URL,
  { registered, allowsLoopback, ownAddresses = addressesOfInterfaces }: DestinationRules,
  resolve: (host: string) => Promise<string[]>,
): Promise<IpAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusal(`The page redirects to a ${url.protocol} address, which is not checked.`);
  const isUsualPort = url.port === '' || url.port === '80' || url.port === '443';
  const isLoopbackAllowed = allowsLoopback && isLocalName(host);
  const isFreePort = url.port === registered.port && (isLoopbackAllowed || Number(url.port) >= FREE_PORT_MIN);
  if (!isUsualPort && !isFreePort)
    throw refusal(`The page redirects to port ${url.port} of ${host}, which is not checked.`);
  const literal = parseIpAddress(host);
  const addresses = literal ? [literal] : await resolveAll(host, resolve);
  const own = isUsualPort ? [] : ownAddresses();
  for (const address of addresses) {
    if (isLoopbackAllowed && isLoopback(address)) continue;
    if (!isPublicAddress(address)) throw privateFault(host);
    // A firewall may keep its other ports from the internet, but not from itself.
    if (own.includes(address.text))
      throw refusal(
        `Port ${url.port} of ${host} is on this server itself, where only ports 80 and 443 are checked.`,
      );
  }
  return addresses;
}

function addressesOfInterfaces(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address }) => parseIpAddress(address)?.text ?? address),
  );
}

async function resolveAll(host: string, resolve: (host: string) => Promise<string[]>): Promise<IpAddress[]> {
  const found = await resolve(host).catch(() => []);
  const addresses = found.map(parseIpAddress).filter((address) => address !== undefined);
  // One that cannot be read is one that cannot be judged.
  if (addresses.length > 0 && addresses.length === found.length) return addresses;
  throw new PageFault(
    'page-unreachable',
    `The address ${host} cannot be resolved.`,
    'Is the address of the website spelled right in its settings, and is the domain set up?',
  );
}

function privateFault(host: string): PageFault {
  return new PageFault(
    'page-private',
    `The address ${host} is not on the public internet, so it is not checked.`,
    'Open the page in a browser that can reach it, and see whether an event arrives here.',
  );
}

function refusal(message: string): PageFault {
  return new PageFault(
    'page-unreachable',
    message,
    'Enter the real address of the page in the settings, or check by hand whether it works.',
  );
}
