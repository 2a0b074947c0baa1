import { keyAt } from '../../log/clickhouse/keys.ts';
import { dayOf } from '../../log/clickhouse/rows.ts';
import type { EventsServer } from '../../log/clickhouse/server.ts';
import { allOf, isOneOf, type Sql, sql } from '../../log/clickhouse/sql.ts';
import { type Traffic, VISIT_GAP_MS } from '../../vocabulary/analytics.ts';
import { DAY_MS, MINUTE_MS } from '../../vocabulary/durations.ts';
import { CLASSES } from '../derive/class.ts';
import type { Selection } from '../interface/selection.ts';

/** The websites, visitors and time range that a question is about. */
export type QuestionScope = Pick<Selection, 'fromMs' | 'toMs'> & {
  websiteKeys: readonly number[];
  traffic: Traffic;
  /** Whether the first visits ever of the range's visitors are needed too. */
  needsFirstVisits: boolean;
};

/** Rows that must be read for the question's visits to be complete, on one snapshot. */
export type ReadWindow = {
  /** Condition for the rows to read. */
  rows: Sql;
  /** Condition for rows that exist on the snapshot, of any time. */
  visible: Sql;
  /** Whether all events of each visitor have one class: people, bots or excluded. */
  hasOneClass: boolean;
  /** Maximum events of a visit. */
  visitEventsMax: number;
  /** Ids of events that begin a visit without a pause; undefined until a visit needs them. See `findCuts`. */
  cuts: readonly string[] | undefined;
  /** Changes with each erasure, which invalidates the snapshot. */
  erased: string;
};

export type Source = {
  server: EventsServer;
  now: () => number;
  visitEventsMax: number;
};

/** Maximum clock difference of two processes plus the duration of an insert. */
const CLOCKS_APART_MS = 10 * MINUTE_MS;
/** Greatest instant. */
export const INSTANT_MS_MAX = 8.64e15;

export async function openReadWindow(source: Source, scope: QuestionScope): Promise<ReadWindow> {
  const { websiteKeys, traffic, fromMs, toMs } = scope;
  const { server, visitEventsMax } = source;
  const website = isOneOf(sql`website_key`, websiteKeys);
  const { newestKey, erased } = await readState(source, website);
  const hasOneClass = traffic !== 'all';
  const conditions = [website, sql`key <= ${newestKey}`];
  if (erased !== NONE_ERASED)
    conditions.push(
      sql`(website_key, id, key) NOT IN (SELECT website_key, id, key FROM erased_events WHERE ${website})`,
    );
  if (hasOneClass) conditions.push(sql`class = ${CLASSES[traffic]}`);
  const visible = allOf(conditions);
  if (scope.needsFirstVisits) {
    const rows = sql`${visible} AND (website_key, visitor_id) IN
      (SELECT website_key, visitor_id FROM events WHERE ${visible} AND ${between(fromMs, toMs)})`;
    return { rows, visible, hasOneClass, visitEventsMax, cuts: undefined, erased };
  }
  const [loMs, hiMs] = await Promise.all([
    findWindowStart(server, visible, fromMs),
    findWindowEnd(server, visible, toMs),
  ]);
  const isOfVisitor = sql`visitor_id IN (SELECT visitor_id FROM events WHERE ${visible}
    AND (${between(fromMs - VISIT_GAP_MS, fromMs)} OR ${between(toMs, toMs + VISIT_GAP_MS)}))`;
  const inside = sql`created_at_ms >= ${fromMs} AND created_at_ms < ${toMs}`;
  const isWhole = loMs === fromMs && hiMs === toMs;
  const rows = sql`${visible} AND ${between(loMs, hiMs)}${isWhole ? sql`` : sql` AND (${inside} OR ${isOfVisitor})`}`;
  return { rows, visible, hasOneClass, visitEventsMax, cuts: undefined, erased };
}

const NONE_ERASED = '0 0';

/** Reads the last stored event, and a text that changes with each erasure. */
async function readState({ server, now }: Source, website: Sql) {
  const recent = keyAt(now() - CLOCKS_APART_MS);
  const [[newest, count, last] = [0, 0, 0]] = await server.read<[number, number, number]>(
    sql`SELECT (SELECT max(key) FROM events WHERE ${website} AND key >= ${recent}), count(), max(ordered_at_ms)
      FROM erased_events WHERE ${website}`,
  );
  return { newestKey: Math.max(newest, recent), erased: `${count} ${last}` };
}

