import { Elysia, t } from 'elysia';
import { WebsiteId } from '../../access/website-guard.ts';
import { PAGE_COLUMNS, PageList, type PageRow, PagesQuery } from '../../contract/metrics/lists.ts';
import { PageDetail, PageQuery } from '../../contract/metrics/pages.ts';
import type { Parameters } from '../../http/parameters.ts';
import { BREAKDOWN_LIMIT_MAX, LIST_LIMIT_MAX, METRICS } from '../../vocabulary/analytics.ts';
import { REALTIME_LIMIT_DEFAULT, URL_LENGTH_MAX } from '../../vocabulary/contract.ts';
import { AppError } from '../../vocabulary/errors.ts';
import { toPageDetail, toPageRow } from '../answers/lists.ts';
import type { Table } from '../files/format.ts';
import { readPage, readSearch, readSort } from '../question/breakdown-parameters.ts';
import { openQuestion } from '../question/open-question.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport, nextPage, readList } from '../routes/report.ts';

/** Pages with their entries, exits and neighbours. */
export function pageRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id/pages' })
    .use(askWebsite(deps))
    .get(
      '',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'pages',
          read: (question) => ({
            ...readList(question, BREAKDOWN_LIMIT_MAX),
            ...readSort(question.parameters, PAGE_COLUMNS),
            ...readSearch(question.parameters),
          }),
          async answer(analytics, { request, page, range, ...order }) {
            const { rows, total } = await analytics.pages({ ...request, ...order });
            return { range, pages: rows.map(toPageRow), pagination: { total, ...page } };
          },
          toTable: pagesTable,
          next: nextPage,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(PagesQuery),
        response: { 200: PageList, ...REFUSALS },
        detail: describe('listPages', 'List pages', 'With the visits that began and ended on them.'),
      },
    )
    .get(
      '/detail',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'page',
          read: ({ parameters, asked }) => ({
            asked,
            page: readPagePath(parameters),
            limit: readPage(parameters, LIST_LIMIT_MAX, REALTIME_LIMIT_DEFAULT).limit,
          }),
          async answer(analytics, { asked, page, limit }) {
            const found = await analytics.page({ ...asked.selection, page, limit });
            if (!found) throw new AppError('NOT_FOUND', 'Nothing happened on this page in this range');
            return toPageDetail(asked.range, found);
          },
          toTable: pageTable,
        }),
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

function readPagePath(parameters: Parameters): string {
  const page = parameters.text('page', URL_LENGTH_MAX);
  if (page === undefined) parameters.fault('page', 'Required: the path of a page, such as /pricing');
  return page ?? '';
}

function pagesTable(name: string, { pages }: { pages: PageRow[] }): Table<PageRow> {
  return { name, columns: ['page', ...PAGE_COLUMNS], rows: pages };
}

function pageTable(name: string, detail: PageDetail): Table {
  const { range, page, sources, referrers, previous, next, ...figures } = detail;
  const listed = (list: string, rows: Record<string, unknown>[]) => rows.map((row) => ({ list, ...row }));
  return {
    name,
    columns: ['list', 'value', ...METRICS, 'entries', 'exits'],
    rows: [
      { list: 'page', value: page, ...figures },
      ...listed('sources', sources),
      ...listed('referrers', referrers),
      ...listed('previous', previous),
      ...listed('next', next),
    ],
  };
}
