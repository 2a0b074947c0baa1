import type { Value, ValuesRequest } from '../interface/query.ts';
import type { Questions } from '../methods.ts';
import type { Source } from './query/source.ts';
import { answerAttribution } from './reports/attribution.ts';
import { answerConditions } from './reports/conditions.ts';
import { answerFunnel } from './reports/funnel.ts';
import { answerJourneys } from './reports/journeys.ts';
import { findPage, listPages } from './reports/pages.ts';
import { exportVisitor, findSession, findVisitor, listSessions, listVisitors } from './reports/people.ts';
import { listCustomEvents, listPropertyKeys, listPropertyValues } from './reports/properties.ts';
import { answerBreakdown, answerQuery } from './reports/query.ts';
import { answerRealtime } from './reports/realtime.ts';
import { answerRetention } from './reports/retention.ts';
import { answerRevenue } from './reports/revenue.ts';
import { listVisits } from './reports/visits.ts';

export const QUESTIONS: Questions<Source> = {
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
  session: findSession,
  visits: listVisits,
  visitors: listVisitors,
  visitor: findVisitor,
  pages: listPages,
  page: findPage,
  customEvents: listCustomEvents,
  propertyKeys: listPropertyKeys,
  propertyValues: listPropertyValues,
  exportVisitor,
};

function listValues({ dimension, search, limit, ...selection }: ValuesRequest, source: Source): Value[] {
  const breakdown = {
    dimension,
    limit,
    sort: { by: 'events' as const, descending: true },
    metrics: ['events' as const],
    ...(search && { search }),
  };
  const { rows } = answerBreakdown(selection, breakdown, source);
  return rows.map(({ value, events }) => ({ value: value ?? '', events }));
}