/** Whether the snapshot is still valid: returns false after an erasure. */
export async function isOfOneMoment(
  { server }: Source,
  scope: QuestionScope,
  { erased }: ReadWindow,
): Promise<boolean> {
  const [[count, last] = [0, 0]] = await server.read<[number, number]>(
    sql`SELECT count(), max(ordered_at_ms) FROM erased_events WHERE ${isOneOf(sql`website_key`, scope.websiteKeys)}`,
  );
  return `${count} ${last}` === erased;
}

function between(fromMs: number, toMs: number): Sql {
  const [from, to] = [bounded(fromMs), bounded(toMs)];
  return sql`(day >= ${dayOf(from)} AND day <= ${dayOf(to)} AND created_at_ms >= ${from} AND created_at_ms < ${to})`;
}

function bounded(ms: number): number {
  return Math.min(Math.max(ms, -INSTANT_MS_MAX), INSTANT_MS_MAX + 1);
}

/** Initial distance beyond the range within which visits are searched for their ends; it then grows. */
const FIRST_MARGIN_MS = DAY_MS;
const MARGIN_GROWTH = 10;

type Edge = [edge: number, isOpen: number, count: number];

/** Returns the start of the earliest visit that is in progress at an instant. */
async function findWindowStart(server: EventsServer, visible: Sql, atMs: number): Promise<number> {
  for (let marginMs = FIRST_MARGIN_MS; ; marginMs *= MARGIN_GROWTH) {
    const lowMs = bounded(atMs - marginMs);
    if (lowMs >= atMs) return atMs;
    const [[first, isOpen, count] = [0, 0, 0]] = await server.read<Edge>(
      sql`SELECT min(first), max(first - ${lowMs} <= ${VISIT_GAP_MS}), count() FROM (
        SELECT arrayReverseSort(groupArray(created_at_ms)) AS times, arrayFilter(t -> t < ${atMs}, times) AS before,
          arrayPushBack(arrayPopFront(before), before[-1]) AS previous,
          arrayFirstIndex((t, p) -> t - p > ${VISIT_GAP_MS}, before, previous) AS pause,
          if(pause = 0, before[-1], before[pause]) AS first
        FROM events WHERE ${visible} AND ${between(lowMs, atMs + VISIT_GAP_MS)} AND visitor_id IN
          (SELECT visitor_id FROM events WHERE ${visible} AND ${between(atMs - VISIT_GAP_MS, atMs)})
        GROUP BY website_key, visitor_id, class
        HAVING notEmpty(before) AND length(times) > length(before)
          AND times[length(times) - length(before)] - before[1] <= ${VISIT_GAP_MS})`,
    );
    if (count === 0) return atMs;
    if (!isOpen || lowMs === -INSTANT_MS_MAX) return first;
  }
}

/** Returns the end of the last visit that is in progress at an instant: right after its last event. */
async function findWindowEnd(server: EventsServer, visible: Sql, atMs: number): Promise<number> {
  for (let marginMs = FIRST_MARGIN_MS; ; marginMs *= MARGIN_GROWTH) {
    const highMs = bounded(atMs + marginMs);
    if (highMs <= atMs) return atMs;
    const [[last, isOpen, count] = [0, 0, 0]] = await server.read<Edge>(
      sql`SELECT max(last), max(${highMs} - last <= ${VISIT_GAP_MS}), count() FROM (
        SELECT arraySort(groupArray(created_at_ms)) AS times, arrayFilter(t -> t >= ${atMs}, times) AS after,
          arrayFirstIndex((t, n) -> n - t > ${VISIT_GAP_MS}, after, arrayPushBack(arrayPopFront(after), after[-1])) AS pause,
          if(pause = 0, after[-1], after[pause]) AS last
        FROM events WHERE ${visible} AND ${between(atMs - VISIT_GAP_MS, highMs)} AND visitor_id IN
          (SELECT visitor_id FROM events WHERE ${visible} AND ${between(atMs, atMs + VISIT_GAP_MS)})
        GROUP BY website_key, visitor_id, class
        HAVING notEmpty(after) AND length(times) > length(after)
          AND after[1] - times[length(times) - length(after)] <= ${VISIT_GAP_MS})`,
    );
    if (count === 0) return atMs;
    if (!isOpen || highMs > INSTANT_MS_MAX) return last + 1;
  }
}
