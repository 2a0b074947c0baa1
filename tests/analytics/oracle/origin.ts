import { toChannel } from '../../../src/analytics/derive/channel.ts';
import { findClicks } from '../../../src/analytics/derive/clicks.ts';
import { isSameSite } from '../../../src/analytics/derive/same-site.ts';
import { findSource, isOnTheWay } from '../../../src/analytics/derive/sources.ts';
import type { OriginDimension } from '../../../src/vocabulary/analytics.ts';
import { toReadableHost, toText } from './forms.ts';
import type { RawEvent } from './raw-event.ts';

/** Where a visit comes from that begins with an event. */
export function readOrigin(event: RawEvent, hostname: string): Record<OriginDimension, string> {
  const url = URL.parse(event.url);
  const query = url?.searchParams;
  // The fragment of some is a route, which may carry a campaign.
  const route = (event.flags & 128) !== 0 ? (url?.hash ?? '') : '';
  const inRoute = new URLSearchParams(route.includes('?') ? route.slice(route.indexOf('?') + 1) : '');
  const ofRoute = (name: string) => (name.startsWith('utm_') ? inRoute.get(name) : null);
  const parameter = (name: string) =>
    toText((query?.get(name) ?? ofRoute(name) ?? query?.get(`amp;${name}`) ?? '').trim());
  const host = hostOf(event.referrer ?? '');
  const own = withoutWww(hostname);
  const isOwn = host === own || (isSameSite(host, own) && findSource(host) === undefined);
  const referrer = isOwn ? '' : host;
  const utmSource = parameter('utm_source');
  const utmMedium = parameter('utm_medium').toLowerCase();
  const utmCampaign = parameter('utm_campaign');
  const clicks = findClicks((name) => parameter(name) !== '');
  const given = utmSource || parameter('ref') || parameter('source');
  const text =
    (given.includes('://') ? hostOf(given) : given) ||
    (isOnTheWay(referrer) ? '' : referrer) ||
    clicks[0]?.network ||
    '';
  const known = text === '' ? undefined : findSource(text);
  const source = known ? known.name : text;
  const channel = toChannel({
    kind: known?.kind,
    source,
    medium: utmMedium,
    campaign: utmCampaign,
    isPaid: known?.isPaid === true || clicks.some((click) => click.cost === 'paid'),
    isDisplay: known?.kind === 'display' || clicks.some((click) => click.cost === 'display'),
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

function hostOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? '';
  return withoutWww(toText(toReadableHost(host.endsWith('.') ? host.slice(0, -1) : host)));
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice('www.'.length) : host;
}
