import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Analytics } from '../../analytics/analytics.ts';
import {
  Breakdown,
  BreakdownQuery,
  Series,
  SeriesQuery,
  Totals,
  TotalsQuery,
  Values,
  ValuesQuery,
} from '../../contract/metrics/stats.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { BREAKDOWN_LIMIT_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { VALUES_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import type { Ranked } from '../answers/ranked-rows.ts';
import { findRevenue } from '../answers/revenue.ts';
import {
  type AskedBreakdown,
  answerBreakdown,
  answerTimeseries,
  answerTotals,
  answerValues,
} from '../answers/stats.ts';
import { breakdownTable, seriesTable, totalsTable, valuesTable } from '../files/tables.ts';
import { readAnnotations } from '../question/annotations.ts';
import {
  readDimension,
  readPage,
  readRankedSort,
  readSearch,
  readSort,
} from '../question/breakdown-parameters.ts';
import { readGoal, readGoalDimension, readWebsiteDimension } from '../question/goal-parameters.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import { type Asked, readComparedTimeseries } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport, readWholePage } from '../routes/report.ts';
import { answerGoalBreakdown, answerGoalValues } from './goals.ts';
import { answerWebsiteBreakdown, answerWebsiteValues } from './websites.ts';

/** Figures of a website. Anyone may read those of a public one. */
export function statsRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats' })
    .use(askWebsite(deps))
    .get(
      '',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'totals',
          read: withGoal,
          answer: answerTotals,
          toTable: totalsTable,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(TotalsQuery),
        response: { 200: Totals, ...REFUSALS },
        detail: describe(
          'getTotals',
          'Totals of a range',
          'The seven metrics, with compare also those of an earlier range and the change in percent. Rates are parts from 0 to 1, durations seconds.',
        ),
      },
    )
    .get(
      '/timeseries',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'timeseries',
          read: (question) => ({
            asked: readComparedTimeseries(question.parameters, withGoal(question)),
            find: readAnnotations(deps, question),
          }),
          answer: async (analytics, { asked, find }) => ({
            ...(await answerTimeseries(analytics, asked)),
            ...(await find()),
          }),
          toTable: seriesTable,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(SeriesQuery),
        response: { 200: Series, ...REFUSALS },
        detail: describe(
          'getTimeseries',
          'Metrics over time',
          'Every point of the range is there, zeros included. Days follow the time zone through daylight saving.',
        ),
      },
    )
    .get(
      '/breakdown',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          read: (question) => {
            const { parameters, subject } = question;
            const goals = readGoalDimension(parameters, subject);
            const members = readWebsiteDimension(parameters, subject);
            const asked = withGoal(question);
            return {
              asked,
              goals,
              members,
              dimension: goals || members ? ('page' as const) : readDimension(parameters),
              ...(goals || members ? readSort(parameters) : readRankedSort(parameters, asked)),
              ...readSearch(parameters),
              ...readWholePage(parameters, BREAKDOWN_LIMIT_MAX),
              withAbsent: parameters.flag('withAbsent'),
            };
          },
          answer: async (analytics, { isWhole, ...own }) => {
            const answer = await answerBreakdownOf(analytics, own);
            const { asked, limit } = own;
            const isPaged = isWhole && asked.withRevenue && answer.pagination.total > limit;
            // The pages of a file have the same columns.
            return isPaged ? { ...answer, revenue: await findRevenue(analytics, asked.selection) } : answer;
          },
          name: ({ dimension }) => dimension,
          toTable: breakdownTable,
          next: (own, { pagination: { total } }) => {
            const offset = own.offset + own.limit;
            return own.isWhole && offset < total ? { ...own, offset } : undefined;
          },
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(BreakdownQuery),
        response: { 200: Breakdown, ...REFUSALS },
        detail: describe(
          'getBreakdown',
          'Metrics by the values of a dimension',
          'Properties (property:KEY) are for the owner of a public website. With dimension=goal the goals and what the events come to that reach them.',
        ),
      },
    )
    .get(
      '/values',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          read: ({ parameters, asked, subject }) => {
            const goals = readGoalDimension(parameters, subject);
            const members = readWebsiteDimension(parameters, subject);
            return {
              asked,
              goals,
              members,
              dimension: goals || members ? ('page' as const) : readDimension(parameters),
              ...readSearch(parameters),
              limit: readPage(parameters, LIST_LIMIT_MAX, VALUES_LIMIT_DEFAULT).limit,
            };
          },
          answer: (analytics, { asked, goals, members, ...values }) => {
            if (goals) return answerGoalValues(analytics, asked, goals, values);
            if (members) return answerWebsiteValues(analytics, asked, members, values);
            return answerValues(analytics, asked, values);
          },
          name: ({ dimension }) => dimension,
          toTable: valuesTable,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(ValuesQuery),
        response: { 200: Values, ...REFUSALS },
        detail: describe(
          'listValues',
          'Values of a dimension, for autocomplete',
          'Those with most events first. Properties (property:KEY) are for the owner of a public website.',
        ),
      },
    );
}

function withGoal({ parameters, asked, subject }: Question): Asked {
  return { ...asked, goal: readGoal(parameters, subject), withRevenue: parameters.flag('revenue') };
}

type AskedBreakdownOf = AskedBreakdown & {
  ranked?: Ranked;
  asked: Asked;
  goals: CountedGoal[] | undefined;
  members: ReturnType<typeof readWebsiteDimension>;
};

function answerBreakdownOf(analytics: Analytics, own: AskedBreakdownOf): Promise<Breakdown> {
  const { asked, goals, members, ...breakdown } = own;
  if (goals) return answerGoalBreakdown(analytics, asked, goals, breakdown);
  if (members) return answerWebsiteBreakdown(analytics, asked, members, breakdown);
  return answerBreakdown(analytics, asked, breakdown);
}
