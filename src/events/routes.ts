import { Elysia, t } from 'elysia';
import type { AccessRules, Identity } from '../access/access.ts';
import { identifyCallers } from '../access/website-guard.ts';
import type { Accounts } from '../accounts/service.ts';
import { BatchPartlyStored, BatchStored, CreatedEvent, EventsPage, StoredEvent } from '../contract/event.ts';
import { BatchInput, EventInput, EventsQuery } from '../contract/event-input.ts';
import { failures } from '../contract/fault.ts';
import { isUuid } from '../db/packed-id.ts';
import type { AnswerBudget } from '../http/answer-budget.ts';
import { type Bodies, parseJson } from '../http/bodies.ts';
import { createParameters } from '../http/parameters.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { senderAddress } from '../http/sender-address.ts';
import type { LogReads } from '../log/log-reads.ts';
import { BATCH_BYTES_MAX, EVENT_BYTES_MAX } from '../vocabulary/contract.ts';
import { AppError, validationError } from '../vocabulary/errors.ts';
import type { OperationId } from '../vocabulary/rights.ts';
import type { Websites } from '../websites/service.ts';
import { readBatch } from './batch-body.ts';
import type { Cursors } from './cursor.ts';
import type { Ingest } from './ingest.ts';
import { readEventsQuery } from './query.ts';
import type { Addresses, Sender, SenderReader } from './sender.ts';
import { toListed, toStored } from './wire.ts';

type Deps = {
  accounts: Accounts;
  access: AccessRules;
  bodies: Bodies;
  websites: Websites;
  ingest: Ingest;
  log: LogReads;
  toSender: SenderReader;
  cursors: Cursors;
  answerBudget: AnswerBudget;
};

export function eventRoutes(deps: Deps) {
  return new Elysia()
    .group('/events', (events) => events.use(submitRoutes(deps)).use(readRoutes(deps)))
    .use(listenRoutes(deps));
}

/** Routes that submit events at the paths of the settings; OpenAPI names those of the contract. */
export function otherSubmitRoutes(deps: Deps, paths: readonly string[]) {
  const app = new Elysia();
  for (const path of paths) app.group(path, (group) => group.use(submitRoutes(deps, { hide: true })));
  return app;
}

/** Elysia leaves the body alone: it would make a stream of it, look at its type and read it. */
const UNREAD_BODY = { parse: 'none' } as const;

/**
 * Submitting needs no credentials. The bodies are read by the handlers and judged by `ingest`, event by event; the
 * schemas document.
 */
function submitRoutes({ accounts, bodies, ingest, toSender }: Deps, { hide = false } = {}) {
  return new Elysia()
    .use(senderAddress())
    .post(
      '',
      async ({ address, limitedAddress, request, set }) => {
        const sender = await senderOf(request, { address, limitedAddress });
        const bounds = { bytesMax: EVENT_BYTES_MAX, address: limitedAddress };
        const created = await bodies.withText(request, bounds, (text) =>
          ingest.one(text === null ? null : parseJson(text), sender),
        );
        set.status = 201;
        return created;
      },
      {
        ...UNREAD_BODY,
        body: t.NoValidate(EventInput),
        response: {
          201: t.NoValidate(CreatedEvent),
          ...failures(
            'VALIDATION_ERROR',
            'UNAUTHORIZED',
            'FORBIDDEN',
            'NOT_FOUND',
            'CONFLICT',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
            'SERVICE_UNAVAILABLE',
          ),
        },
        detail: {
          ...(hide && { hide }),
          tags: ['Events'],
          operationId: 'submitEvent',
          summary: 'Submit an event',
          description:
            'Needs no credentials. With an API key of scope `events` of the owner of the website, the event may be of any age, its sender is not taken for a bot, and does not count for `LIMIT_EVENTS_PER_S`; a key that is unknown is a 401, one without the scope a 403. 404 for an unknown tracking code; 400 also when the website names origins (`allowedOrigins`) and the url is of another. The answer is sent after the event is committed. Pages of any origin may call it; `text/plain` is read as JSON, for beacons. The body may be compressed (`Content-Encoding: gzip`); the bounds are those of what it unpacks to.',
        },
      },
    )
    .post(
      '/batch',
      async ({ address, limitedAddress, request, set }) => {
        const sender = await senderOf(request, { address, limitedAddress });
        const bounds = { bytesMax: BATCH_BYTES_MAX, address: limitedAddress };
        const answer = await bodies.withText(request, bounds, (text) =>
          ingest.batch(readBatch(text), sender),
        );
        set.status = answer.success ? 201 : 207;
        return answer;
      },
      {
        ...UNREAD_BODY,
        body: t.NoValidate(BatchInput),
        response: {
          201: BatchStored,
          207: BatchPartlyStored,
          ...failures(
            'VALIDATION_ERROR',
            'UNAUTHORIZED',
            'FORBIDDEN',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
            'SERVICE_UNAVAILABLE',
          ),
        },
        detail: {
          ...(hide && { hide }),
          tags: ['Events'],
          operationId: 'submitEvents',
          summary: 'Submit up to 1,000 events',
          description:
            'Each event is judged alone: 201 when all are stored, 207 when any was refused, also when all were. An unknown tracking code is a refusal of that event. API keys, origins, `text/plain` and gzip as for one event. The answer is sent after the commit.',
        },
      },
    );

  function senderOf(request: Request, addresses: Addresses): Sender | Promise<Sender> {
    if (!mayCarryKey(request)) return toSender(request, addresses, undefined);
    return accounts.findEventSender(request).then((owner) => toSender(request, addresses, owner?.userId));
  }
}

