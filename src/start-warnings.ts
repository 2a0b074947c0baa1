import type { Config } from './config.ts';
import { isLocalName } from './http/own-machine.ts';

/** What is probably not as it was meant, in words for the administrator; looked at once, at the start. */
export function startWarnings({
  host,
  registration,
  trustedProxies,
}: Pick<Config, 'host' | 'registration' | 'trustedProxies'>): string[] {
  const isReachable = !isLocalName(host);
  const warnings: string[] = [];
  if (registration === 'open' && (isReachable || trustedProxies > 0))
    warnings.push(
      'anybody who reaches this server may register: REGISTRATION is open. REGISTRATION=closed allows only the first account',
    );
  if (trustedProxies > 0 && isReachable)
    warnings.push(
      `whoever reaches HOST ${host} past the proxy chooses the address that TRUST_PROXY believes: let nobody but the proxy connect`,
    );
  if (trustedProxies > 1)
    warnings.push(
      `TRUST_PROXY=${trustedProxies} believes a forged X-Forwarded-For on any route with fewer proxies. See docs/operations.md, "Behind a proxy", for how to do with 1`,
    );
  return warnings;
}
