import type { Analytics } from '../../../src/analytics/analytics.ts';
import type {
  Client,
  Matched,
  Origin,
  PathEvent,
  Session,
  SessionDetail,
  Visit,
  Visitor,
  VisitorDetail,
} from '../../../src/analytics/interface/people.ts';
import type { List, ListPage, ListRequest, Selection } from '../../../src/analytics/interface/selection.ts';
import type { ListedVisit, VisitsRequest } from '../../../src/analytics/interface/visits.ts';
import { visitsOf } from './figures.ts';
import type { NaiveLog } from './log.ts';
import { engagementOf, inOrder } from './raw-event.ts';
import { sumAmounts, toRevenue } from './revenue.ts';
import { type Match, narrow, passes, select } from './selection.ts';
import { type NaiveVisit, pageviewsOf } from './visits.ts';

const VISITS_MAX = 100;

export function listSessions(log: NaiveLog, request: ListRequest): List<Session> {
  const groups = listGroups(log, request, ({ event }) => event.sessionId);
  return toPage(
    groups.map(({ whole, matched }) => ({ ...toSession(whole), ...matched })),
    request,
  );
}

export function findSession(
  log: NaiveLog,
  { websiteKey, sessionId, ...page }: Parameters<Analytics['session']>[0],
): SessionDetail | undefined {
  const matches = select(log, everything(websiteKey)).filter(({ event }) => event.sessionId === sessionId);
  if (matches.length === 0) return undefined;
  return { session: toSession(matches), events: toPage(matches, page).rows.map(toPathEvent) };
}

export function listVisitors(log: NaiveLog, request: ListRequest): List<Visitor> {
  const groups = listGroups(log, request, ({ event }) => event.visitorId);
  return toPage(
    groups.map(({ whole, matched }) => ({ ...toVisitor(whole), ...matched })),
    request,
  );
}

export function findVisitor(
  log: NaiveLog,
  { websiteKey, visitorId, ...page }: Parameters<Analytics['visitor']>[0],
): VisitorDetail | undefined {
  const matches = select(log, everything(websiteKey)).filter(({ event }) => event.visitorId === visitorId);
  if (matches.length === 0) return undefined;
  const newestFirst = matches.toReversed();
  const visits = visitsOf(newestFirst);
  return {
    visitor: toVisitor(matches),
    visits: visits.slice(0, VISITS_MAX).map(toVisitRow),
    events: toPage(newestFirst, page).rows.map(toPathEvent),
  };
}

export function listVisits(
  log: NaiveLog,
  { pageviewsMin = 0, stepsMax, conditions, ...request }: VisitsRequest,
): List<ListedVisit> {
  const visits = visitsOf(select(log, request)).filter(
    ({ events }) => pageviewsOf(events).length >= pageviewsMin,
  );
  const latest = visits.toSorted((a, b) => inOrder(lastOf(b.events).event, lastOf(a.events).event));
  const { websiteKey, traffic = 'people' } = request;
  const whole = { ...everything(websiteKey), traffic };
  const met = conditions.map(
    (filter) => new Set(select(log, narrow(whole, filter)).map(({ event }) => event.id)),
  );
  return toPage(
    latest.map((visit) => ({
      visitorId: firstOf(visit.events).event.visitorId,
      sessionId: firstOf(visit.events).event.sessionId,
      ...toVisitRow(visit),
      ...toClient(visit),
      steps: visit.events.slice(0, stepsMax).map(toPathEvent),
      revenue: sumAmounts(visit.events.slice(0, stepsMax).map(({ event }) => event.properties)),
      met: met.flatMap((ids, condition) =>
        visit.events.some(({ event }) => ids.has(event.id)) ? [condition] : [],
      ),
    })),
    request,
  );
}

/** Selects all time and all traffic. */
function everything(websiteKey: number): Selection {
  return { websiteKey, fromMs: -Infinity, toMs: Infinity, traffic: 'all' };
}

