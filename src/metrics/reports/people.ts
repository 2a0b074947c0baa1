import { Elysia, t } from 'elysia';
import { pathText, WebsiteId, websiteId } from '../../access/website-guard.ts';
import { VisitorErased } from '../../contract/erasure.ts';
import {
  type Activity,
  DetailQuery,
  FormatQuery,
  ListQuery,
  SessionDetail,
  SessionList,
  VisitorDetail,
  VisitorExport,
  VisitorList,
} from '../../contract/metrics/lists.ts';
import { recordAround } from '../../db/audit.ts';
import type { Parameters } from '../../http/parameters.ts';
import { LIST_LIMIT_MAX } from '../../vocabulary/analytics.ts';
import { AppError } from '../../vocabulary/errors.ts';
import { exportVisitor } from '../answers/export.ts';
import { toActivityPage, toSession, toVisit, toVisitor } from '../answers/lists.ts';
import type { Table } from '../files/format.ts';
import { sessionsTable, visitorsTable } from '../files/people-tables.ts';
import { fileNameOf } from '../files/respond.ts';
import { readFormat, readPage } from '../question/breakdown-parameters.ts';
import { openParameters, openQuestion } from '../question/open-question.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport, nextPage, readList } from '../routes/report.ts';

/** Routes for single sessions and visitors, for the owner only, even of a public website. */
export function peopleRoutes(deps: MetricsDeps) {
  return new Elysia({ prefix: '/websites/:id' })
    .use(askWebsite(deps))
    .get(
      '/sessions',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'sessions',
          read: readList,
          async answer(analytics, { request, page, range }) {
            const { rows, total } = await analytics.sessions(request);
            return { range, sessions: rows.map(toSession), pagination: { total, ...page } };
          },
          toTable: sessionsTable,
          next: nextPage,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(ListQuery),
        response: { 200: SessionList, ...REFUSALS },
        detail: describe(
          'listSessions',
          'List sessions',
          'One row a browser tab, the one with the latest matching event first. A file without `limit` has all rows.',
        ),
      },
    )
    .get(
      '/sessions/:sessionId',
      async (context) =>
        answerReport(context, await openParameters(deps, context), {
          name: 'session',
          read: readEvents,
          async answer(analytics, { page, form }) {
            const sessionId = pathText(context.params, 'sessionId');
            const found = await analytics.session({ websiteKey: context.website.key, sessionId, ...page });
            if (!found) throw new AppError('NOT_FOUND', 'Session not found');
            const session = toSession(found.session);
            return { session, ...toActivityPage(found.events, { total: session.events, ...page }, form) };
          },
          toTable: activityTable,
          asksFirst: true,
        }),
      {
        params: SessionParams,
        query: t.NoValidate(DetailQuery),
        response: { 200: SessionDetail, ...REFUSALS },
        detail: describe(
          'getSession',
          'Fetch a session with its path',
          'Of all time and all traffic; a path of more than 1,000 events in pages. A page of more than 1 MB of properties ends early: `pagination.limit` then is the number of its events.',
        ),
      },
    )
    .get(
      '/visitors',
      async (context) =>
        answerReport(context, await openQuestion(deps, context), {
          name: 'visitors',
          read: readList,
          async answer(analytics, { request, page, range }) {
            const { rows, total } = await analytics.visitors(request);
            return { range, visitors: rows.map(toVisitor), pagination: { total, ...page } };
          },
          toTable: visitorsTable,
          next: nextPage,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(ListQuery),
        response: { 200: VisitorList, ...REFUSALS },
        detail: describe(
          'listVisitors',
          'List visitors',
          'One row a browser, the one with the latest matching event first. A file without `limit` has all rows.',
        ),
      },
    )
    .get(
      '/visitors/:visitorId',
      async (context) =>
        answerReport(context, await openParameters(deps, context), {
          name: 'visitor',
          read: readEvents,
          async answer(analytics, { page, form }) {
            const visitorId = pathText(context.params, 'visitorId');
            const found = await analytics.visitor({ websiteKey: context.website.key, visitorId, ...page });
            if (!found) throw visitorNotFound();
            const visitor = toVisitor(found.visitor);
            const visits = found.visits.map(toVisit);
            return {
              visitor,
              visits,
              ...toActivityPage(found.events, { total: visitor.events, ...page }, form),
            };
          },
          toTable: activityTable,
          asksFirst: true,
        }),
      {
        params: VisitorParams,
        query: t.NoValidate(DetailQuery),
        response: { 200: VisitorDetail, ...REFUSALS },
        detail: describe(
          'getVisitor',
          'Fetch a visitor with visits and events',
          'Of all time and all traffic; more than 1,000 events in pages. A page of more than 1 MB of properties ends early: `pagination.limit` then is the number of its events. For everything that is stored, see the export.',
        ),
      },
    )
    .get(
      '/visitors/:visitorId/export',
      async (context) => {
        const { website, params } = context;
        const visitor = { websiteKey: website.key, visitorId: pathText(params, 'visitorId') };
        const { parameters } = await openParameters(deps, context);
        const format = readFormat(parameters);
        parameters.finish();
        const form = {
          format,
          name: fileNameOf(website, 'visitor-export'),
          nowMs: deps.now(),
          recheck: context.recheck,
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
        ),
      },
    )
    .delete(
      '/visitors/:visitorId',
      async ({ website, userId, params, inTurn }) => {
        const visitor = { websiteKey: website.key, visitorId: pathText(params, 'visitorId') };
        const { eventsRemoved } = await recordAround(
          deps.db,
          {
            accountId: website.userId ?? '',
            actorId: userId ?? null,
            atMs: deps.now(),
            action: 'visitor.erased',
            websiteId: website.id,
            subject: website.name, // an erased id must not stay here
          },
          () => inTurn((analytics) => analytics.eraseVisitor(visitor)),
          ({ eventsRemoved }) => eventsRemoved > 0,
        );
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
        ),
      },
    );
}

/** Reads which events of a session or a visitor to return. */
function readEvents({ parameters }: { parameters: Parameters }) {
  const isFile = readFormat(parameters) !== 'json';
  return { page: readPage(parameters, LIST_LIMIT_MAX, LIST_LIMIT_MAX), form: { isFile } };
}

function visitorNotFound(): AppError {
  return new AppError('NOT_FOUND', 'Visitor not found');
}

const SessionParams = t.NoValidate(
  t.Object({ ...websiteId, sessionId: t.String({ description: 'URL-encoded.' }) }),
);
const VisitorParams = t.NoValidate(
  t.Object({ ...websiteId, visitorId: t.String({ description: 'URL-encoded.' }) }),
);

function activityTable(name: string, { events }: { events: Activity[] }): Table<Activity> {
  const columns = ['id', 'createdAt', 'eventType', 'url', 'page', 'name', 'properties'] as const;
  return { name, columns, rows: events };
}
