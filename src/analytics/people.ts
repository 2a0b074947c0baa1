import { DEVICE_TYPES } from '../contract/vocabulary.ts';
import { packId } from '../db/packed-id.ts';
import type {
  Analytics,
  Client,
  List,
  ListRequest,
  Moment,
  Origin,
  Session,
  SessionDetail,
  Visit,
  Visitor,
  VisitorDetail,
} from './analytics.ts';
import { DAY_MS, DAYS_MAX, exitPagesOf } from './day.ts';
import type { Days } from './days.ts';
import { collectGroups, eachHit, type Group, listGroups } from './groups.ts';
import type { EventIds, LogReader } from './log-reader.ts';
import { hashSession } from './read-event.ts';
import { createScan } from './scan.ts';
import { CHANNELS } from './vocabulary.ts';
import type { WebsiteTerms } from './website-terms.ts';

/** Sessions and visitors: their lists, and one of them in detail. */

export type PeopleSource = { terms: WebsiteTerms; days: Days; log: LogReader };

const DETAIL_VISITS_MAX = 100;

export async function listSessions(request: ListRequest, source: PeopleSource): Promise<List<Session>> {
  const { groups, total } = listGroups('session', request, source);
  const ids = await source.log.ids(groups.map(({ first }) => first.key));
  return { rows: groups.map((group, index) => toSession(group, ids[index], source)), total };
}

export async function findSession(
  { websiteKey, sessionId, limit, offset }: Parameters<Analytics['session']>[0],
  source: PeopleSource,
): Promise<SessionDetail | undefined> {
  const request = { websiteKey, ...wholeTime(source.days), traffic: 'all' as const };
  const wanted = hashSession(packId(sessionId));
  const [group] = collectGroups('session', request, source, (id) => id === wanted);
  if (!group) return undefined;
  const moments: Moment[] = [];
  eachHit('session', request, source, (id, day, _visit, event) => {
    if (id === wanted)
      moments.push({ atMs: day.startMs + (day.atMs[event] ?? 0), key: day.wide.get('key')?.[event] ?? 0 });
  });
  const events = await source.log.path(inOrder(moments).slice(offset, offset + limit));
  const [ids] = await source.log.ids([group.first.key]);
  return { session: { ...toSession(group, ids, source), sessionId }, events };
}

export async function listVisitors(request: ListRequest, source: PeopleSource): Promise<List<Visitor>> {
  const { groups, total } = listGroups('visitor', request, source);
  const ids = await source.log.ids(groups.map(({ first }) => first.key));
  return { rows: groups.map((group, index) => toVisitor(group, ids[index], source)), total };
}

export async function findVisitor(
  { websiteKey, visitorId, limit, offset }: Parameters<Analytics['visitor']>[0],
  source: PeopleSource,
): Promise<VisitorDetail | undefined> {
  const visitor = source.terms.visitors.find(packId(visitorId));
  if (visitor === 0) return undefined;
  const request = { websiteKey, ...wholeTime(source.days), traffic: 'all' as const, visitor };
  const [group] = collectGroups('visitor', request, source, () => true);
  if (!group) return undefined;
  const visits: Visit[] = [];
  const moments: Moment[] = [];
  const scan = createScan({ request, ...source, names: [], wideNames: ['key'] });
  scan.run((day, { count, visits: selected }) => {
    for (const visit of selected.subarray(0, count)) {
      const first = day.first[visit] ?? 0;
      const end = day.first[visit + 1] ?? 0;
      const startMs = day.startMs + (day.atMs[first] ?? 0);
      visits.push({
        startMs,
        endMs: startMs + (day.durationMs[visit] ?? 0),
        pageviews: day.pageviews[visit] ?? 0,
        events: end - first,
        entryPage: source.terms.page.text(day.entryPage[visit] ?? 0) || null,
        exitPage: source.terms.page.text(exitPagesOf(day)[visit] ?? 0) || null,
        ...toOrigin(day.origin[visit] ?? 0, source.terms),
      });
      for (let event = first; event < end; event += 1)
        moments.push({ atMs: day.startMs + (day.atMs[event] ?? 0), key: day.wide.get('key')?.[event] ?? 0 });
    }
  });
  const [ids] = await source.log.ids([group.first.key]);
  return {
    visitor: toVisitor(group, ids, source),
    visits: visits.sort((a, b) => b.startMs - a.startMs).slice(0, DETAIL_VISITS_MAX),
    events: await source.log.path(
      inOrder(moments)
        .reverse()
        .slice(offset, offset + limit),
    ),
  };
}

function inOrder(moments: Moment[]): number[] {
  return moments.sort((a, b) => a.atMs - b.atMs || a.key - b.key).map(({ key }) => key);
}

function wholeTime(days: Days): { fromMs: number; toMs: number } {
  const numbers = days.numbers(-DAYS_MAX, DAYS_MAX);
  return { fromMs: (numbers[0] ?? 0) * DAY_MS, toMs: ((numbers.at(-1) ?? 0) + 1) * DAY_MS };
}

function toSession(
  { first, last, firstView, lastView, pageviews, events }: Group,
  ids: EventIds | undefined,
  { terms }: PeopleSource,
) {
  return {
    sessionId: ids?.sessionId ?? '',
    visitorId: ids?.visitorId ?? '',
    firstAtMs: first.atMs,
    lastAtMs: last.atMs,
    duration: (last.atMs - first.atMs) / 1_000,
    pageviews,
    events,
    entryPage: terms.page.text(firstView?.page ?? 0) || null,
    exitPage: terms.page.text(lastView?.page ?? 0) || null,
    ...toOrigin(first.origin, terms),
    ...toClient(first.client, terms),
  } satisfies Session;
}

function toVisitor(
  { first, last, visits, pageviews, events }: Group,
  ids: EventIds | undefined,
  { terms }: PeopleSource,
): Visitor {
  return {
    visitorId: ids?.visitorId ?? '',
    firstAtMs: first.atMs,
    lastAtMs: last.atMs,
    visits,
    pageviews,
    events,
    ...toClient(last.client, terms),
  };
}

function toClient(number: number, terms: WebsiteTerms): Client {
  const [country, deviceType, browser, os, language, screen] = terms.clients.values(number);
  return {
    country: country || null,
    deviceType: DEVICE_TYPES.find((type) => type === deviceType) ?? null,
    browser: browser || null,
    os: os || null,
    language: language || null,
    screen: screen || null,
  };
}

function toOrigin(number: number, terms: WebsiteTerms): Origin {
  const [referrer, source, channel, utmSource, utmMedium, utmCampaign, utmContent, utmTerm] =
    terms.origins.values(number);
  return {
    referrer: referrer || null,
    source: source || null,
    channel: CHANNELS.find((name) => name === channel) ?? null,
    utmSource: utmSource || null,
    utmMedium: utmMedium || null,
    utmCampaign: utmCampaign || null,
    utmContent: utmContent || null,
    utmTerm: utmTerm || null,
  };
}
