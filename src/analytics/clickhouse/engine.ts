import type { EventsServer } from '../../log/clickhouse/server.ts';
import { sql } from '../../log/clickhouse/sql.ts';
import { VISIT_EVENTS_MAX } from '../../vocabulary/analytics.ts';
import type { Analytics } from '../analytics.ts';
import { QUESTION_NAMES } from '../analytics.ts';
import { answer, forward, type Questions } from '../methods.ts';
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
import { listVisits } from './reports/visits.ts';

type Options = { server: EventsServer; now: () => number; visitEventsMax?: number };

const QUESTIONS: Questions<Source> = {
  query: answerQuery,
  conditions: answerConditions,
  revenue: answerRevenue,
  funnel: answerFunnel,
  retention: answerRetention,
  journeys: answerJourneys,
  attribution: answerAttribution,
  values: listValues,
  realtime: answerRealtime,
  sessions: listSessions,
  visits: listVisits,
  session: findSession,
  visitors: listVisitors,
  visitor: findVisitor,
  pages: listPages,
  page: findPage,
  customEvents: listCustomEvents,
  propertyKeys: listPropertyKeys,
  propertyValues: listPropertyValues,
  exportVisitor,
};

/** Answers the questions from the events in ClickHouse, without any derived data of its own. */
export function createClickHouseAnalytics({
  server,
  now,
  visitEventsMax = VISIT_EVENTS_MAX,
}: Options): Analytics {
  const source: Source = { server, now, visitEventsMax };
  return {
    ...forward(QUESTION_NAMES, (name, request) => answer(QUESTIONS, name, request, source)),
    headlines: (request) => answerHeadlines(request, source),
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
