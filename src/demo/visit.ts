import { clickInternal, type Happening, makeHappening } from './happenings.ts';
import type { Random } from './random.ts';
import type { Site } from './site.ts';
import type { TrafficEvent } from './traffic-event.ts';
import { toUuidV4, toUuidV7 } from './uuid.ts';
import type { Visitor } from './visitors.ts';
import { chooseSource } from './world.ts';

/** Visits of one page that end without another event. Who has been here before stays longer. */
const BOUNCE_SHARE = { new: 0.52, returning: 0.36 };
/**
 * Shares of the other visits: some see one page and act on it; the rest continue, and each page is the last with this
 * chance.
 */
const ONE_PAGE_SHARE = 0.05;
const LEAVE_CHANCE = 0.36;
const PAGEVIEWS_MAX = 60;
/** Shares of the steps from one page to the next. */
const CLICK_SHARE = 0.35;
const NEW_TAB_SHARE = 0.06;
const TABS_MAX = 4;
const HAPPENING_SHARE = 0.09;
const LASTING_TAB_SHARE = 0.12;
/** Time on a page, seconds: log-normal. A rare long pause makes two visits of one session. */
const THINK_MEDIAN_S = 28;
const THINK_SPREAD = 1.1;
const THINK_MAX_S = 25 * 60;
const PAUSE_SHARE = 0.012;
const PAUSE_MIN_S = 31 * 60;
const PAUSE_MAX_S = 5 * 3_600;
const CRAWL_PAGES_MAX = 12;
const CRAWL_PAUSE_MS = 1_500;

type Tab = { sessionId: string; page: number; url: string; referrer: string | null };

export type VisitContext = {
  website: number;
  site: Site;
  pageCount: number;
  random: Random;
  /** No event is at or after this instant. */
  endMs: number;
  hasSales: boolean;
};

export type Visits = {
  /** Plans a visit from its first to its last event, at most `eventsMax`, in order of time. */
  plan(visitor: Visitor, startMs: number, eventsMax: number): TrafficEvent[];
  /** Plans the visit of a bot: pages in quick succession, nothing else. */
  planCrawl(visitor: Visitor, startMs: number, eventsMax: number): TrafficEvent[];
};

export function createVisits({ website, site, pageCount, random, endMs, hasSales }: VisitContext): Visits {
  return { plan, planCrawl };

  function plan(visitor: Visitor, startMs: number, eventsMax: number): TrafficEvent[] {
    const events: TrafficEvent[] = [];
    const host = site.pickHost(random.next());
    const first = openFirstTab(visitor, host);
    const tabs = [first];
    let tab = first;
    let nowMs = startMs;
    add('pageview', null);
    if (random.chance(visitor.isReturning ? BOUNCE_SHARE.returning : BOUNCE_SHARE.new)) return events;
    if (random.chance(ONE_PAGE_SHARE)) {
      happen(makeHappening(random, hasSales));
      return events.slice(0, eventsMax);
    }
    for (let pageviews = 2; pageviews <= PAGEVIEWS_MAX && events.length < eventsMax; pageviews += 1) {
      if (random.chance(HAPPENING_SHARE)) happen(makeHappening(random, hasSales));
      think();
      readNextPage();
      if (random.chance(LEAVE_CHANCE)) break;
    }
    return events.slice(0, eventsMax);

    function readNextPage(): void {
      if (tabs.length > 1) tab = tabs[random.below(tabs.length)] ?? tab;
      const page = nextPage(tab.page);
      const url = site.urlOf(host, page);
      if (random.chance(CLICK_SHARE)) happen(clickInternal(url));
      const opened = { sessionId: tab.sessionId, page, url, referrer: tab.url };
      if (tabs.length < TABS_MAX && random.chance(NEW_TAB_SHARE)) {
        opened.sessionId = newSessionId();
        tabs.push(opened);
      } else tabs[tabs.indexOf(tab)] = opened;
      tab = opened;
      add('pageview', null);
    }

    function happen({ eventType, properties }: Happening): void {
      add(eventType, properties);
      wait(100 + random.below(800));
    }

    function think(): void {
      const thinkS = random.chance(PAUSE_SHARE)
        ? PAUSE_MIN_S + random.below(PAUSE_MAX_S - PAUSE_MIN_S)
        : 1 + Math.min(random.around(THINK_MEDIAN_S, THINK_SPREAD), THINK_MAX_S);
      wait(thinkS * 1_000);
    }

    function wait(durationMs: number): void {
      nowMs = later(nowMs, durationMs);
    }

    function add(eventType: TrafficEvent['eventType'], properties: TrafficEvent['properties']): void {
      events.push(toEvent(visitor, tab, nowMs, eventType, properties, false));
    }
  }

  function planCrawl(visitor: Visitor, startMs: number, eventsMax: number): TrafficEvent[] {
    const sessionId = newSessionId();
    const events: TrafficEvent[] = [];
    const pageviews = Math.min(1 + random.below(CRAWL_PAGES_MAX), eventsMax);
    let nowMs = startMs;
    while (events.length < pageviews) {
      const page = site.pickPage(random.next());
      const tab = { sessionId, page, url: site.urlOf(0, page), referrer: null };
      events.push(toEvent(visitor, tab, nowMs, 'pageview', null, true));
      nowMs = later(nowMs, random.below(2 * CRAWL_PAUSE_MS));
    }
    return events;
  }

  function openFirstTab(visitor: Visitor, host: number): Tab {
    const { referrers, query } = chooseSource(random.next());
    const referrer = referrers[random.below(referrers.length)] ?? null;
    const page = site.pickEntry(random.next());
    const url = site.urlOf(host, page);
    const isLasting = visitor.isReturning && random.chance(LASTING_TAB_SHARE);
    return {
      sessionId: isLasting ? visitor.lastingSessionId : newSessionId(),
      page,
      url: query ? `${url}?${fillClickId(query[random.below(query.length)] ?? '')}` : url,
      referrer,
    };
  }

  function fillClickId(query: string): string {
    if (!query.includes('{click}')) return query;
    const clickId = Array.from({ length: 4 }, () => random.word().toString(36)).join('');
    return query.replace('{click}', clickId);
  }

  function nextPage(page: number): number {
    const next = site.pickPage(random.next());
    return next === page ? (page + 1) % pageCount : next;
  }

  function newSessionId(): string {
    return toUuidV4(random.word(), random.word(), random.word(), random.word());
  }

  /** Close to the end the time left is divided instead, so that no visit goes beyond it. */
  function later(nowMs: number, durationMs: number): number {
    const thenMs = Math.floor(nowMs + durationMs);
    return thenMs < endMs ? thenMs : Math.floor(nowMs + (endMs - nowMs) * random.next());
  }

  function toEvent(
    visitor: Visitor,
    tab: Tab,
    createdAtMs: number,
    eventType: TrafficEvent['eventType'],
    properties: TrafficEvent['properties'],
    isBot: boolean,
  ): TrafficEvent {
    return {
      website,
      id: toUuidV7(createdAtMs, random.word(), random.word(), random.word()),
      createdAtMs,
      eventType,
      url: tab.url,
      referrer: tab.referrer,
      sessionId: tab.sessionId,
      visitorId: visitor.id,
      deviceType: isBot ? null : visitor.deviceType,
      browser: visitor.browser,
      os: visitor.os,
      location: visitor.location,
      language: isBot ? null : visitor.language,
      screen: isBot ? null : visitor.screen,
      properties,
      isBot,
    };
  }
}
