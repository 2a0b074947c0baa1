import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import type * as Engine from '../../analytics/interface/visits.ts';
import {
  type ListedVisit,
  MIN_PAGEVIEWS_MAX,
  VISIT_STEPS_MAX,
  VISITS_LIMIT_MAX,
  VisitList,
  VisitsQuery,
} from '../../contract/metrics/visits.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from '../../vocabulary/analytics.ts';
import { toProperties } from '../answers/lists.ts';
import { toRevenueList } from '../answers/revenue.ts';
import { toInstant } from '../answers/wire.ts';
import type { Row, Table } from '../files/format.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport, nextPage, readList } from '../routes/report.ts';

/** Lists visits with what happened in them, for the owner only, even of a public website. */
export function visitsRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/visits' }).use(askWebsite(deps)).get(
    '',
    async (context) => {
      const question = await openQuestion(deps, context);
      const goals = question.subject.goals.filter(({ goal }) => !goal.isArchived);
      const bounds = { min: 1, max: MIN_PAGEVIEWS_MAX, absent: 0 };
      const pageviewsMin = question.parameters.integer('minPageviews', bounds);
      return answerReport(context, question, {
        name: 'visits',
        read: readVisits,
        async answer(analytics, { request, page, range }) {
          const conditions = goals.map(({ condition }) => condition);
          const { rows, total } = await analytics.visits({
            ...request,
            pageviewsMin,
            stepsMax: VISIT_STEPS_MAX,
            conditions,
          });
          return {
            range,
            visits: rows.map((visit) => toListedVisit(visit, goals)),
            pagination: { total, ...page },
          };
        },
        toTable: visitsTable,
        next: nextPage,
      });
    },
    {
      params: WebsiteId,
      query: t.NoValidate(VisitsQuery),
      response: { 200: VisitList, ...REFUSALS },
      detail: describe(
        'listVisits',
        'List visits with their events',
        `One row a visit that has a matching event, the latest active first. At most ${VISITS_LIMIT_MAX} at once; a file has all.`,
      ),
    },
  );
}

/** A file is read in pages as small as those of an answer, because each visit has its events. */
function readVisits(question: Question) {
  const list = readList(question, VISITS_LIMIT_MAX);
  const limit = Math.min(list.page.limit, VISITS_LIMIT_MAX);
  return { ...list, request: { ...list.request, limit }, page: { ...list.page, limit } };
}

function toListedVisit(
  { startMs, endMs, steps, met, revenue, ...rest }: Engine.ListedVisit,
  goals: readonly CountedGoal[],
): ListedVisit {
  return {
    ...rest,
    startedAt: toInstant(startMs),
    endedAt: toInstant(endMs),
    duration: (endMs - startMs) / 1_000,
    goals: met.flatMap((index) => goals[index]?.goal.name ?? []),
    revenue: toRevenueList(revenue),
    steps: steps.map(({ atMs, eventType, page, name, properties }) => ({
      createdAt: toInstant(atMs),
      eventType,
      page,
      name: eventType === 'click' ? targetOf(properties) : name,
    })),
  };
}

/** Text or target of a link click. */
function targetOf(properties: string | null): string | null {
  const { text, href } = toProperties(properties) ?? {};
  return [text, href].find((each): each is string => typeof each === 'string' && each !== '') ?? null;
}

function visitsTable(name: string, { visits }: { visits: ListedVisit[] }): Table {
  return {
    name,
    columns: [
      'visitorId',
      'sessionId',
      'startedAt',
      'endedAt',
      'duration',
      'pageviews',
      'events',
      'entryPage',
      'exitPage',
      ...ORIGIN_DIMENSIONS,
      ...CLIENT_DIMENSIONS,
      'goals',
      'revenue',
    ],
    rows: visits.map(({ steps: _, ...visit }): Row => visit),
  };
}
