/**
 * Whether two hosts share a registered domain: `shop.example.co.uk` and `example.co.uk` do, `a.github.io` and `b.github.io`
 * do not.
 */
export function isSameSite(a: string, b: string): boolean {
  if (a === '' || b === '' || endOf(a) !== endOf(b)) return false;
  const domain = domainOf(a);
  return domain !== null && domain === domainOf(b);
}

/** The last two labels: hosts that differ there have no domain in common. */
function endOf(host: string): string {
  return host.slice(host.lastIndexOf('.', host.lastIndexOf('.') - 1) + 1);
}

/** The public suffix list has 4 MB, and few events need it: it is loaded when hosts end alike. */
function domainOf(host: string): string | null {
  const { getDomain } = require('tldts-experimental') as typeof import('tldts-experimental');
  return getDomain(host, { allowPrivateDomains: true });
}
