import { Elysia, type TSchema, t } from 'elysia';
import { USER_SECURITY } from '../accounts/require-user.ts';
import { failures } from '../contract/fault.ts';
import { ArchivedListQuery, ListQuery } from '../contract/list-query.ts';
import { type Listed, type ListPage, readListPage } from '../http/list-page.ts';
import { createParameters } from '../http/parameters.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { senderAddress } from '../http/sender-address.ts';
import { trimFields } from '../http/trim-fields.ts';
import {
  type ListDeps,
  ownWebsite,
  pathText,
  REFUSALS,
  REFUSALS_OF_BODIES,
  WebsiteId,
  websiteId,
} from './own-website.ts';
import type { WebsiteRow } from './store.ts';

/** Description of rows that users save for a website under a name or a date. */
type Kept<Input extends TSchema, Update extends TSchema> = {
  service: {
    list(website: WebsiteRow, page: ListPage, options: { withArchived: boolean }): Promise<Listed<object>>;
    get(website: WebsiteRow, id: string): Promise<object>;
    create(website: WebsiteRow, input: Input['static']): Promise<object>;
    update(website: WebsiteRow, id: string, input: Update['static']): Promise<object>;
    remove(website: WebsiteRow, id: string): Promise<void>;
  };
  tag: string;
  /** `segments`: its path, and the member of the list. */
  path: string;
  /** `Segment` */
  name: string;
  /** Replaces the name in operation ids where it is taken. */
  operationName?: string;
  /** `a segment` */
  article: string;
  schemas: { one: TSchema; list: TSchema; input: Input; update: Update };
  /** Whether rows can be archived, so that a list may leave them out. */
  hasArchived?: boolean;
  /** Texts that are trimmed. */
  trimmed: readonly string[];
  about: Record<'list' | 'create' | 'update' | 'remove', string>;
};

/** Lists, adds, fetches, changes and deletes, for the owner. Refusals: 401 and 403, 404, then the body's 400. */
export function rowRoutes<Input extends TSchema, Update extends TSchema>(
  deps: ListDeps,
  {
    service,
    tag,
    path,
    name,
    operationName = name,
    article,
    schemas,
    hasArchived = false,
    trimmed,
    about,
  }: Kept<Input, Update>,
) {
  const idName = `${name.toLowerCase()}Id`;
  const OneId = t.NoValidate(
    t.Object({ ...websiteId, [idName]: t.String({ description: `id of the ${name.toLowerCase()}.` }) }),
  );
  const describe = (verb: string, summary: string, description: string) => ({
    tags: [tag],
    operationId: `${verb}${operationName}${verb === 'list' ? 's' : ''}`,
    summary,
    description,
    security: USER_SECURITY,
  });
  const idOf = (params: object) => pathText(params, idName);

  async function mustExist({ website, params }: { website: WebsiteRow; params: object }): Promise<void> {
    await service.get(website, idOf(params));
  }

  return new Elysia({ prefix: `/websites/:id/${path}` })
    .use(ownWebsite(deps))
    .use(senderAddress())
    .use(deps.bodies.json())
    .get(
      '',
      async ({ website, userId, request }) => {
        const parameters = createParameters(request.url);
        const page = readListPage(parameters);
        const withArchived = hasArchived && parameters.flag('archived');
        parameters.finish();
        const { rows, total } = await deps.lists(userId, request, () =>
          service.list(website, page, { withArchived }),
        );
        return { [path]: rows, total };
      },
      {
        params: WebsiteId,
        mapResponse: sendAnswer(deps.answerBudget),
        query: t.NoValidate(hasArchived ? ArchivedListQuery : ListQuery),
        response: { 200: schemas.list, ...failures(...REFUSALS, 'VALIDATION_ERROR', 'SERVICE_UNAVAILABLE') },
        detail: describe('list', `List ${path}`, about.list),
      },
    )
    .post('', async ({ website, body, status }) => status(201, await service.create(website, body)), {
      transform: trimFields(...trimmed),
      params: WebsiteId,
      body: schemas.input,
      response: { 201: schemas.one, ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT') },
      detail: describe('create', `Add ${article}`, about.create),
    })
    .get(`/:${idName}`, ({ website, params }) => service.get(website, idOf(params)), {
      params: OneId,
      response: { 200: schemas.one, ...failures(...REFUSALS) },
      detail: describe('get', `Fetch ${article}`, 'By its id.'),
    })
    .patch(`/:${idName}`, ({ website, params, body }) => service.update(website, idOf(params), body), {
      transform: [mustExist, trimFields(...trimmed)],
      params: OneId,
      body: schemas.update,
      response: { 200: schemas.one, ...failures(...REFUSALS, ...REFUSALS_OF_BODIES, 'CONFLICT') },
      detail: describe('update', `Change ${article}`, about.update),
    })
    .delete(
      `/:${idName}`,
      async ({ website, params }) => {
        await service.remove(website, idOf(params));
        return { success: true as const, message: `${name} deleted` };
      },
      {
        params: OneId,
        response: { 200: Deleted, ...failures(...REFUSALS) },
        detail: describe('delete', `Delete ${article}`, about.remove),
      },
    );
}

const Deleted = t.Object(
  {
    success: t.Literal(true, { description: 'It is gone. No event is.' }),
    message: t.String({ description: 'A sentence for people.' }),
  },
  { description: 'Deleted.' },
);
