import type { ProxySign } from './http/before-routes.ts';
import { isLocalName } from './http/own-machine.ts';
import { isEverything } from './network/ip-range.ts';
import { hasProxies } from './network/trusted-proxies.ts';
import type { Config } from './settings/config.ts';

type Where = Pick<Config, 'host' | 'trustedProxies'>;
type Warned = Where & Pick<Config, 'clientIpHeader'>;

/** Whether the settings let other machines reach the service, directly or through a proxy. */
export function isReachedByOthers({ host, trustedProxies }: Where): boolean {
  return !isLocalName(host) || hasProxies(trustedProxies);
}

/** Settings that are probably not meant as they are, in sentences for the administrator. */
export function startWarnings(
  { host, trustedProxies, clientIpHeader }: Warned,
  registration: 'open' | 'closed',
): string[] {
  const isReachable = !isLocalName(host);
  const warnings: string[] = [];
  if (registration === 'open' && isReachedByOthers({ host, trustedProxies }))
    warnings.push(
      'everyone who reaches this server may register. REGISTRATION=closed, or the switch in the dashboard, allows only the first account',
    );
  if (typeof trustedProxies !== 'number') {
    if (trustedProxies.some(isEverything))
      warnings.push(
        'TRUST_PROXY holds every address (0.0.0.0/0 or ::/0): every client chooses the address that limits, country and excludedIps follow. Name the proxies alone',
      );
    if (clientIpHeader !== undefined)
      warnings.push(
        `CLIENT_IP_HEADER: the proxies of TRUST_PROXY must overwrite or remove ${clientIpHeader}. One that hands on what a client wrote lets every client choose its address (/docs/proxies on this server)`,
      );
    return warnings;
  }
  if (trustedProxies > 0 && isReachable)
    warnings.push(
      `a client that reaches HOST ${host} past the proxy chooses the address that TRUST_PROXY believes: let the proxy alone connect`,
    );
  if (trustedProxies > 1)
    warnings.push(
      `TRUST_PROXY=${trustedProxies} believes a forged X-Forwarded-For on any route with fewer proxies. Name the proxies' addresses instead: see /docs/proxies on this server`,
    );
  return warnings;
}

const PROXY_REMEDY =
  'Behind a proxy set TRUST_PROXY to its address, or loopback (/docs/proxies on this server), or all visitors share the address of the proxy: one limit, one country, one exclusion';

/** Warnings about a request that probably came through a proxy, by what it was recognised by. */
export const UNKNOWN_PROXY: Record<ProxySign, string> = {
  'x-forwarded-for': `requests come with X-Forwarded-For, which is ignored: TRUST_PROXY is 0. ${PROXY_REMEDY}`,
  'foreign request from loopback': `a request came from this machine with the Host, Origin, Referer or another header of elsewhere, as through a proxy that adds no X-Forwarded-For: TRUST_PROXY is 0. ${PROXY_REMEDY}`,
};
