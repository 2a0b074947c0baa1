import { Elysia, t } from 'elysia';
import { openWebsite, pathText, REFUSALS, REFUSALS_OF_BODIES, WebsiteId } from '../access/website-guard.ts';
import { failures } from '../contract/fault.ts';
import { ImportDetails, ImportInput, ImportOptions, UploadQuery } from '../contract/import.ts';
import { createParameters } from '../http/parameters.ts';
import { UPLOAD_BYTES_MAX } from '../vocabulary/contract.ts';
import { AppError } from '../vocabulary/errors.ts';
import type { OperationId } from '../vocabulary/rights.ts';
import type { ListDeps } from '../websites/row-routes.ts';
import { ImportId } from './import-id.ts';
import type { ImportRecord, ImportStore } from './store.ts';
import type { Uploads } from './uploads.ts';
import { toDetails } from './wire.ts';

type Deps = Pick<ListDeps, 'access' | 'bodies'> & { imports: Pick<ImportStore, 'find'>; uploads: Uploads };

/** Uploads files in parts, and imports them after a dry run. */
export function uploadRoutes(deps: Deps) {
  return new Elysia().use(partRoutes(deps)).use(jsonRoutes(deps));
}

/** Routes that read no JSON: a part of a file is written as it arrives. */
function partRoutes(deps: Deps) {
  const { imports, uploads } = deps;
  return new Elysia()
    .use(openWebsite(deps))
    .get(
      '/:importId',
      async ({ website, params }) =>
        toDetails(await requireImport(imports, website.key, params), uploads.receivedBytes),
      {
        params: ImportId,
        response: { 200: ImportDetails, ...failures(...REFUSALS) },
        detail: describe(
          'getImport',
          'Fetch an import',
          'With its progress, how much of its file was received, and its dry run.',
        ),
      },
    )
    .patch(
      '/:importId/file',
      async ({ website, params, request }) => {
        const record = await requireImport(imports, website.key, params);
        const parameters = createParameters(request.url);
        const offset = parameters.integer('offset', { min: 0, max: UPLOAD_BYTES_MAX, absent: -1 });
        if (offset === -1) parameters.fault('offset', 'Required');
        parameters.finish();
        return toDetails(
          await uploads.append(record, offset, request.body ?? NOTHING),
          uploads.receivedBytes,
        );
      },
      {
        params: ImportId,
        query: t.NoValidate(UploadQuery),
        response: {
          200: ImportDetails,
          ...failures(
            ...REFUSALS,
            'VALIDATION_ERROR',
            'CONFLICT',
            'PAYLOAD_TOO_LARGE',
            'SERVICE_UNAVAILABLE',
          ),
        },
        detail: describe(
          'uploadImportPart',
          'Send a part of a file',
          'The body is the bytes of the file from `offset` on, up to 4 MiB, as they are. What arrives is kept, also of a part that breaks off: `receivedBytes` says where to continue, and so does the message of a 409. After the last byte the dry run begins.',
        ),
      },
    )
    .post(
      '/:importId/start',
      async ({ website, params }) =>
        toDetails(
          await uploads.start(await requireImport(imports, website.key, params)),
          uploads.receivedBytes,
        ),
      {
        params: ImportId,
        response: { 200: ImportDetails, ...failures(...REFUSALS, 'CONFLICT') },
        detail: describe(
          'startImport',
          'Start an import',
          'Adds the events of an uploaded file, in the background, once its dry run is ready. It continues after a restart.',
        ),
      },
    );
}

function jsonRoutes(deps: Deps) {
  const { bodies, imports, uploads } = deps;
  return new Elysia()
    .use(openWebsite(deps))
    .use(bodies.json())
    .post(
      '',
      async ({ website, body, status }) =>
        status(201, toDetails(await uploads.create(website.key, body), uploads.receivedBytes)),
      {
        params: WebsiteId,
        body: ImportInput,
        response: {
          201: ImportDetails,
          ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT', 'SERVICE_UNAVAILABLE'),
        },
        detail: describe(
          'createImport',
          'Create an import',
          'Announces a file, whose bytes are then sent in parts. A website has up to 10 imports that are not finished; one with which nothing is done for a week is removed.',
        ),
      },
    )
    .put(
      '/:importId',
      async ({ website, params, body }) =>
        toDetails(
          await uploads.configure(await requireImport(imports, website.key, params), body),
          uploads.receivedBytes,
        ),
      {
        params: ImportId,
        body: ImportOptions,
        response: { 200: ImportDetails, ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT') },
        detail: describe(
          'setImportOptions',
          'Read a file in another way',
          'Sets the format, the time zone and the hosts, and repeats the dry run.',
        ),
      },
    );
}

const NOTHING = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });

/** @throws AppError NOT_FOUND */
export async function requireImport(
  imports: Pick<ImportStore, 'find'>,
  websiteKey: number,
  params: object,
): Promise<ImportRecord> {
  const found = await imports.find(pathText(params, 'importId'));
  if (found?.websiteKey !== websiteKey) throw new AppError('NOT_FOUND', 'Import not found');
  return found;
}

function describe(operationId: OperationId, summary: string, description: string) {
  return { tags: ['Events'], operationId, summary, description };
}
