import { Elysia, t } from 'elysia';
import { openWebsite, REFUSALS, WebsiteId } from '../access/website-guard.ts';
import { failures } from '../contract/fault.ts';
import { ImportList, ImportUndone } from '../contract/import.ts';
import { ListQuery } from '../contract/list-query.ts';
import { readListPage } from '../http/list-page.ts';
import { createParameters } from '../http/parameters.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { senderAddress } from '../http/sender-address.ts';
import type { OperationId } from '../vocabulary/rights.ts';
import type { ListDeps } from '../websites/row-routes.ts';
import { ImportId } from './import-id.ts';
import type { ImportStore } from './store.ts';
import { requireImport, uploadRoutes } from './upload-routes.ts';
import type { Uploads } from './uploads.ts';
import { toImport } from './wire.ts';

type Deps = ListDeps & {
  imports: Pick<ImportStore, 'listPage' | 'find' | 'orderUndo'>;
  /** Called when an undo is ordered: it is carried out in the background. */
  onUndo: () => void;
  uploads: Uploads;
};

/** Imports files into a website, lists what was imported, and undoes it. */
export function importRoutes(deps: Deps) {
  const { imports, lists, answerBudget, onUndo, uploads } = deps;
  return new Elysia({ prefix: '/websites/:id/imports' })
    .use(uploadRoutes(deps))
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
          'History from files, by `pagemeter import` or uploaded. One that was undone is gone.',
        ),
      },
    )
    .delete(
      '/:importId',
      async ({ website, params }) => {
        const found = await requireImport(imports, website.key, params);
        await imports.orderUndo(found.key);
        uploads.cancel(found);
        onUndo();
        return { success: true as const, message: 'The events of the import are being removed' };
      },
      {
        params: ImportId,
        response: { 200: ImportUndone, ...failures(...REFUSALS) },
        detail: describe(
          'undoImport',
          'Cancel or undo an import',
          'Ends it if it is at work, forgets its file, and removes exactly the events that it added, in the background and in steps; the import is gone when none is left. What was collected stays, also an event that was in its files as well.',
        ),
      },
    );
}

function describe(operationId: OperationId, summary: string, description: string) {
  return { tags: ['Events'], operationId, summary, description };
}
