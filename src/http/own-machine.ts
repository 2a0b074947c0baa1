import { type IpAddress, parseIpAddress } from '../network/ip-address.ts';

/** Returns whether a host name, without a port, is a name of this machine. */
export function isLocalName(host: string): boolean {
  const name = (host.startsWith('[') ? host.slice(1, -1) : host).toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const address = parseIpAddress(name);
  return address !== undefined && isLoopback(address);
}

export function isLoopback({ family, text, parts }: IpAddress): boolean {
  return family === 'ipv4' ? parts[0] === 127 : text === '::1';
}

/** A proxy leaves one of these, unless it is set up without headers. */
const PROXY_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/**
 * Returns whether a request comes from a program on this machine, as far as it shows: it comes from loopback (`peer`), names
 * no other client, asks for a host of this machine, and no header is from elsewhere. A page that a browser opened under a
 * foreign name (DNS rebinding) fails by its Host; one that came through a proxy without headers, by its Origin or Referer.
 *
 * This is the one rule for the privileges of this machine: to send without limits, read /metrics, have pages on loopback
 * checked, and set the server up without the code. A foreign program that sends none of these headers, through a proxy
 * that adds none, cannot be distinguished: such a proxy must be named in TRUST_PROXY.
 */
export function isDirect(request: Request, peer: IpAddress | null, client: IpAddress | null): boolean {
  if (peer === null || client?.text !== peer.text || !isLoopback(peer)) return false;
  const { headers } = request;
  const host = headers.get('host');
  return (
    host !== null &&
    isLocalName(withoutPort(host)) &&
    !PROXY_HEADERS.some((name) => headers.has(name)) &&
    headers.get('sec-fetch-site') !== 'cross-site' &&
    isOwnPage(headers.get('origin')) &&
    isOwnPage(headers.get('referer'))
  );
}

/** `[::1]:3000` is `[::1]`. */
function withoutPort(host: string): string {
  const colon = host.lastIndexOf(':');
  return colon > host.lastIndexOf(']') ? host.slice(0, colon) : host;
}

/** Absent, or an address of this machine. `null` (a page without an origin) is neither. */
function isOwnPage(address: string | null): boolean {
  return address === null || isLocalName(URL.parse(address)?.hostname ?? '');
}
