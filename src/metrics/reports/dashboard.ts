import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Analytics } from '../../analytics/analytics.ts';
import type { QueryAnswer } from '../../analytics/interface/query.ts';
import type { Selection } from '../../analytics/interface/selection.ts';
import {
  DASHBOARD_BREAKDOWNS,
  Dashboard,
  DashboardQuery,
  Vocabulary,
} from '../../contract/metrics/dashboard.ts';
import type { BreakdownRow } from '../../contract/metrics/figures.ts';
import { formatField } from '../../contract/metrics/query.ts';
import type { CountedGoal } from '../../goals/service.ts';
import { createParameters } from '../../http/parameters.ts';
import { BREAKDOWNS_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { DASHBOARD_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { addToLists, addToPoints, findTotals, type GoalFigures } from '../answers/conversions.ts';
import { type Ranked, rankRows } from '../answers/ranked-rows.ts';
import {
  type AskedBreakdown,
  toBreakdownRows,
  toCompared,
  toSeriesAnswer,
  toTotals,
} from '../answers/stats.ts';
import { ofValues, toValueMap } from '../answers/values.ts';
import { NO_FIGURES } from '../answers/wire.ts';
import { toVocabulary, vocabularyTable } from '../answers/words.ts';
import { respond } from '../files/respond.ts';
import { dashboardTable } from '../files/tables.ts';
import { readAnnotations } from '../question/annotations.ts';
import {
  readDimensions,
  readFormat,
  readPage,
  readRankedSort,
  readSearch,
} from '../question/breakdown-parameters.ts';
import { readGoal } from '../question/goal-parameters.ts';
import { openQuestion, type Question } from '../question/open-question.ts';
import { type AskedTimeseries, readTimeseries, type Series } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport } from '../routes/report.ts';

/** Answers everything that a dashboard shows, from one pass. An earlier range takes a second pass. */
async function answerDashboard(
  analytics: Analytics,
  asked: AskedTimeseries,
  { breakdowns, ranked }: { breakdowns: AskedBreakdown[]; ranked?: Ranked },
): Promise<Dashboard> {
  const { selection, compared, series, comparedSeries, goal } = asked;
  const whole = { ...selection, totals: true, series };
  const now = ranked
    ? {
        ...(await analytics.query(whole)),
        breakdowns: await Promise.all(
          breakdowns.map(async (one) => (await rankRows(analytics, asked, one, ranked)).answer),
        ),
      }
    : await analytics.query({ ...whole, breakdowns });
  const before =
    compared &&
    (await analytics.query({
      ...compared.selection,
      totals: true,
      ...(comparedSeries && { series: comparedSeries }),
      breakdowns: (now.breakdowns ?? []).map(({ dimension, rows }) => ofValues(dimension, rows)),
    }));
  const [reached, reachedBefore] = await Promise.all([
    addGoal(analytics, selection, series, now, goal),
    compared && before && addGoal(analytics, compared.selection, comparedSeries, before, goal),
  ]);
  const { totals } = reached;
  const {
    range,
    points,
    comparison: earlierSeries,
  } = toSeriesAnswer(asked, reached.points, reachedBefore?.points);
  const { comparison } = toTotals(totals, compared && { ...compared, totals: reachedBefore?.totals });
  const lists = now.breakdowns ?? [];
  const found = lists.map((answer) => ({ ...answer, rows: toBreakdownRows(answer, totals) }));
  const foundBefore = lists.map(({ dimension, rows }, index) => {
    const known = toValueMap(before?.breakdowns?.[index]);
    return { dimension, rows: rows.map(({ value }) => ({ value, ...(known.get(value) ?? NO_FIGURES) })) };
  });
  const [rows, rowsBefore] = await Promise.all([
    addToLists(analytics, asked, found, totals.visitors),
    compared &&
      addToLists(
        analytics,
        { selection: compared.selection, goal },
        foundBefore,
        reachedBefore?.totals.visitors ?? 0,
      ),
  ]);
  return {
    range,
    totals,
    points,
    breakdowns: lists.map(({ dimension, total }, index) => {
      const own: BreakdownRow[] = rows[index] ?? [];
      const earlier = rowsBefore?.[index];
      return { dimension, rows: earlier ? toCompared(own, earlier) : own, total };
    }),
    ...(comparison && earlierSeries && { comparison: { ...comparison, ...earlierSeries } }),
  };
}

/** Adds the figures of the goal to totals and points. */
async function addGoal(
  analytics: Analytics,
  selection: Selection,
  series: Series | undefined,
  { totals = NO_FIGURES, series: points = [] }: QueryAnswer,
  goal: CountedGoal | undefined,
): Promise<{ totals: GoalFigures; points: GoalFigures[] }> {
  if (!goal) return { totals, points };
  const [withGoal, pointsWithGoal] = await Promise.all([
    findTotals(analytics, selection, goal),
    series ? addToPoints(analytics, selection, series, points, goal) : points,
  ]);
  return { totals: withGoal, points: pointsWithGoal };
}

/** Routes for a dashboard: its figures in one request, and the names that queries may use. */
export function dashboardRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats' })
    .use(askWebsite(deps))
    .get(
      '/dashboard',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'dashboard',
          read: (question) => ({ ...readDashboard(question), find: readAnnotations(deps, question) }),
          answer: async (analytics, { timeseries, find, ...lists }) => ({
            ...(await answerDashboard(analytics, timeseries, lists)),
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
  const { ranked, ...sort } = readRankedSort(parameters, timeseries);
  const common = {
    limit,
    offset: 0,
    ...readSearch(parameters),
    ...sort,
    withAbsent: parameters.flag('withAbsent'),
  };
  const dimensions = readDimensions(parameters, {
    absent: DASHBOARD_BREAKDOWNS,
    max: BREAKDOWNS_MAX,
  });
  const breakdowns = dimensions.map((dimension) => ({ dimension, ...common }));
  return { timeseries, breakdowns, ...(ranked && { ranked }) };
}
