import { type IpAddress, parseIpAddress } from '../http/ip-address.ts';
import { isLocalName, isLoopback } from '../http/own-machine.ts';
import { isPublicAddress } from '../http/public-address.ts';
import { PageFault } from './page-fault.ts';

/** Where a request for somebody else's page may go: nowhere but to public addresses and the ports of the web. */
export type DestinationRules = {
  /** As the owner registered it: its port is as good as the usual ones. */
  registered: URL;
  /** A developer's own machine: loopback addresses too, for hosts that are called so. */
  allowsLoopback: boolean;
};

/**
 * The addresses to connect to for a URL, in the order of the resolver. Every address must be allowed: a name that stands
 * for a public and a private one may be meant to slip through.
 *
 * @param resolve all addresses of a name @throws what the resolver throws
 * @throws PageFault
 */
export async function findDestination(
  url: URL,
  { registered, allowsLoopback }: DestinationRules,
  resolve: (host: string) => Promise<string[]>,
): Promise<IpAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusal(`The page leads to an address of ${url.protocol}, which is not looked at.`);
  if (url.port !== '' && url.port !== registered.port)
    throw refusal(`The page leads to port ${url.port} of ${host}, which is not looked at.`);
  const literal = parseIpAddress(host);
  const addresses = literal ? [literal] : await resolveAll(host, resolve);
  const isLoopbackAllowed = allowsLoopback && isLocalName(host);
  for (const address of addresses)
    if (!isPublicAddress(address) && !(isLoopbackAllowed && isLoopback(address)))
      throw new PageFault(
        'page-private',
        `The address ${host} is not in the public internet, so this server does not look at it.`,
        'Open the page in a browser that reaches it, and see whether an event arrives here.',
      );
  return addresses;
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

function refusal(message: string): PageFault {
  return new PageFault(
    'page-unreachable',
    message,
    'Register the address that the page really has, or see by hand whether it works.',
  );
}
