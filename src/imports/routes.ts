import { Elysia, t } from 'elysia';
import { openWebsite, pathText, REFUSALS, WebsiteId, websiteId } from '../access/website-guard.ts';
import { failures } from '../contract/fault.ts';
import { type Import, ImportList, ImportUndone } from '../contract/import.ts';
import { ListQuery } from '../contract/list-query.ts';
import { readListPage } from '../http/list-page.ts';
import { createParameters } from '../http/parameters.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { senderAddress } from '../http/sender-address.ts';
import { AppError } from '../vocabulary/errors.ts';
import type { OperationId } from '../vocabulary/rights.ts';
import type { ListDeps } from '../websites/row-routes.ts';
import type { ImportRecord, ImportStore } from './store.ts';

const ImportId = t.NoValidate(
  t.Object({ ...websiteId, importId: t.String({ description: 'id of the import.' }) }),
);

type Deps = ListDeps & {
  imports: Pick<ImportStore, 'listPage' | 'find' | 'orderUndo'>;
  /** Called when an undo is ordered: it is carried out in the background. */
  onUndo: () => void;
};

/** Lists the imports of a website and undoes them, for the owner. Files are imported on the command line. */
export function importRoutes(deps: Deps) {
  const { imports, lists, answerBudget, onUndo } = deps;
  return new Elysia({ prefix: '/websites/:id/imports' })
    .use(openWebsite(deps))
    .use(senderAddress())
    .get(
      '',
      async ({ website, access, request }) => {
        const parameters = createParameters(request.url);
        const page = readListPage(parameters);
        parameters.finish();
        const { rows, total } = await lists(access.userId ?? '', request, () =>
          imports.listPage(website.key, page),
        );
        return { imports: rows.map(toImport), total };
      },
      {
        params: WebsiteId,
        mapResponse: sendAnswer(answerBudget),
        query: t.NoValidate(ListQuery),
        response: { 200: ImportList, ...failures(...REFUSALS, 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE') },
        detail: describe(
          'listImports',
          'List imports',
          'History that `pagemeter import` added from files. One that was undone, or added nothing, is gone.',
        ),
      },
    )
    .delete(
      '/:importId',
      async ({ website, params }) => {
        const found = await imports.find(pathText(params, 'importId'));
        if (found?.websiteKey !== website.key) throw new AppError('NOT_FOUND', 'Import not found');
        await imports.orderUndo(found.key);
        onUndo();
        return { success: true as const, message: 'The events of the import are being removed' };
      },
      {
        params: ImportId,
        response: { 200: ImportUndone, ...failures(...REFUSALS) },
        detail: describe(
          'undoImport',
          'Undo an import',
          'Removes exactly the events that it added, in the background and in steps; the import is gone when none is left. What was collected stays, also an event that was in its files as well.',
        ),
      },
    );
}

function describe(operationId: OperationId, summary: string, description: string) {
  return { tags: ['Events'], operationId, summary, description };
}

function toImport(row: ImportRecord): Import {
  const { id, format, source, state, rows, accepted, rejected, added } = row;
  const toInstant = (ms: number) => new Date(ms).toISOString();
  return {
    id,
    format,
    source,
    state,
    rows,
    accepted,
    rejected,
    added,
    from: row.firstMs === null ? null : toInstant(row.firstMs),
    to: row.lastMs === null ? null : toInstant(row.lastMs),
    createdAt: toInstant(row.createdAtMs),
    updatedAt: toInstant(row.updatedAtMs),
  };
}
