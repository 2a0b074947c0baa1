import { type IpAddress, parseIpAddress } from '../network/ip-address.ts';
import { hasProxies, type TrustedProxies } from '../network/trusted-proxies.ts';

/** What people call their own machine. */
export function isLocalName(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  const address = parseIpAddress(name);
  return address ? isLoopback(address) : name === 'localhost' || name.endsWith('.localhost');
}

export function isLoopback({ family, text }: IpAddress): boolean {
  return family === 'ipv4' ? text.startsWith('127.') : text === '::1';
}

const PROXY_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/**
 * Nobody is in between who would make a stranger look like this machine: a proxy leaves one of these headers, or the
 * name that the stranger asked for. So does a page that a browser took here by a name of its own (DNS rebinding).
 *
 * A proxy may leave neither. Then a stranger's request is the same as one from here, so where there is a proxy at all
 * (`trustedProxies`) nobody counts as direct. An X-Forwarded-For of 127.0.0.1 would not help: what such a proxy
 * hands on of it is the stranger's own.
 */
export function isDirect({ headers, url }: Request, trustedProxies: TrustedProxies): boolean {
  if (hasProxies(trustedProxies)) return false;
  return !PROXY_HEADERS.some((name) => headers.has(name)) && isLocalName(new URL(url).hostname);
}