/** Schemas that both routes of the list share. */
const LIST = {
  query: t.NoValidate(EventsQuery),
  response: {
    200: EventsPage,
    ...failures('VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'),
  },
};

/** Schemas that both routes of one event share. */
const ONE = {
  params: t.NoValidate(t.Object({ id: t.String({ description: 'UUID of the event.' }) })),
  response: { 200: StoredEvent, ...failures('UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND') },
};

/** Events hold visitor ids, so reading them is for the owner of the website. */
function readRoutes(deps: Deps) {
  const list = listOf(deps);
  const find = findOf(deps);
  return new Elysia()
    .use(identifyCallers(deps))
    .use(senderAddress())
    .get('', (context) => list(context), {
      ...LIST,
      mapResponse: sendAnswer(deps.answerBudget),
      detail: {
        tags: ['Events'],
        operationId: 'listEvents',
        summary: 'List the events of a website, newest first',
        description:
          'All that are stored: headless browsers, curl and other bots too, which metrics leave out, and events from excluded addresses. For deep reading, follow pagination.nextCursor: it stays exact while events arrive.',
      },
    })
    .get('/:id', (context) => find(context), {
      ...ONE,
      detail: {
        tags: ['Events'],
        operationId: 'getEvent',
        summary: 'Fetch one event',
        description: 'The event of another account is not found.',
      },
    });
}

/** Both for the dashboard, which listens on hosts where lists of ad blockers stop every path with /event in it. */
function listenRoutes(deps: Deps) {
  const list = listOf(deps);
  const find = findOf(deps);
  return new Elysia()
    .use(identifyCallers(deps))
    .use(senderAddress())
    .get('/latest', (context) => list(context), {
      ...LIST,
      mapResponse: sendAnswer(deps.answerBudget),
      detail: {
        tags: ['Events'],
        operationId: 'listLatestEvents',
        summary: 'The same list, at an address that no ad blocker stops',
        description: 'For pages: on hosts such as `stats.`, ad blockers stop every path with `/event` in it.',
      },
    })
    .get('/latest/:id', (context) => find(context), {
      ...ONE,
      detail: {
        tags: ['Events'],
        operationId: 'getLatestEvent',
        summary: 'One event, at an address that no ad blocker stops',
        description: 'As GET /events/{id}.',
      },
    });
}

type Asking = { operation: OperationId; identity: Identity; request: Request };
const EVENT_NOT_FOUND = 'Event not found';
const CODE_NOT_FOUND = 'Website with this tracking code not found';

function findOf({ access, websites, log }: Deps) {
  /** `id` is null when its encoding is broken. */
  return async function find({
    operation,
    identity,
    params: { id },
  }: Asking & { params: { id: string | null } }): Promise<typeof StoredEvent.static> {
    const found = id !== null && isUuid(id) ? await log.find(id) : undefined;
    const locate = async () => found && websites.find(found.websiteId);
    const { website } = await access.open(operation, identity, locate, EVENT_NOT_FOUND);
    if (!found) throw new AppError('NOT_FOUND', EVENT_NOT_FOUND);
    return toStored(found.event, website.id);
  };
}

function listOf({ access, websites, log, cursors }: Deps) {
  return async function list({ operation, identity, request }: Asking): Promise<typeof EventsPage.static> {
    const parameters = createParameters(request.url);
    const trackingCode = parameters.text('trackingCode', Number.POSITIVE_INFINITY); // a long one is unknown
    parameters.finish();
    if (trackingCode === undefined)
      throw validationError('Invalid query parameters', { trackingCode: ['Required'] });
    const locate = () => websites.findByCode(trackingCode);
    const { website } = await access.open(operation, identity, locate, CODE_NOT_FOUND);
    const query = await readEventsQuery(parameters, cursors);
    const { events, total, next } = await log.list({ ...query, websiteKey: website.key });
    const { limit, offset } = query;
    const nextCursor = next && (await cursors.seal(next));
    return {
      events: events.map(toListed),
      pagination: { total, limit, offset, ...(nextCursor !== undefined && { nextCursor }) },
    };
  };
}

function mayCarryKey({ headers }: Request): boolean {
  return headers.has('x-api-key') || /^bearer\s+pk_/i.test(headers.get('authorization') ?? '');
}
