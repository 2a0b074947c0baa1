import type { Session, Visitor } from '../../contract/metrics-lists.ts';
import { nameOfValue } from '../value-names.ts';

/** `Germany · Chrome on Linux · Desktop`: what is known of a browser. */
export function clientOf({
  country,
  browser,
  os,
  deviceType,
}: Pick<Visitor, 'country' | 'browser' | 'os' | 'deviceType'>) {
  const parts = [
    country && nameOfValue('country', country),
    browser && os ? `${browser} on ${os}` : (browser ?? os),
    deviceType && nameOfValue('deviceType', deviceType),
  ];
  return parts.filter(Boolean).join(' · ') || 'Unknown browser';
}

/** Where a visit came from. */
export function sourceOf({ source, utmCampaign }: Pick<Session, 'source' | 'utmCampaign'>): string {
  return `${source ?? 'Direct'}${utmCampaign ? ` (${utmCampaign})` : ''}`;
}

/** Ids are long and mean nothing; the beginning tells one from another. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 8)}…` : id;
}
