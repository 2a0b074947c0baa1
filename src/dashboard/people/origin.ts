import type { ListedEvent } from '../../contract/event.ts';
import type { Visitor } from '../../contract/metrics/lists.ts';
import { nameOfValue } from '../state/value-names.ts';

/** `Germany · Chrome on Linux · Desktop`: describes a browser. */
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

/** The browser that an event came from. */
export const clientOfEvent = ({ location, browser, os, deviceType }: ListedEvent) => ({
  country: location ?? null,
  browser: browser ?? null,
  os: os ?? null,
  deviceType: deviceType ?? null,
});

/** Words before the page or name of an event. */
export const EVENT_WORDS = { pageview: 'Viewed', click: 'Clicked', custom: 'Event' } as const;

/** The beginning of an id, enough to distinguish it. */
export function shortId(id: string): string {
  return id.length > 12 ? `${id.slice(0, 8)}…` : id;
}
