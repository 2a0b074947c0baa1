import { Elysia, t } from 'elysia';
import { LIST_LIMIT_MAX } from '../../analytics/vocabulary.ts';
import {
  DetailQuery,
  FormatQuery,
  ListQuery,
  SessionDetail,
  SessionList,
  VisitorDetail,
  VisitorErased,
  VisitorExport,
  VisitorList,
} from '../../contract/metrics-lists.ts';
import { AppError } from '../../errors.ts';
import { exportVisitor } from '../answers/export.ts';
import { toActivity, toSession, toVisit, toVisitor } from '../answers/lists.ts';
import { toRange } from '../answers/wire.ts';
import { activityTable, sessionsTable, visitorsTable } from '../files/list-tables.ts';
import { fileNameOf, readFormat, respond } from '../files/respond.ts';
import { readPage } from '../question/breakdown-parameters.ts';
import { openParameters, openQuestion } from '../question/open-question.ts';
import { ownWebsite } from './access.ts';
import type { MetricsDeps } from './deps.ts';
import { describe, REFUSALS } from './documented.ts';

/** Sessions and visitors one by one: for the owner alone, also of a public website. */
export function peopleRoutes(deps: MetricsDeps) {
  /** Lists, as both of them are asked for. */
  async function openList(context: Parameters<typeof openQuestion>[1]) {
    const { parameters, asked } = await openQuestion(deps, context);
    const page = readPage(parameters, LIST_LIMIT_MAX);
    const format = readFormat(parameters);
    parameters.finish();
    return { request: { ...asked.selection, ...page }, page, format, range: toRange(asked.range) };
  }

  /** Which events of one of them. What is wrong with it is said after a 404. */
  function openDetail(context: Parameters<typeof openParameters>[1]) {
    const { parameters } = openParameters(deps, context);
    const page = readPage(parameters, LIST_LIMIT_MAX, LIST_LIMIT_MAX);
    return { parameters, page, format: readFormat(parameters) };
  }

  function formatOf(context: Parameters<typeof openParameters>[1]) {
    const { parameters } = openParameters(deps, context);
    const format = readFormat(parameters);
    parameters.finish();
    return format;
  }

  return new Elysia({ prefix: '/websites/:id' })
    .use(ownWebsite(deps))
    .get(
      '/sessions',
      async (context) => {
        const { request, page, format, range } = await openList(context);
        const { rows, total } = await context.inTurn((analytics) => analytics.sessions(request));
        const answer = { range, sessions: rows.map(toSession), pagination: { total, ...page } };
        return respond(format, answer, () =>
          sessionsTable(fileNameOf(context.website, 'sessions'), answer.sessions),
        );
      },
      {
        params: WebsiteParams,
        query: t.NoValidate(ListQuery),
        response: { 200: SessionList, ...REFUSALS },
        detail: describe(
          'listSessions',
          'List sessions',
          'One row a browser tab, the latest active first.',
          'owner',
        ),
      },
    )
    .get(
      '/sessions/:sessionId',
      async (context) => {
        const { website, params } = context;
        const { parameters, page, format } = openDetail(context);
        const sessionId = idOf(params.sessionId);
        const found = await context.inTurn((analytics) =>
          analytics.session({ websiteKey: website.key, sessionId, ...page }),
        );
        if (!found) throw new AppError('NOT_FOUND', 'Session not found');
        parameters.finish();
        const answer = {
          session: toSession(found.session),
          events: found.events.map(toActivity),
          pagination: { total: found.session.events, ...page },
        };
        return respond(format, answer, () => activityTable(fileNameOf(website, 'session'), answer.events));
      },
      {
        params: SessionParams,
        query: t.NoValidate(DetailQuery),
        response: { 200: SessionDetail, ...REFUSALS },
        detail: describe(
          'getSession',
          'Fetch a session with its path',
          'Of all time and all traffic; a path of more than 1,000 events in pages.',
          'owner',
        ),
      },
    )
    .get(
      '/visitors',
      async (context) => {
        const { request, page, format, range } = await openList(context);
        const { rows, total } = await context.inTurn((analytics) => analytics.visitors(request));
        const answer = { range, visitors: rows.map(toVisitor), pagination: { total, ...page } };
        return respond(format, answer, () =>
          visitorsTable(fileNameOf(context.website, 'visitors'), answer.visitors),
        );
      },
      {
        params: WebsiteParams,
        query: t.NoValidate(ListQuery),
        response: { 200: VisitorList, ...REFUSALS },
        detail: describe(
          'listVisitors',
          'List visitors',
          'One row a browser, the latest active first.',
          'owner',
        ),
      },
    )
    .get(
      '/visitors/:visitorId',
      async (context) => {
        const { website, params } = context;
        const { parameters, page, format } = openDetail(context);
        const visitorId = idOf(params.visitorId);
        const found = await context.inTurn((analytics) =>
          analytics.visitor({ websiteKey: website.key, visitorId, ...page }),
        );
        if (!found) throw visitorNotFound();
        parameters.finish();
        const answer = {
          visitor: toVisitor(found.visitor),
          visits: found.visits.map(toVisit),
          events: found.events.map(toActivity),
          pagination: { total: found.visitor.events, ...page },
        };
        return respond(format, answer, () => activityTable(fileNameOf(website, 'visitor'), answer.events));
      },
      {
        params: VisitorParams,
        query: t.NoValidate(DetailQuery),
        response: { 200: VisitorDetail, ...REFUSALS },
        detail: describe(
          'getVisitor',
          'Fetch a visitor with visits and events',
          'Of all time and all traffic; more than 1,000 events in pages. For everything that is stored, see the export.',
          'owner',
        ),
      },
    )
    .get(
      '/visitors/:visitorId/export',
      async (context) => {
        const { website, params } = context;
        const visitor = { websiteKey: website.key, visitorId: idOf(params.visitorId) };
        const form = {
          format: formatOf(context),
          name: fileNameOf(website, 'visitor-export'),
          nowMs: deps.now(),
        };
        const file = await context.inTurn((analytics) => exportVisitor(analytics, visitor, form));
        if (!file) throw visitorNotFound();
        return file;
      },
      {
        params: VisitorParams,
        query: t.NoValidate(FormatQuery),
        response: { 200: VisitorExport, ...REFUSALS },
        detail: describe(
          'exportVisitor',
          'Export everything that is stored about a visitor',
          'As a file, all events in the order of time.',
          'owner',
        ),
      },
    )
    .delete(
      '/visitors/:visitorId',
      async ({ website, params, inTurn }) => {
        const visitor = { websiteKey: website.key, visitorId: idOf(params.visitorId) };
        const { eventsRemoved } = await inTurn((analytics) => analytics.eraseVisitor(visitor));
        if (eventsRemoved === 0) throw visitorNotFound();
        return { success: true as const, message: 'Visitor erased', eventsRemoved };
      },
      {
        params: VisitorParams,
        response: { 200: VisitorErased, ...REFUSALS },
        detail: describe(
          'eraseVisitor',
          'Erase a visitor',
          'Removes all events of a visitor, and what was derived from them. Cannot be undone; one that is cut off is finished at the next start.',
          'owner',
        ),
      },
    );
}

function visitorNotFound(): AppError {
  return new AppError('NOT_FOUND', 'Visitor not found');
}

/** What cannot be decoded arrives as null, and is nobody's id. */
function idOf(id: string | null): string {
  return id ?? '';
}

const id = t.String({ description: 'id of the website.' });
const WebsiteParams = t.NoValidate(t.Object({ id }));
const SessionParams = t.NoValidate(t.Object({ id, sessionId: t.String({ description: 'URL-encoded.' }) }));
const VisitorParams = t.NoValidate(t.Object({ id, visitorId: t.String({ description: 'URL-encoded.' }) }));
