import { ORIGIN_DIMENSIONS, type OriginDimension } from '../../vocabulary/analytics.ts';
import { type Address, toHostForm } from './address.ts';
import { toChannel } from './channel.ts';
import { findSource, isSignInHost } from './sources.ts';
import { toText } from './text.ts';

/** Parameters that a network adds to what it links to, and the network's name; whether the click was paid for. */
const CLICK_IDS = [
  { parameter: 'gclid', network: 'google', isPaid: true },
  { parameter: 'msclkid', network: 'bing', isPaid: true },
  { parameter: 'fbclid', network: 'facebook', isPaid: false },
] as const;

/** Where a visit that begins with an event comes from: the values of ORIGIN_DIMENSIONS in their order; empty where absent. */
export function deriveOrigin(address: Address, referrerUrl: string | null): string[] {
  const { query } = address;
  const referrer = toReferrer(referrerUrl, address.hostname);
  const utmSource = parameter(query, 'utm_source');
  const medium = parameter(query, 'utm_medium');
  const campaign = parameter(query, 'utm_campaign');
  const clicks = query ? CLICK_IDS.filter(({ parameter }) => query.has(parameter)) : [];
  const linking = isSignInHost(referrer) ? '' : referrer;
  const named =
    utmSource || parameter(query, 'ref') || parameter(query, 'source') || linking || clicks[0]?.network || '';
  const known = named === '' ? undefined : findSource(named);
  const source = known?.name ?? named;
  const hasPaidClick = clicks.some(({ isPaid }) => isPaid);
  const values: Record<OriginDimension, string> = {
    referrer,
    source,
    channel: toChannel({ kind: known?.kind, source, medium, campaign, hasPaidClick }),
    utmSource,
    utmMedium: medium,
    utmCampaign: campaign,
    utmContent: parameter(query, 'utm_content'),
    utmTerm: parameter(query, 'utm_term'),
  };
  return ORIGIN_DIMENSIONS.map((dimension) => values[dimension]);
}

/** The host of the page that led here, without `www.`; empty for the website's own pages. */
function toReferrer(referrerUrl: string | null, ownHostname: string): string {
  if (!referrerUrl) return '';
  const host = toText(toHostForm(URL.parse(referrerUrl)?.hostname ?? '')).replace(/^www\./, '');
  return host === ownHostname.replace(/^www\./, '') ? '' : host;
}

function parameter(query: URLSearchParams | undefined, name: string): string {
  return toText(query?.get(name)?.trim() ?? '');
}
