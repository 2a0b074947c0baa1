import { toChannel } from '../../../src/analytics/channel.ts';
import { findSource } from '../../../src/analytics/sources.ts';
import {
  type ClientDimension,
  type OriginDimension,
  type Traffic,
  VISIT_GAP_MS,
} from '../../../src/analytics/vocabulary.ts';
import { type EventFacts, toText } from './event-facts.ts';
import { classOf, inOrder, type RawEvent } from './raw-event.ts';

/** A whole visit; '' where a text is absent. */
export type NaiveVisit = {
  /** In order; at least one. */
  events: EventFacts[];
  startMs: number;
  endMs: number;
  isBounce: boolean;
  entryPage: string;
  exitPage: string;
  origin: Record<OriginDimension, string>;
  client: Record<ClientDimension, string>;
};

/** @param events all events of one website */
export function toVisits(events: readonly EventFacts[], traffic: Traffic): NaiveVisit[] {
  const open = new Map<string, EventFacts[]>();
  const groups: EventFacts[][] = [];
  for (const facts of inTraffic(events, traffic).toSorted((a, b) => inOrder(a.event, b.event))) {
    const { visitorId, createdAtMs } = facts.event;
    const group = open.get(visitorId);
    const last = group?.at(-1);
    if (group && last && createdAtMs - last.event.createdAtMs <= VISIT_GAP_MS) {
      group.push(facts);
    } else {
      const begun = [facts];
      open.set(visitorId, begun);
      groups.push(begun);
    }
  }
  return groups.map(toVisit);
}

function inTraffic(events: readonly EventFacts[], traffic: Traffic): EventFacts[] {
  return events.filter(({ event }) => traffic === 'all' || classOf(event) === traffic);
}

function toVisit(events: EventFacts[]): NaiveVisit {
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) throw new Error('a visit has events');
  const pageviews = pageviewsOf(events);
  return {
    events,
    startMs: first.event.createdAtMs,
    endMs: last.event.createdAtMs,
    isBounce: events.length === 1 && pageviews.length === 1,
    entryPage: pageviews[0]?.page ?? '',
    exitPage: pageviews.at(-1)?.page ?? '',
    origin: readOrigin(first.event),
    client: readClient(first.event),
  };
}

export function pageviewsOf<Facts extends EventFacts>(events: readonly Facts[]): Facts[] {
  return events.filter(({ event }) => event.eventType === 'pageview');
}

function readClient(event: RawEvent): Record<ClientDimension, string> {
  const { location, deviceType, browser, os, language, screen } = event;
  return {
    country: toText(location ?? ''),
    deviceType: deviceType ?? '',
    browser: toText(browser ?? ''),
    os: toText(os ?? ''),
    language: toText(language ?? ''),
    screen: toText(screen ?? ''),
  };
}

function readOrigin(event: RawEvent): Record<OriginDimension, string> {
  const url = URL.parse(event.url);
  const parameter = (name: string) => toText(url?.searchParams.get(name)?.trim() ?? '');
  const host = withoutWww(URL.parse(event.referrer ?? '')?.hostname ?? '');
  const referrer = host === withoutWww(url?.hostname ?? '') ? '' : toText(host);
  const utmSource = parameter('utm_source');
  const utmMedium = parameter('utm_medium');
  const utmCampaign = parameter('utm_campaign');
  const text = utmSource || parameter('ref') || parameter('source') || referrer;
  const known = text === '' ? undefined : findSource(text);
  const source = known ? known.name : text;
  const channel = toChannel({
    kind: known?.kind,
    source,
    medium: utmMedium,
    campaign: utmCampaign,
    hasPaidClick: ['gclid', 'msclkid'].some((name) => url?.searchParams.has(name) ?? false),
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
