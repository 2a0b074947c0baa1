import { readEngagement } from '../../../log/clickhouse/engagement.ts';
import { fieldsOf, join, type Sql, sql } from '../../../log/clickhouse/sql.ts';
import { toEventType } from '../../../log/event-type.ts';
import { CLIENT_DIMENSIONS, DETAIL_VISITS_MAX, ORIGIN_DIMENSIONS } from '../../../vocabulary/analytics.ts';
import type { Analytics } from '../../analytics.ts';
import type {
  Client,
  Origin,
  PathEvent,
  Session,
  SessionDetail,
  Visit,
  Visitor,
  VisitorDetail,
} from '../../interface/people.ts';
import type { List, ListPage, ListRequest, Selection } from '../../interface/selection.ts';
import { ask, toScope } from '../ask.ts';
import { INSTANT_MS_MAX, type ReadWindow, type Source } from '../read-window.ts';
import { AT, createScan, fieldsOfEvent, LAST, positionOf, type Scan, TYPE } from '../scan.ts';
import { isInside, type MatchedCells, matchedOf, toMatched, UNIQUE_POSITION } from './matched.ts';
import { readPage } from './read-page.ts';

/** Selects all time and all traffic. */
function everything(websiteKey: number): Selection {
  return { websiteKey, fromMs: -INSTANT_MS_MAX, toMs: INSTANT_MS_MAX + 1, traffic: 'all' };
}

/** Elements of an event with its marks. */
const MARKED = fieldsOf(sql`marked`, ['event', 'isMatch', 'isLast']);

export function listSessions(request: ListRequest, source: Source): Promise<List<Session>> {
  return ask(source, toScope(request), (window) => readSessions(source, request, { window, only: sql`1` }));
}

type Among = {
  window: ReadWindow;
  /** Condition for rows to read. */
  only: Sql;
  sessionId?: string;
};

async function readSessions(
  { server }: Source,
  request: ListRequest,
  { window, only, sessionId }: Among,
): Promise<List<Session>> {
  const scan = createScan(window, only);
  const session = scan.column(sql`session_id`);
  const page = scan.value('page');
  const facts = join([...ORIGIN_DIMENSIONS, ...CLIENT_DIMENSIONS].map(scan.value), ', ');
  const isOfIt = sessionId === undefined ? sql`1` : sql`${session} = ${sessionId}`;
  const { isMatch, matched } = matchedOf(scan, request);
  const own = sql`arrayFilter(e -> ${isOfIt}, es)`;
  const sessions = sql`SELECT ${session} AS session_id, argMin((visitor_id, facts), ${UNIQUE_POSITION}) AS first,
      min(${AT}) AS first_ms, max(${AT}) AS last_ms, countIf(${TYPE} = 0) AS pageviews, count() AS events,
      argMinIf(${page}, ${UNIQUE_POSITION}, ${TYPE} = 0) AS entry, argMaxIf(${page}, ${UNIQUE_POSITION}, ${TYPE} = 0) AS exit,
      ${matched}
    FROM (SELECT visitor_id, facts, ${MARKED.event} AS e, ${MARKED.isMatch} AS is_match FROM (
      SELECT visitor_id, [${facts}] AS facts, arrayJoin(arrayMap(e -> (e, ${isMatch}), ${own})) AS marked
      FROM ${scan.visits()} WHERE arrayExists(e -> ${isInside(request)}, es)))
    GROUP BY session_id HAVING matching > 0`;
  const { rows, total } = await readPage<SessionRow>(server, sessions, {
    order: sql`latest DESC, session_id`,
    page: request,
  });
  return { rows: rows.map((row) => ({ ...toSession(row), ...toMatched(request, row.slice(-4)) })), total };
}

type SessionRow = [
  sessionId: string,
  first: [visitorId: string, facts: string[]],
  firstMs: number,
  lastMs: number,
  pageviews: number,
  events: number,
  entry: string,
  exit: string,
];

function toSession(row: SessionRow): Session {
  const [sessionId, [visitorId, facts], firstAtMs, lastAtMs, pageviews, events, entry, exit] = row;
  return {
    sessionId,
    visitorId,
    firstAtMs,
    lastAtMs,
    duration: (lastAtMs - firstAtMs) / 1000,
    pageviews,
    events,
    entryPage: entry || null,
    exitPage: exit || null,
    ...toOrigin(facts),
    ...toClient(facts.slice(ORIGIN_DIMENSIONS.length)),
  };
}

export function findSession(
  { websiteKey, sessionId, ...page }: Parameters<Analytics['session']>[0],
  source: Source,
): Promise<SessionDetail | undefined> {
  const all = everything(websiteKey);
  return ask(source, toScope(all), async (window) => {
    const own = sql`session_id = ${sessionId}`;
    const only = sql`visitor_id IN (SELECT visitor_id FROM events WHERE website_key = ${websiteKey} AND ${own})`;
    const { rows } = await readSessions(source, { ...all, limit: 1, offset: 0 }, { window, only, sessionId });
    const [session] = rows;
    if (!session) return undefined;
    return {
      session,
      events: await listPath(source, { websiteKey, window, own, isNewestFirst: false, page }),
    };
  });
}

export function listVisitors(request: ListRequest, source: Source): Promise<List<Visitor>> {
  return ask(source, toScope(request), (window) => readVisitors(source, request, window));
}

