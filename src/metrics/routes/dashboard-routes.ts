import { Elysia, t } from 'elysia';
import {
  DASHBOARD_BREAKDOWNS,
  Dashboard,
  DashboardQuery,
  Vocabulary,
} from '../../contract/metrics-dashboard.ts';
import { formatField } from '../../contract/metrics-query.ts';
import { createParameters } from '../../http/parameters.ts';
import { BREAKDOWNS_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { DASHBOARD_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { WebsiteId } from '../../websites/own-website.ts';
import { answerDashboard } from '../answers/dashboard.ts';
import { toVocabulary, vocabularyTable } from '../answers/words.ts';
import { respond } from '../files/respond.ts';
import { dashboardTable } from '../files/tables.ts';
import { readAnnotations } from '../question/annotations.ts';
import {
  readDimensions,
  readFormat,
  readPage,
  readSearch,
  readSort,
} from '../question/breakdown-parameters.ts';
import { readGoal } from '../question/goal-parameters.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import { readTimeseries } from '../question/selection.ts';
import { visibleWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS } from './documented.ts';
import { answerReport } from './report.ts';

/** What a dashboard needs to load: its figures in one request, and the names that it may ask with. */
export function dashboardRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats' })
    .use(visibleWebsite(deps))
    .get(
      '/dashboard',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'dashboard',
          read: (question) => ({ ...readDashboard(question), find: readAnnotations(deps, question) }),
          answer: async (analytics, { timeseries, breakdowns, find }) => ({
            ...(await answerDashboard(analytics, timeseries, breakdowns)),
            ...(await find()),
          }),
          toTable: dashboardTable,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(DashboardQuery),
        response: { 200: Dashboard, ...REFUSALS },
        detail: describe(
          'getDashboard',
          'Totals, points and breakdowns at once',
          'One pass over the events, so all of it agrees. With compare also the totals and points of an earlier range, and what each value came to in it.',
        ),
      },
    )
    .get(
      '/dimensions',
      ({ request }) => {
        const parameters = createParameters(request.url);
        const format = readFormat(parameters);
        parameters.finish();
        return respond(format, toVocabulary(), vocabularyTable);
      },
      {
        params: WebsiteId,
        query: t.NoValidate(t.Object(formatField, { additionalProperties: true })),
        response: { 200: Vocabulary, ...REFUSALS },
        detail: describe(
          'listDimensions',
          'Names of dimensions, metrics, operators and ranges',
          'The same for every website.',
        ),
      },
    );
}

function readDashboard({ parameters, asked, subject }: Question) {
  const timeseries = readTimeseries(parameters, { ...asked, goal: readGoal(parameters, subject) });
  const { limit } = readPage(parameters, LIST_LIMIT_MAX, DASHBOARD_LIMIT_DEFAULT);
  const common = {
    limit,
    ...readSearch(parameters),
    ...readSort(parameters),
    withAbsent: parameters.flag('withAbsent'),
  };
  const dimensions = readDimensions(parameters, {
    isOwner: subject.isOwner,
    absent: DASHBOARD_BREAKDOWNS,
    max: BREAKDOWNS_MAX,
  });
  return { timeseries, breakdowns: dimensions.map((dimension) => ({ dimension, ...common })) };
}
