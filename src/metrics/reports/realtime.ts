import { Elysia, t } from 'elysia';
import type { Access } from '../../access/access.ts';
import { WebsiteId } from '../../access/website-guard.ts';
import type { Analytics, NowRow, RealtimeRequest } from '../../analytics/analytics.ts';
import { formatField, pageFields, selectionFields } from '../../contract/metrics/query.ts';
import { instant, integer } from '../../contract/types.ts';
import { senderAddress } from '../../http/sender-address.ts';
import { canonicalGroup } from '../../network/ip-range.ts';
import { LIST_LIMIT_MAX, ONLINE_WINDOW_MS, REALTIME_MINUTES } from '../../vocabulary/analytics.ts';
import {
  REALTIME_LIMIT_DEFAULT,
  STREAMS_PER_ACCOUNT_MAX,
  STREAMS_PER_ADDRESS_MAX,
} from '../../vocabulary/contract.ts';
import { MINUTE_MS } from '../../vocabulary/durations.ts';
import { AppError } from '../../vocabulary/errors.ts';
import { toInstant } from '../answers/wire.ts';
import type { Table } from '../files/format.ts';
import { readPage } from '../question/breakdown-parameters.ts';
import { requireNow } from '../question/link-range.ts';
import { openParameters } from '../question/open-question.ts';
import { readNow } from '../question/selection.ts';
import { askWebsite } from '../routes/access.ts';
import type { MetricsDeps } from '../routes/deps.ts';
import { describe, REFUSALS } from '../routes/documented.ts';
import { answerReport } from '../routes/report.ts';

const STREAM = 'streamRealtime';
const WINDOW_MINUTES = ONLINE_WINDOW_MS / MINUTE_MS;
const { limit } = pageFields(REALTIME_LIMIT_DEFAULT, LIST_LIMIT_MAX);

/** GET …/stats/realtime/stream */
const StreamQuery = t.Object({ limit, ...selectionFields }, { additionalProperties: true });
/** GET …/stats/realtime */
const RealtimeQuery = t.Object({ limit, ...selectionFields, ...formatField }, { additionalProperties: true });

const visitors = integer({ minimum: 0, description: 'Distinct visitors.' });
const events = integer({ minimum: 0, description: 'All events.' });
const Row = t.Object(
  {
    value: t.Union([t.String(), t.Null()], { description: 'null: direct, or not known.' }),
    visitors,
    events,
  },
  { title: 'NowRow', description: 'Current figures of a value.' },
);
const rows = (what: string) =>
  t.Array(Row, {
    description: `${what} of the last ${WINDOW_MINUTES} minutes, those with most visitors first.`,
  });

export const Realtime = t.Object(
  {
    at: instant('When this was so.'),
    windowMinutes: t.Literal(WINDOW_MINUTES, { description: 'Who had an event this recently is online.' }),
    visitors: integer({
      minimum: 0,
      description: `Distinct visitors with an event in the last ${WINDOW_MINUTES} minutes.`,
    }),
    minutes: t.Array(
      t.Object({
        time: instant('Where the minute begins.'),
        visitors,
        pageviews: integer({ minimum: 0, description: 'Events of type pageview.' }),
        events,
      }),
      { description: `The last ${REALTIME_MINUTES} minutes, oldest first.` },
    ),
    pages: rows('Pages'),
    sources: rows('Sources (null: direct)'),
    countries: rows('Countries (null: not known)'),
    events: rows('Custom events'),
  },
  { description: 'Who is there now.' },
);
export type Realtime = typeof Realtime.static;

export async function answerRealtime(analytics: Analytics, request: RealtimeRequest): Promise<Realtime> {
  const { visitors, minutes, pages, sources, countries, events } = await analytics.realtime(request);
  return {
    at: toInstant(request.nowMs),
    windowMinutes: WINDOW_MINUTES,
    visitors,
    minutes: minutes.map(({ startMs, ...counts }) => ({ time: toInstant(startMs), ...counts })),
    pages,
    sources,
    countries,
    events,
  };
}

/** Returns what must differ for a snapshot to be sent: the counts, not the instants, which always differ. */
function toNews({ at: _at, minutes, ...rest }: Realtime): string {
  return JSON.stringify([rest, minutes.map(({ time: _time, ...counts }) => counts)]);
}

