import { toChannel } from '../../../src/analytics/derive/channel.ts';
import { findSource, isSignInHost } from '../../../src/analytics/derive/sources.ts';
import type { OriginDimension } from '../../../src/vocabulary/analytics.ts';
import { toReadableHost, toText } from './forms.ts';
import type { RawEvent } from './raw-event.ts';

/** Where a visit comes from that begins with an event. */
export function readOrigin(event: RawEvent, hostname: string): Record<OriginDimension, string> {
  const query = URL.parse(event.url)?.searchParams;
  const parameter = (name: string) => toText(query?.get(name)?.trim() ?? '');
  const has = (name: string) => query?.has(name) ?? false;
  const host = withoutWww(toText(toReadableHost(URL.parse(event.referrer ?? '')?.hostname ?? '')));
  const referrer = host === withoutWww(hostname) ? '' : host;
  const utmSource = parameter('utm_source');
  const utmMedium = parameter('utm_medium');
  const utmCampaign = parameter('utm_campaign');
  const clicked = has('gclid') ? 'google' : has('msclkid') ? 'bing' : has('fbclid') ? 'facebook' : '';
  const text =
    utmSource ||
    parameter('ref') ||
    parameter('source') ||
    (isSignInHost(referrer) ? '' : referrer) ||
    clicked;
  const known = text === '' ? undefined : findSource(text);
  const source = known ? known.name : text;
  const hasPaidClick = has('gclid') || has('msclkid');
  const channel = toChannel({
    kind: known?.kind,
    source,
    medium: utmMedium,
    campaign: utmCampaign,
    hasPaidClick,
  });
  return {
    referrer,
    source,
    channel,
    utmSource,
    utmMedium,
    utmCampaign,
    utmContent: parameter('utm_content'),
    utmTerm: parameter('utm_term'),
  };
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice('www.'.length) : host;
}
