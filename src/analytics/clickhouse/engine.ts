import type { EventsServer } from '../../log/clickhouse/server.ts';
import { sql } from '../../log/clickhouse/sql.ts';
import { VISIT_EVENTS_MAX } from '../../vocabulary/analytics.ts';
import type { Analytics } from '../analytics.ts';
import type { Source } from './read-window.ts';
import { answerAttribution } from './reports/attribution.ts';
import { eraseSelected, eraseVisitor } from './reports/erasures.ts';
import { exportVisitor } from './reports/export.ts';
import { answerFunnel } from './reports/funnel.ts';
import { answerJourneys } from './reports/journeys.ts';
import { findPage, listPages } from './reports/pages.ts';
import { findSession, findVisitor, listSessions, listVisitors } from './reports/people.ts';
import { listCustomEvents, listPropertyKeys, listPropertyValues } from './reports/properties.ts';
import { answerConditions, answerHeadlines, answerQuery, listValues } from './reports/query.ts';
import { answerRealtime } from './reports/realtime.ts';
import { answerRetention } from './reports/retention.ts';
import { answerRevenue } from './reports/revenue.ts';

type Options = { server: EventsServer; now: () => number; visitEventsMax?: number };

/** The questions, answered by ClickHouse out of the events themselves: nothing is kept beside them. */
export function createClickHouseAnalytics({
  server,
  now,
  visitEventsMax = VISIT_EVENTS_MAX,
}: Options): Analytics {
  const source: Source = { server, now, visitEventsMax };
  return {
    query: (request) => answerQuery(request, source),
    conditions: (request) => answerConditions(request, source),
    revenue: (request) => answerRevenue(request, source),
    funnel: (request) => answerFunnel(request, source),
    journeys: (request) => answerJourneys(request, source),
    attribution: (request) => answerAttribution(request, source),
    retention: (request) => answerRetention(request, source),
    values: (request) => listValues(request, source),
    realtime: (request) => answerRealtime(request, source),
    sessions: (request) => listSessions(request, source),
    session: (request) => findSession(request, source),
    visitors: (request) => listVisitors(request, source),
    visitor: (request) => findVisitor(request, source),
    pages: (request) => listPages(request, source),
    page: (request) => findPage(request, source),
    customEvents: (request) => listCustomEvents(request, source),
    propertyKeys: (request) => listPropertyKeys(request, source),
    propertyValues: (request) => listPropertyValues(request, source),
    headlines: (request) => answerHeadlines(request, source),
    exportVisitor: (request) => exportVisitor(request, source),
    eraseVisitor: (request) => eraseVisitor(request, source),
    eraseSelected: (request) => eraseSelected(request, source),
    async rebuild() {
      const [[events] = [0]] = await server.read<[number]>(
        sql`SELECT count() FROM events WHERE (id, key) NOT IN (SELECT id, key FROM erased_events)`,
      );
      return { events };
    },
    catchUp: () => Promise.resolve(),
    readUntil: () => Promise.resolve(undefined),
    wake: () => {},
    close: () => Promise.resolve(),
  };
}
