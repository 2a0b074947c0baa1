import { Elysia, type TSchema, t } from 'elysia';
import type { Access, AccessRules } from '../access/access.ts';
import {
  openWebsite,
  pathText,
  REFUSALS,
  REFUSALS_OF_BODIES,
  WebsiteId,
  websiteId,
} from '../access/website-guard.ts';
import { failures } from '../contract/fault.ts';
import { ArchivedListQuery, ListQuery } from '../contract/list-query.ts';
import type { AnswerBudget } from '../http/answer-budget.ts';
import type { Bodies } from '../http/bodies.ts';
import { type Listed, type ListPage, readListPage } from '../http/list-page.ts';
import { createParameters } from '../http/parameters.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { senderAddress } from '../http/sender-address.ts';
import { trimFields } from '../http/trim-fields.ts';
import type { ListTurns } from '../process/list-turns.ts';
import type { Hide } from '../vocabulary/access.ts';
import type { OperationId } from '../vocabulary/rights.ts';
import type { WebsiteRow } from './store.ts';

/** Dependencies of routes with lists. */
export type ListDeps = {
  access: AccessRules;
  lists: ListTurns;
  bodies: Bodies;
  answerBudget: AnswerBudget;
};

/** A website, and what of it depends on the caller. */
export type OpenedWebsite = WebsiteRow & { callerId: string | null; hides: readonly Hide[] };

/** Name of rows, for each of whose operations there is a right. */
type RowName = 'Goal' | 'Segment' | 'SavedFunnel' | 'Annotation' | 'ShareLink';

/** Description of rows that users save for a website under a name or a date. */
type Kept<Name extends RowName, Input extends TSchema, Update extends TSchema> = {
  service: {
    list(website: OpenedWebsite, page: ListPage, options: { withArchived: boolean }): Promise<Listed<object>>;
    get(website: OpenedWebsite, id: string): Promise<object>;
    create(website: OpenedWebsite, input: Input['static']): Promise<object>;
    update(website: OpenedWebsite, id: string, input: Update['static']): Promise<object>;
    remove(website: OpenedWebsite, id: string): Promise<void>;
  };
  tag: string;
  /** `segments`: its path, and the member of the list. */
  path: string;
  /** `Segment` */
  name: string;
  /** Name in operation ids, whose rights are in the table. */
  operationName: Name;
  /** `a segment` */
  article: string;
  schemas: { one: TSchema; list: TSchema; input: Input; update: Update };
  /** Whether rows can be archived, so that a list may leave them out. */
  hasArchived?: boolean;
  /** Texts that are trimmed. */
  trimmed: readonly string[];
  about: Record<'list' | 'create' | 'update' | 'remove', string>;
};

/** Lists, adds, fetches, changes and deletes. Refusals: 401, 404, 403, then the body's 400. */
export function rowRoutes<Name extends RowName, Input extends TSchema, Update extends TSchema>(
  deps: ListDeps,
  {
    service,
    tag,
    path,
    name,
    operationName,
    article,
    schemas,
    hasArchived = false,
    trimmed,
    about,
  }: Kept<Name, Input, Update>,
) {
  const idName = `${name.toLowerCase()}Id`;
  const OneId = t.NoValidate(
    t.Object({ ...websiteId, [idName]: t.String({ description: `id of the ${name.toLowerCase()}.` }) }),
  );
  const describe = (operationId: OperationId, summary: string, description: string) => ({
    tags: [tag],
    operationId,
    summary,
    description,
  });
  const idOf = (params: object) => pathText(params, idName);

  async function mustExist({ opened, params }: { opened: OpenedWebsite; params: object }): Promise<void> {
    await service.get(opened, idOf(params));
  }

  return new Elysia({ prefix: `/websites/:id/${path}` })
    .use(openWebsite(deps))
    .derive(function deriveOpened({ access }) {
      return { opened: toOpened(access) };
    })
    .use(senderAddress())
    .use(deps.bodies.json())
    .get(
      '',
      async ({ opened, request }) => {
        const parameters = createParameters(request.url);
        const page = readListPage(parameters);
        const withArchived = hasArchived && parameters.flag('archived');
        parameters.finish();
        const { rows, total } = await deps.lists(opened.callerId ?? opened.id, request, () =>
          service.list(opened, page, { withArchived }),
        );
        return { [path]: rows, total };
      },
      {
        params: WebsiteId,
        mapResponse: sendAnswer(deps.answerBudget),
        query: t.NoValidate(hasArchived ? ArchivedListQuery : ListQuery),
        response: { 200: schemas.list, ...failures(...REFUSALS, 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE') },
        detail: describe(`list${operationName}s`, `List ${path}`, about.list),
      },
    )
    .post('', async ({ opened, body, status }) => status(201, await service.create(opened, body)), {
      transform: trimFields(...trimmed),
      params: WebsiteId,
      body: schemas.input,
      response: { 201: schemas.one, ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT') },
      detail: describe(`create${operationName}`, `Add ${article}`, about.create),
    })
    .get(`/:${idName}`, ({ opened, params }) => service.get(opened, idOf(params)), {
      params: OneId,
      response: { 200: schemas.one, ...failures(...REFUSALS) },
      detail: describe(`get${operationName}`, `Fetch ${article}`, 'By its id.'),
    })
    .patch(`/:${idName}`, ({ opened, params, body }) => service.update(opened, idOf(params), body), {
      transform: [mustExist, trimFields(...trimmed)],
      params: OneId,
      body: schemas.update,
      response: { 200: schemas.one, ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT') },
      detail: describe(`update${operationName}`, `Change ${article}`, about.update),
    })
    .delete(
      `/:${idName}`,
      async ({ opened, params }) => {
        await service.remove(opened, idOf(params));
        return { success: true as const, message: `${name} deleted` };
      },
      {
        params: OneId,
        response: { 200: Deleted, ...failures(...REFUSALS) },
        detail: describe(`delete${operationName}`, `Delete ${article}`, about.remove),
      },
    );
}

function toOpened({ website, userId, hides }: Access): OpenedWebsite {
  return { ...website, callerId: userId ?? null, hides };
}

const Deleted = t.Object(
  {
    success: t.Literal(true, { description: 'It is gone. No event is.' }),
    message: t.String({ description: 'A sentence for people.' }),
  },
  { description: 'Deleted.' },
);
