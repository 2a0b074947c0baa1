import type { Analytics, Headline } from '../../../src/analytics/analytics.ts';
import type { ExportedEvent, ExportRequest } from '../../../src/analytics/interface/people.ts';
import type { Query, QueryAnswer } from '../../../src/analytics/interface/query.ts';
import type { EventPosition } from '../../../src/log/event.ts';
import { attribute } from './attribution.ts';
import { breakDown, listValues } from './breakdown.ts';
import { toFigures, visitsOf } from './figures.ts';
import { walkFunnel } from './funnel.ts';
import { walkJourneys } from './journeys.ts';
import { findSession, findVisitor, listSessions, listVisitors, listVisits } from './lists.ts';
import { type Limits, type NaiveLog, openNaiveLog } from './log.ts';
import { findPage, listPages } from './pages.ts';
import { listCustomEvents, listPropertyKeys, listPropertyValues } from './properties.ts';
import { engagementOf, inOrder, type RawEvent } from './raw-event.ts';
import { toRealtime } from './realtime.ts';
import { listCohorts } from './retention.ts';
import { sumRevenue } from './revenue.ts';
import { type Match, narrow, select } from './selection.ts';

export type { RawEvent } from './raw-event.ts';

export type NaiveAnalytics = Analytics & {
  /** Remaining events of the log. */
  events: () => RawEvent[];
  /** The events of a website before an instant, or all of them, were removed from the log. */
  removed(request: { websiteKey: number; beforeMs?: number }): void;
};

/**
 * The definitions, written a second time from their prose: plain loops over all events for each question. Right before
 * anything else; what the engine answers is compared with it.
 *
 * @param readEvents the log as it is now; those that were removed here are left out of it
 */
export function createNaiveAnalytics(
  readEvents: () => readonly RawEvent[],
  limits: Limits = {},
): NaiveAnalytics {
  const log = openNaiveLog(readEvents, limits);
  return {
    events: log.events,
    query: async (request) => answerQuery(select(log, request), request),
    conditions: async ({ conditions, ...selection }) => ({
      totals: toFigures(select(log, selection)),
      rows: conditions.map((filter) => toFigures(select(log, narrow(selection, filter)))),
    }),
    revenue: async (request) => sumRevenue(log, request),
    funnel: async (request) => walkFunnel(log, request),
    retention: async (request) => listCohorts(log, request),
    journeys: async (request) => walkJourneys(log, request),
    attribution: async (request) => attribute(log, request),
    values: async (request) => listValues(select(log, request), request),
    realtime: async (request) => toRealtime(log, request),
    sessions: async (request) => listSessions(log, request),
    session: async (request) => findSession(log, request),
    visits: async (request) => listVisits(log, request),
    visitors: async (request) => listVisitors(log, request),
    visitor: async (request) => findVisitor(log, request),
    pages: async (request) => listPages(log, request),
    page: async (request) => findPage(log, request),
    customEvents: async (request) => listCustomEvents(log, request),
    propertyKeys: async (request) => listPropertyKeys(log, request),
    propertyValues: async (request) => listPropertyValues(log, request),
    headlines: async ({ websiteKeys, bounds, ...range }) =>
      websiteKeys.map((websiteKey): Headline => {
        const matches = select(log, { websiteKey, ...range });
        const { visitors, visits, pageviews } = toFigures(matches);
        const points = bounds && toBuckets(matches, range, bounds).map((figures) => figures.visitors);
        return { websiteKey, visitors, visits, pageviews, ...(points && { points }) };
      }),
    exportVisitor: async (request) => exportEvents(log, request),
    eraseVisitor: async ({ websiteKey, visitorId }) => ({
      eventsRemoved: log.remove((event) => event.websiteKey === websiteKey && event.visitorId === visitorId),
    }),
    eraseSelected: async ({ eventsMax, ...selection }) => {
      const selected = new Set(select(log, selection).map(({ event }) => event.key));
      if (selected.size <= eventsMax) log.remove(({ key }) => selected.has(key));
      return { events: selected.size, isErased: selected.size <= eventsMax };
    },
    removed({ websiteKey, beforeMs = Infinity }) {
      log.remove((event) => event.websiteKey === websiteKey && event.createdAtMs < beforeMs);
    },
    rebuild: async () => ({ events: log.events().length }),
    catchUp: async () => {},
    readUntil: async () => undefined,
    wake: () => {},
    close: async () => {},
  };
}

function answerQuery(matches: readonly Match[], request: Query): QueryAnswer {
  const { totals, series, breakdowns, withWeights } = request;
  return {
    ...(totals && { totals: toFigures(matches, {}, withWeights) }),
    ...(series && { series: toBuckets(matches, request, series.bounds) }),
    ...(breakdowns && {
      breakdowns: breakdowns.map((breakdown) => breakDown(matches, breakdown, withWeights)),
    }),
  };
}

type Range = { fromMs: number; toMs: number; withWeights?: boolean };

/** The means of a bucket are those of the visits that begin in it; a visit from before the range begins in none. */
function toBuckets(matches: readonly Match[], range: Range, bounds: readonly number[]) {
  return bounds.slice(1).map((endMs, index) => {
    const startMs = bounds[index] ?? endMs;
    const isInside = (atMs: number) => atMs >= startMs && atMs < endMs && atMs >= range.fromMs;
    const begun = visitsOf(matches).filter((visit) => isInside(visit.startMs));
    return toFigures(
      matches.filter(({ event }) => isInside(event.createdAtMs)),
      { bounceRate: begun, visitDuration: begun },
      range.withWeights,
    );
  });
}

function exportEvents(
  log: NaiveLog,
  { websiteKey, visitorId, after, limit }: ExportRequest,
): { events: ExportedEvent[]; next: EventPosition | undefined } {
  const rest = log
    .events()
    .filter((event) => event.websiteKey === websiteKey && event.visitorId === visitorId)
    .filter(({ createdAtMs, key }) => !after || (createdAtMs - after.atMs || key - after.key) > 0)
    .sort(inOrder);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    events: page.map(({ key: _key, websiteKey: _websiteKey, ...event }) => ({
      ...event,
      ...engagementOf(event),
    })),
    next: last && rest.length > limit ? { atMs: last.createdAtMs, key: last.key } : undefined,
  };
}
