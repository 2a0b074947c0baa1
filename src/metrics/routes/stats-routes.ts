import { Elysia, t } from 'elysia';
import { BREAKDOWN_LIMIT_MAX, LIST_LIMIT_MAX } from '../../analytics/vocabulary.ts';
import {
  Breakdown,
  BreakdownQuery,
  Series,
  SeriesQuery,
  Totals,
  TotalsQuery,
  Values,
  ValuesQuery,
} from '../../contract/metrics.ts';
import { VALUES_LIMIT_DEFAULT } from '../../contract/vocabulary.ts';
import { answerBreakdown, answerTimeseries, answerTotals, answerValues } from '../answers/stats.ts';
import { fileNameOf, readFormat, respond } from '../files/respond.ts';
import { breakdownTable, seriesTable, totalsTable, valuesTable } from '../files/tables.ts';
import { readDimension, readPage, readSearch, readSort } from '../question/breakdown-parameters.ts';
import { openQuestion } from '../question/open-question.ts';
import { readTimeseries } from '../question/selection.ts';
import { visibleWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS, WebsiteId } from './documented.ts';

/** Figures of a website; a public one answers everybody. */
export function statsRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats' })
    .use(visibleWebsite(deps))
    .get(
      '',
      async (context) => {
        const { parameters, asked } = await openQuestion(deps, context);
        const format = readFormat(parameters);
        parameters.finish();
        const answer = await context.inTurn((analytics) => answerTotals(analytics, asked));
        return respond(format, answer, () => totalsTable(fileNameOf(context.website, 'totals'), answer));
      },
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
      async (context) => {
        const { parameters, asked } = await openQuestion(deps, context);
        const timeseries = readTimeseries(parameters, asked);
        const format = readFormat(parameters);
        parameters.finish();
        const answer = await context.inTurn((analytics) => answerTimeseries(analytics, timeseries));
        return respond(format, answer, () => seriesTable(fileNameOf(context.website, 'timeseries'), answer));
      },
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
      async (context) => {
        const { parameters, asked, subject } = await openQuestion(deps, context);
        const dimension = readDimension(parameters, subject.isOwner);
        const breakdown = {
          dimension,
          ...readSort(parameters),
          ...readSearch(parameters),
          ...readPage(parameters, BREAKDOWN_LIMIT_MAX),
          withAbsent: parameters.flag('withAbsent'),
        };
        const format = readFormat(parameters);
        parameters.finish();
        const answer = await context.inTurn((analytics) => answerBreakdown(analytics, asked, breakdown));
        return respond(format, answer, () => breakdownTable(fileNameOf(context.website, dimension), answer));
      },
      {
        params: WebsiteId,
        query: t.NoValidate(BreakdownQuery),
        response: { 200: Breakdown, ...REFUSALS },
        detail: describe(
          'getBreakdown',
          'Metrics by the values of a dimension',
          'Properties (property:KEY) are for the owner of a public website.',
        ),
      },
    )
    .get(
      '/values',
      async (context) => {
        const { parameters, asked, subject } = await openQuestion(deps, context);
        const dimension = readDimension(parameters, subject.isOwner);
        const search = readSearch(parameters);
        const { limit } = readPage(parameters, LIST_LIMIT_MAX, VALUES_LIMIT_DEFAULT);
        const format = readFormat(parameters);
        parameters.finish();
        const answer = await context.inTurn((analytics) =>
          answerValues(analytics, asked, { dimension, ...search, limit }),
        );
        return respond(format, answer, () => valuesTable(fileNameOf(context.website, dimension), answer));
      },
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
