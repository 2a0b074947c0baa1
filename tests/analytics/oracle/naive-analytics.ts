import type {
  Analytics,
  ExportedEvent,
  ExportRequest,
  Headline,
  Moment,
  Query,
  QueryAnswer,
} from '../../../src/analytics/analytics.ts';
import { breakDown, listValues } from './breakdown.ts';
import { toFigures } from './figures.ts';
import { findSession, findVisitor, listSessions, listVisitors } from './lists.ts';
import { findPage, listPages } from './pages.ts';
import { listCustomEvents, listPropertyKeys, listPropertyValues } from './properties.ts';
import { inOrder, type RawEvent } from './raw-event.ts';
import { toRealtime } from './realtime.ts';
import { type Match, select } from './selection.ts';

export type { RawEvent } from './raw-event.ts';

/** `events`: what is left of the log. */
export type NaiveAnalytics = Analytics & { events: () => RawEvent[] };

/**
 * The definitions, written a second time from their prose: plain loops over all events for each question. Right before
 * anything else; what the engine answers is compared with it.
 *
 * @param readEvents the log as it is now; those that were erased or forgotten here are left out of it
 */
export function createNaiveAnalytics(readEvents: () => RawEvent[]): NaiveAnalytics {
  const removed = new Set<number>();
  const log = () => readEvents().filter(({ key }) => !removed.has(key));

  /** @returns how many there were */
  function remove(isGone: (event: RawEvent) => boolean): number {
    const gone = log().filter(isGone);
    for (const { key } of gone) removed.add(key);
    return gone.length;
  }

  return {
    events: log,
    query: async (request) => answerQuery(select(log(), request), request),
    values: async (request) => listValues(select(log(), request), request),
    realtime: async (request) => toRealtime(log(), request),
    sessions: async (request) => listSessions(log(), request),
    session: async (request) => findSession(log(), request),
    visitors: async (request) => listVisitors(log(), request),
    visitor: async (request) => findVisitor(log(), request),
    pages: async (request) => listPages(log(), request),
    page: async (request) => findPage(log(), request),
    customEvents: async (request) => listCustomEvents(log(), request),
    propertyKeys: async (request) => listPropertyKeys(log(), request),
    propertyValues: async (request) => listPropertyValues(log(), request),
    headlines: async ({ websiteKeys, bounds, ...range }) =>
      websiteKeys.map((websiteKey): Headline => {
        const matches = select(log(), { websiteKey, ...range });
        const { visitors, visits, pageviews } = toFigures(matches);
        const points = bounds && toBuckets(matches, bounds).map((figures) => figures.visitors);
        return { websiteKey, visitors, visits, pageviews, ...(points && { points }) };
      }),
    exportVisitor: async (request) => exportEvents(log(), request),
    eraseVisitor: async ({ websiteKey, visitorId }) => ({
      eventsRemoved: remove((event) => event.websiteKey === websiteKey && event.visitorId === visitorId),
    }),
    eraseSelected: async ({ eventsMax, ...selection }) => {
      const selected = new Set(select(log(), selection).map(({ event }) => event.key));
      if (selected.size <= eventsMax) remove(({ key }) => selected.has(key));
      return { events: selected.size, isErased: selected.size <= eventsMax };
    },
    forget: async ({ websiteKey, beforeMs = Infinity }) => {
      remove((event) => event.websiteKey === websiteKey && event.createdAtMs < beforeMs);
    },
    rebuild: async ({ websiteKey }) => ({
      events: log().filter((event) => websiteKey === undefined || event.websiteKey === websiteKey).length,
    }),
    freshness: async () => ({ eventsBehind: 0, cachedBytes: 0, cacheBytesMax: 0 }),
    wake: () => {},
    close: async () => {},
  };
}

function answerQuery(matches: readonly Match[], { totals, series, breakdowns }: Query): QueryAnswer {
  return {
    ...(totals && { totals: toFigures(matches) }),
    ...(series && { series: toBuckets(matches, series.bounds) }),
    ...(breakdowns && { breakdowns: breakdowns.map((breakdown) => breakDown(matches, breakdown)) }),
  };
}

function toBuckets(matches: readonly Match[], bounds: readonly number[]) {
  return bounds.slice(1).map((endMs, index) => {
    const startMs = bounds[index] ?? endMs;
    return toFigures(
      matches.filter(({ event }) => event.createdAtMs >= startMs && event.createdAtMs < endMs),
    );
  });
}

function exportEvents(
  log: readonly RawEvent[],
  { websiteKey, visitorId, after, limit }: ExportRequest,
): { events: ExportedEvent[]; next: Moment | undefined } {
  const rest = log
    .filter((event) => event.websiteKey === websiteKey && event.visitorId === visitorId)
    .filter(({ createdAtMs, key }) => !after || (createdAtMs - after.atMs || key - after.key) > 0)
    .sort(inOrder);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    events: page.map(({ key: _key, websiteKey: _websiteKey, flags: _flags, ...event }) => event),
    next: last && rest.length > limit ? { atMs: last.createdAtMs, key: last.key } : undefined,
  };
}
