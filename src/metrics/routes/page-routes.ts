import { Elysia, t } from 'elysia';
import { BREAKDOWN_LIMIT_MAX, LIST_LIMIT_MAX } from '../../analytics/vocabulary.ts';
import { PAGE_COLUMNS, PageList, PagesQuery } from '../../contract/metrics-lists.ts';
import { PageDetail, PageQuery } from '../../contract/metrics-pages.ts';
import { REALTIME_LIMIT_DEFAULT, URL_LENGTH_MAX } from '../../contract/vocabulary.ts';
import { AppError } from '../../errors.ts';
import { toPageDetail, toPageRow } from '../answers/lists.ts';
import { toRange } from '../answers/wire.ts';
import { pagesTable, pageTable } from '../files/list-tables.ts';
import { fileNameOf, readFormat, respond } from '../files/respond.ts';
import { readPage, readSearch, readSort } from '../question/breakdown-parameters.ts';
import { openQuestion } from '../question/open-question.ts';
import { visibleWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS, WebsiteId } from './documented.ts';

/** Pages with their entries, exits and neighbours. */
export function pageRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/pages' })
    .use(visibleWebsite(deps))
    .get(
      '',
      async (context) => {
        const { parameters, asked } = await openQuestion(deps, context);
        const page = readPage(parameters, BREAKDOWN_LIMIT_MAX);
        const order = { ...readSort(parameters, PAGE_COLUMNS), ...readSearch(parameters) };
        const format = readFormat(parameters);
        parameters.finish();
        const { rows, total } = await context.inTurn((analytics) =>
          analytics.pages({ ...asked.selection, ...order, ...page }),
        );
        const answer = {
          range: toRange(asked.range),
          pages: rows.map(toPageRow),
          pagination: { total, ...page },
        };
        return respond(format, answer, () => pagesTable(fileNameOf(context.website, 'pages'), answer.pages));
      },
      {
        params: WebsiteId,
        query: t.NoValidate(PagesQuery),
        response: { 200: PageList, ...REFUSALS },
        detail: describe('listPages', 'List pages', 'With the visits that began and ended on them.'),
      },
    )
    .get(
      '/detail',
      async (context) => {
        const { parameters, asked } = await openQuestion(deps, context);
        const page = parameters.text('page', URL_LENGTH_MAX);
        if (page === undefined) parameters.fault('page', 'Required: the path of a page, such as /pricing');
        const { limit } = readPage(parameters, LIST_LIMIT_MAX, REALTIME_LIMIT_DEFAULT);
        const format = readFormat(parameters);
        parameters.finish();
        const found =
          page && (await context.inTurn((analytics) => analytics.page({ ...asked.selection, page, limit })));
        if (!found) throw new AppError('NOT_FOUND', 'Nothing happened on this page in this range');
        return respond(format, toPageDetail(asked.range, page, found), (answer) =>
          pageTable(fileNameOf(context.website, 'page'), answer),
        );
      },
      {
        params: WebsiteId,
        query: t.NoValidate(PageQuery),
        response: { 200: PageDetail, ...REFUSALS },
        detail: describe(
          'getPage',
          'Fetch a page with what led to it and away from it',
          '404 when nothing happened on it in the range.',
        ),
      },
    );
}
