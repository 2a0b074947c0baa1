import { isLocalName } from './http/own-machine.ts';
import { hasProxies } from './network/trusted-proxies.ts';
import type { Config } from './settings/config.ts';

type Where = Pick<Config, 'host' | 'trustedProxies'>;

/** Whether others than those on this machine reach the service, as far as the settings say. */
export function isReachedByOthers({ host, trustedProxies }: Where): boolean {
  return !isLocalName(host) || hasProxies(trustedProxies);
}

/** What is probably not as it was meant, in words for the administrator; looked at once, at the start. */
export function startWarnings({ host, trustedProxies }: Where, registration: 'open' | 'closed'): string[] {
  const isReachable = !isLocalName(host);
  const warnings: string[] = [];
  if (registration === 'open' && isReachedByOthers({ host, trustedProxies }))
    warnings.push(
      'anybody who reaches this server may register. REGISTRATION=closed, or the switch in the dashboard, allows only the first account',
    );
  if (typeof trustedProxies !== 'number') return warnings;
  if (trustedProxies > 0 && isReachable)
    warnings.push(
      `whoever reaches HOST ${host} past the proxy chooses the address that TRUST_PROXY believes: let nobody but the proxy connect`,
    );
  if (trustedProxies > 1)
    warnings.push(
      `TRUST_PROXY=${trustedProxies} believes a forged X-Forwarded-For on any route with fewer proxies. Name the proxies' addresses instead: see docs/proxies.md`,
    );
  return warnings;
}
