import { readEngagement } from '../../../log/clickhouse/engagement.ts';
import { join, sql } from '../../../log/clickhouse/sql.ts';
import { toEventType } from '../../../log/event-type.ts';
import { CLIENT_DIMENSIONS, ORIGIN_DIMENSIONS } from '../../../vocabulary/analytics.ts';
import { sumAmounts } from '../../derive/revenue.ts';
import type { PathEvent } from '../../interface/people.ts';
import type { List } from '../../interface/selection.ts';
import type { ListedVisit, VisitsRequest } from '../../interface/visits.ts';
import { ask, toScope } from '../ask.ts';
import type { ReadWindow, Source } from '../read-window.ts';
import { createScan, EVENT, LAST, positionOf } from '../scan.ts';
import { toClient, toOrigin } from './people.ts';
import { readPage } from './read-page.ts';

export function listVisits(
  { pageviewsMin = 0, stepsMax, conditions, ...request }: VisitsRequest,
  source: Source,
): Promise<List<ListedVisit>> {
  return ask(source, toScope({ ...request, ...{ conditions } }), async (window) => {
    const scan = createScan(window);
    const facts = join([...ORIGIN_DIMENSIONS, ...CLIENT_DIMENSIONS].map(scan.value), ', ');
    const edges = join([scan.value('entryPage'), scan.value('exitPage')], ', ');
    const matching = scan.matches(request);
    const met = conditions.map((filter) => sql`toUInt8(arrayExists(e -> ${scan.passes(filter)}, es))`);
    const pageviews = sql`arrayCount(e -> ${EVENT.type} = 0, es)`;
    const visits = sql`SELECT visitor_id, start_ms, end_ms, ${pageviews} AS pageviews, length(es) AS events, (${edges}) AS edges,
        [${facts}] AS facts, ${met.length > 0 ? sql`[${join(met, ', ')}]` : sql`emptyArrayUInt8()`} AS met,
        arrayMap(e -> toString(${EVENT.id}), arraySlice(es, 1, ${stepsMax})) AS ids, ${positionOf(LAST)} AS last
      FROM ${scan.visits()}
      WHERE arrayExists(e -> ${matching}, es) AND ${pageviews} >= ${pageviewsMin}`;
    const { rows, total } = await readPage<VisitRow>(source.server, visits, {
      order: sql`last DESC, ids[1] DESC`,
      page: request,
    });
    const steps = await readSteps(source, window, {
      websiteKeys: toScope(request).websiteKeys,
      ids: rows.flatMap((row) => row[8]),
    });
    return { rows: rows.map((row) => toListed(row, steps)), total };
  });
}

type VisitRow = [
  visitorId: string,
  startMs: number,
  endMs: number,
  pageviews: number,
  events: number,
  edges: [entry: string, exit: string],
  facts: string[],
  met: number[],
  ids: string[],
  last: [atMs: number, key: number],
];

type Step = { sessionId: string; event: PathEvent };

function toListed(row: VisitRow, steps: ReadonlyMap<string, Step>): ListedVisit {
  const [visitorId, startMs, endMs, pageviews, events, [entry, exit], facts, met, ids] = row;
  const own = ids.flatMap((id) => steps.get(id) ?? []);
  return {
    visitorId,
    sessionId: own[0]?.sessionId ?? '',
    startMs,
    endMs,
    pageviews,
    events,
    entryPage: entry || null,
    exitPage: exit || null,
    ...toOrigin(facts),
    ...toClient(facts.slice(ORIGIN_DIMENSIONS.length)),
    steps: own.map(({ event }) => event),
    revenue: sumAmounts(own.map(({ event }) => event.properties)),
    met: met.flatMap((isMet, condition) => (isMet ? [condition] : [])),
  };
}

async function readSteps(
  { server }: Source,
  { rows }: ReadWindow,
  { websiteKeys, ids }: { websiteKeys: readonly number[]; ids: readonly string[] },
) {
  const steps = new Map<string, Step>();
  if (ids.length === 0) return steps;
  const among = join(
    ids.map((id) => sql`toUUID(${id})`),
    ', ',
  );
  const found = await server.read<StepRow>(
    sql`SELECT id, session_id, created_at_ms, type, url, page, name, properties FROM events WHERE ${rows} AND id IN (${among})`,
  );
  const engagementOf = await readEngagement(server, { websiteKeys, ids });
  for (const [id, sessionId, atMs, type, url, page, name, properties] of found)
    steps.set(id, {
      sessionId,
      event: {
        id,
        atMs,
        eventType: toEventType(type),
        url,
        page,
        name: name || null,
        properties,
        ...engagementOf(id),
      },
    });
  return steps;
}

type StepRow = [
  id: string,
  sessionId: string,
  atMs: number,
  type: number,
  url: string,
  page: string,
  name: string,
  properties: string | null,
];
