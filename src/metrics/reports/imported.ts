import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import { ImportedQuery, ImportedStats } from '../../contract/metrics/imported.ts';
import { BREAKDOWNS_MAX, LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { DASHBOARD_LIMIT_DEFAULT } from '../../vocabulary/contract.ts';
import { findImported } from '../answers/imported-sums.ts';
import type { Table } from '../files/format.ts';
import { fileNameOf, respond } from '../files/respond.ts';
import { readDimensions, readFormat, readPage } from '../question/breakdown-parameters.ts';
import { openQuestion } from '../question/open-question.ts';
import { readTimeseries } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';

/** Imported sums, next to the figures of events and never among them. */
export function importedRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/stats' }).use(askWebsite(deps)).get(
    '/imported',
    async (context) => {
      const { parameters, asked } = await openQuestion(deps, context);
      const { series } = readTimeseries(parameters, asked);
      const breakdowns = readDimensions(parameters, { absent: [], max: BREAKDOWNS_MAX });
      const { limit } = readPage(parameters, LIST_LIMIT_MAX, DASHBOARD_LIMIT_DEFAULT);
      const format = readFormat(parameters);
      parameters.finish();
      const firstEventMs = await deps.log.findFirstMs(context.website.key);
      const { selection, range } = asked;
      const question = { selection, zone: range.zone, series, breakdowns, limit, firstEventMs };
      // In turn, which bounds what is read at once.
      const answer = await context.inTurn(() => findImported({ sums: deps.sums, ...question }));
      return respond(format, answer, () => toTable(fileNameOf(context.website, 'imported', answer), answer));
    },
    {
      params: WebsiteId,
      query: t.NoValidate(ImportedQuery),
      response: { 200: ImportedStats, ...REFUSALS },
      detail: describe(
        'getImportedStats',
        'Imported sums of a range',
        'Sums of days that another product exported, for totals, points of days and longer, and breakdowns by one dimension, also under filters of the same family (sources with UTM fields, places, page and hostname). They end with the day of the first event, and are never part of other answers.',
      ),
    },
  );
}

const COLUMNS = [
  'of',
  'time',
  'dimension',
  'value',
  'visitors',
  'visits',
  'pageviews',
  'bounceRate',
  'visitDuration',
];

function toTable(name: string, { totals, points, breakdowns }: ImportedStats): Table {
  const values = breakdowns.flatMap(({ dimension, rows }) =>
    rows.map((row) => ({ of: 'value', dimension, ...row })),
  );
  const rows = [
    { of: 'totals', ...totals },
    ...points.map((point) => ({ of: 'point', ...point })),
    ...values,
  ];
  return { name, columns: COLUMNS, rows };
}