function realtimeTable(
  name: string,
  { at, visitors, minutes, pages, sources, countries, events }: Realtime,
): Table {
  const listed = (list: string, rows: NowRow[]) => rows.map((row) => ({ list, ...row }));
  return {
    name,
    columns: ['list', 'time', 'value', 'visitors', 'pageviews', 'events'],
    rows: [
      { list: 'online', time: at, visitors },
      ...minutes.map((minute) => ({ list: 'minutes', ...minute })),
      ...listed('pages', pages),
      ...listed('sources', sources),
      ...listed('countries', countries),
      ...listed('events', events),
    ],
  };
}

const EventStream = t.String({ description: 'The events.', contentMediaType: 'text/event-stream' });

/** Answers the visitors who are on the website now. */
export function realtimeRoutes(deps: MetricsDeps) {
  const { streams, now } = deps;

  async function reopen(request: Request, id: string) {
    return deps.access.open(STREAM, await deps.access.identify(STREAM, request), id);
  }

  return new Elysia({ prefix: '/websites/:id/stats/realtime' })
    .use(senderAddress())
    .use(askWebsite(deps))
    .get(
      '',
      async (context) =>
        answerReport(context, await openNow(deps, context), {
          name: 'realtime',
          read: readRealtime,
          answer: (analytics, request) => answerRealtime(analytics, { ...request, nowMs: now() }),
          toTable: realtimeTable,
        }),
      {
        params: WebsiteId,
        query: t.NoValidate(RealtimeQuery),
        response: { 200: Realtime, ...REFUSALS },
        detail: describe(
          'getRealtime',
          'Who is there now',
          'The last 5 minutes, and the last 30 minute by minute.',
        ),
      },
    )
    .get(
      '/stream',
      async (context) => {
        const { address, request: httpRequest, params, server, access, inTurn, userId } = context;
        const opened = await openNow(deps, context);
        const request = readRealtime(opened);
        opened.parameters.finish();
        if (httpRequest.method === 'HEAD') return new Response(null); // HEAD must not open a stream
        server?.timeout(httpRequest, 0); // the server would close an idle connection
        return streams.open({
          key: JSON.stringify([ofWhom(access), request, access.role === 'public', access.hides]),
          viewer:
            access.role === 'public' || userId === undefined
              ? { address: address && canonicalGroup(address) }
              : { account: userId },
          signal: httpRequest.signal,
          async read(signal) {
            const answer = await inTurn(
              (analytics) => answerRealtime(analytics, { ...request, nowMs: now() }),
              signal,
            );
            return { text: JSON.stringify(answer), news: toNews(answer) };
          },
          // A stream that began before something was hidden ends, and the next one hides it.
          mayStay: () =>
            reopen(httpRequest, params.id).then(
              (now) =>
                now.role === access.role &&
                now.hides.join() === access.hides.join() &&
                now.link?.updatedAtMs === access.link?.updatedAtMs,
              (error) => {
                if (error instanceof AppError) return false;
                throw error;
              },
            ),
        });
      },
      {
        params: WebsiteId,
        query: t.NoValidate(StreamQuery),
        response: { 200: EventStream, ...REFUSALS },
        detail: describe(
          STREAM,
          'Who is there now, as server-sent events',
          `Events of type \`snapshot\` with the answer of the route above as data: one at once, another when it differs, at most every 2 seconds. A comment now and then keeps the connection open. \`end\` says that the credentials or the website no longer open it. 429 when the account has ${STREAMS_PER_ACCOUNT_MAX} open already, or an address without credentials ${STREAMS_PER_ADDRESS_MAX}; 503 when there are too many of all.`,
        ),
      },
    );
}

/** Tells apart the sets of two accounts, which have no key of their own, and the versions of a share link. */
function ofWhom({ website, userId, link, role }: Access) {
  const account = role === 'public' ? undefined : userId;
  return [website.id, account, link && [link.id, link.updatedAtMs]];
}

async function openNow(deps: MetricsDeps, context: Parameters<typeof openParameters>[1]) {
  const opened = await openParameters(deps, context);
  await requireNow(context.access.link?.range ?? null, opened.subject);
  return opened;
}

function readRealtime({ parameters, subject }: Awaited<ReturnType<typeof openParameters>>) {
  const { limit } = readPage(parameters, LIST_LIMIT_MAX, REALTIME_LIMIT_DEFAULT);
  const { traffic, filter } = readNow(parameters, subject);
  return { websiteKey: subject.website.key, limit, traffic, ...(filter && { filter }) };
}