/**
 * Groups with a matching event, the one with the latest first: all events in the visits that have one in the range, and what
 * matched of them.
 */
function listGroups(log: NaiveLog, { filter, ...request }: ListRequest, keyOf: (match: Match) => string) {
  const inside = select(log, request);
  const matches = inside.filter((match) => filter === undefined || passes(match, filter));
  const whole = visitsOf(inside)
    .flatMap((visit) => visit.events.map((event): Match => ({ ...event, visit })))
    .sort((a, b) => inOrder(a.event, b.event));
  return [...Map.groupBy(matches, keyOf)]
    .sort(([, a], [, b]) => inOrder(lastOf(b).event, lastOf(a).event))
    .map(([key, own]) => ({
      whole: whole.filter((match) => keyOf(match) === key),
      ...(filter ? { matched: { matched: toMatched(own) } } : { matched: {} }),
    }));
}

function toMatched(matches: readonly Match[]): Matched {
  const { event, page, name } = lastOf(matches);
  return {
    events: matches.length,
    lastAtMs: event.createdAtMs,
    eventType: event.eventType,
    page: page || null,
    name: name || null,
    revenue: toRevenue(matches).revenue,
  };
}

function toPage<Row>(rows: Row[], { limit, offset }: ListPage): List<Row> {
  return { rows: rows.slice(offset, offset + limit), total: rows.length };
}

function toSession(matches: readonly Match[]): Session {
  const { event, visit } = firstOf(matches);
  const pageviews = pageviewsOf(matches);
  const lastAtMs = lastOf(matches).event.createdAtMs;
  return {
    sessionId: event.sessionId,
    visitorId: event.visitorId,
    firstAtMs: event.createdAtMs,
    lastAtMs,
    duration: (lastAtMs - event.createdAtMs) / 1000,
    pageviews: pageviews.length,
    events: matches.length,
    entryPage: pageviews[0]?.page || null,
    exitPage: pageviews.at(-1)?.page || null,
    ...toOrigin(visit),
    ...toClient(visit),
  };
}

function toVisitor(matches: readonly Match[]): Visitor {
  const last = lastOf(matches);
  return {
    visitorId: last.event.visitorId,
    firstAtMs: firstOf(matches).event.createdAtMs,
    lastAtMs: last.event.createdAtMs,
    visits: visitsOf(matches).length,
    pageviews: pageviewsOf(matches).length,
    events: matches.length,
    ...toClient(last.visit),
  };
}

function toVisitRow(visit: NaiveVisit): Visit {
  return {
    startMs: visit.startMs,
    endMs: visit.endMs,
    pageviews: pageviewsOf(visit.events).length,
    events: visit.events.length,
    entryPage: visit.entryPage || null,
    exitPage: visit.exitPage || null,
    ...toOrigin(visit),
  };
}

function toOrigin({ origin }: NaiveVisit): Origin {
  return orNull(origin) as Origin; // the channel was made by toChannel
}

function toClient({ client }: NaiveVisit): Client {
  return orNull(client) as Client; // the device type was copied from an event
}

function orNull(texts: Record<string, string>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text || null]));
}

/** With its own page and name, also where those are "(other)" elsewhere. */
function toPathEvent({ event, own }: Pick<Match, 'event' | 'own'>): PathEvent {
  const { id, createdAtMs, eventType, url, properties } = event;
  return {
    id,
    atMs: createdAtMs,
    eventType,
    url,
    page: own.page,
    name: own.name || null,
    properties,
    ...engagementOf(event),
  };
}

function firstOf<Event>(matches: readonly Event[]): Event {
  const [first] = matches;
  if (first === undefined) throw new Error('a group has events');
  return first;
}

function lastOf<Event>(matches: readonly Event[]): Event {
  const last = matches.at(-1);
  if (last === undefined) throw new Error('a group has events');
  return last;
}
