import { ORIGIN_DIMENSIONS, type OriginDimension } from '../../vocabulary/analytics.ts';
import { type Address, toHost } from './address.ts';
import { toChannel } from './channel.ts';
import { findClicks } from './clicks.ts';
import { isSameSite } from './same-site.ts';
import { findSource, isOnTheWay } from './sources.ts';
import { toText } from './text.ts';

/**
 * Where a visit that begins with an event comes from: the values of ORIGIN_DIMENSIONS in their order; empty where
 * absent.
 */
export function deriveOrigin(address: Address, referrerUrl: string | null): string[] {
  const { query } = address;
  const referrer = toReferrer(referrerUrl, address.hostname);
  const utmSource = parameter(query, 'utm_source');
  const medium = parameter(query, 'utm_medium').toLowerCase();
  const campaign = parameter(query, 'utm_campaign');
  const clicks = query ? findClicks((name) => parameter(query, name) !== '') : [];
  const linking = isOnTheWay(referrer) ? '' : referrer;
  const named = toName(utmSource || parameter(query, 'ref') || parameter(query, 'source'));
  const text = named || linking || clicks[0]?.network || '';
  const known = text === '' ? undefined : findSource(text);
  const source = known?.name ?? text;
  const values: Record<OriginDimension, string> = {
    referrer,
    source,
    channel: toChannel({
      kind: known?.kind,
      source,
      medium,
      campaign,
      isPaid: known?.isPaid === true || clicks.some(({ cost }) => cost === 'paid'),
      isDisplay: known?.kind === 'display' || clicks.some(({ cost }) => cost === 'display'),
    }),
    utmSource,
    utmMedium: medium,
    utmCampaign: campaign,
    utmContent: parameter(query, 'utm_content'),
    utmTerm: parameter(query, 'utm_term'),
  };
  return ORIGIN_DIMENSIONS.map((dimension) => values[dimension]);
}

/** The host of the page, or the package of the app, that led here, without `www.`; empty for pages of the website's own. */
function toReferrer(referrerUrl: string | null, ownHostname: string): string {
  if (!referrerUrl) return '';
  const host = toHost(URL.parse(referrerUrl)?.hostname ?? '').replace(/^www\./, '');
  return isOwn(untranslated(host), untranslated(ownHostname.replace(/^www\./, ''))) ? '' : host;
}

/** A known source counts as one even within the same domain: a shop at a.tumblr.com is found on tumblr.com. */
function isOwn(host: string, own: string): boolean {
  return host === own || (isSameSite(host, own) && !findSource(host));
}

/** A website as Google translates it: `www-own--shop-example.translate.goog` is `www.own-shop.example`. */
function untranslated(host: string): string {
  const [, name] = /^([^.]+)\.translate\.goog$/.exec(host) ?? [];
  return name ? name.replace(/--|-/g, (sign) => (sign === '-' ? '.' : '-')).replace(/^www\./, '') : host;
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/?#\s]+\.[^/?#\s.]+)[/?#]\S*$|^[a-z][a-z0-9+.-]*:\/\/(\S+)$/i;

/** A campaign may give an address as its source: its host is meant. */
function toName(text: string): string {
  const [, host = '', whole = host] = ADDRESS.exec(text) ?? [];
  return whole === '' ? text : toHost(whole.toLowerCase()).replace(/^www\./, '');
}

/** Mails that were escaped twice have `&amp;` before each parameter but the first. */
function parameter(query: URLSearchParams | undefined, name: string): string {
  return toText((query?.get(name) ?? query?.get(`amp;${name}`))?.trim() ?? '');
}