async function readVisitors(
  { server }: Source,
  request: ListRequest,
  window: ReadWindow,
  only: Sql = sql`1`,
): Promise<List<Visitor>> {
  const scan = createScan(window, only);
  const facts = join(CLIENT_DIMENSIONS.map(scan.value), ', ');
  const { isMatch, matched } = matchedOf(scan, request);
  const visitors = sql`SELECT visitor_id, min(start_ms) AS first_ms, max(end_ms) AS last_ms,
      argMaxIf(facts, ${UNIQUE_POSITION}, is_last) AS client, countIf(is_last) AS visits,
      countIf(${TYPE} = 0) AS pageviews, count() AS events, ${matched}
    FROM (SELECT *, ${MARKED.event} AS e, ${MARKED.isMatch} AS is_match, ${MARKED.isLast} AS is_last FROM (
      SELECT visitor_id, start_ms, end_ms, [${facts}] AS facts,
        arrayJoin(arrayMap((e, n) -> (e, ${isMatch}, n = length(es)), es, arrayEnumerate(es))) AS marked
      FROM ${scan.visits()} WHERE arrayExists(e -> ${isInside(request)}, es)))
    GROUP BY visitor_id HAVING matching > 0`;
  const { rows, total } = await readPage<VisitorRow>(server, visitors, {
    order: sql`latest DESC, visitor_id`,
    page: request,
  });
  return { rows: rows.map((row) => ({ ...toVisitor(row), ...toMatched(request, row.slice(-4)) })), total };
}

type VisitorRow = [
  visitorId: string,
  firstMs: number,
  lastMs: number,
  client: string[],
  visits: number,
  pageviews: number,
  events: number,
  ...MatchedCells,
];

function toVisitor(row: VisitorRow): Visitor {
  const [visitorId, firstAtMs, lastAtMs, client, visits, pageviews, events] = row;
  return { visitorId, firstAtMs, lastAtMs, visits, pageviews, events, ...toClient(client) };
}

export function findVisitor(
  { websiteKey, visitorId, ...page }: Parameters<Analytics['visitor']>[0],
  source: Source,
): Promise<VisitorDetail | undefined> {
  const all = everything(websiteKey);
  return ask(source, toScope(all), async (window) => {
    const own = sql`visitor_id = ${visitorId}`;
    const { rows } = await readVisitors(source, { ...all, limit: 1, offset: 0 }, window, own);
    const [visitor] = rows;
    if (!visitor) return undefined;
    const [visits, events] = await Promise.all([
      listVisits(source, createScan(window, own)),
      listPath(source, { websiteKey, window, own, isNewestFirst: true, page }),
    ]);
    return { visitor, visits, events };
  });
}

type VisitRow = [
  startMs: number,
  endMs: number,
  pageviews: number,
  events: number,
  entry: string,
  exit: string,
  facts: string[],
];

async function listVisits({ server }: Source, scan: Scan): Promise<Visit[]> {
  const facts = join(ORIGIN_DIMENSIONS.map(scan.value), ', ');
  const edges = join([scan.value('entryPage'), scan.value('exitPage')], ', ');
  const rows = await server.read<VisitRow>(
    sql`SELECT start_ms, end_ms, countEqual(${fieldsOfEvent(sql`es`).type}, 0), length(es), ${edges}, [${facts}] FROM ${scan.visits()}
      ORDER BY ${positionOf(LAST)} DESC LIMIT ${DETAIL_VISITS_MAX}`,
  );
  return rows.map(([startMs, endMs, pageviews, events, entry, exit, origin]) => ({
    startMs,
    endMs,
    pageviews,
    events,
    entryPage: entry || null,
    exitPage: exit || null,
    ...toOrigin(origin),
  }));
}

/** Lists the events of a session or a visitor, with each event's own page and name. */
async function listPath(
  { server }: Source,
  {
    websiteKey,
    window,
    own,
    isNewestFirst,
    page,
  }: { websiteKey: number; window: ReadWindow; own: Sql; isNewestFirst: boolean; page: ListPage },
): Promise<PathEvent[]> {
  const order = isNewestFirst ? sql`created_at_ms DESC, key DESC, id DESC` : sql`created_at_ms, key, id`;
  const rows = await server.read<PathRow>(
    sql`SELECT id, created_at_ms, type, url, page, name, properties FROM events WHERE ${window.rows} AND ${own}
      ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset}`,
  );
  const engagementOf = await readEngagement(server, {
    websiteKeys: [websiteKey],
    ids: rows.map(([id]) => id),
  });
  return rows.map(([id, atMs, type, url, ownPage, name, properties]) => ({
    id,
    atMs,
    eventType: toEventType(type),
    url,
    page: ownPage,
    name: name || null,
    properties,
    ...engagementOf(id),
  }));
}

type PathRow = [
  id: string,
  atMs: number,
  type: number,
  url: string,
  page: string,
  name: string,
  properties: string | null,
];

export function toOrigin(facts: readonly string[]): Origin {
  return toNamed(ORIGIN_DIMENSIONS, facts) as Origin; // the channel was made by toChannel
}

export function toClient(facts: readonly string[]): Client {
  return toNamed(CLIENT_DIMENSIONS, facts) as Client; // the device type is that of an event
}

function toNamed(names: readonly string[], values: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] || null]));
}
