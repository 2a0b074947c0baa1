import { keyAt } from '../../log/clickhouse/keys.ts';
import { dayOf } from '../../log/clickhouse/rows.ts';
import type { EventsServer } from '../../log/clickhouse/server.ts';
import { allOf, isOneOf, type Sql, sql } from '../../log/clickhouse/sql.ts';
import { type Traffic, VISIT_GAP_MS } from '../../vocabulary/analytics.ts';
import { DAY_MS, MINUTE_MS } from '../../vocabulary/durations.ts';
import type { Selection } from '../analytics.ts';
import { CLASSES } from '../derive/class.ts';

/** Whose events a question is about, and when. */
export type Asked = Pick<Selection, 'fromMs' | 'toMs'> & {
  websiteKeys: readonly number[];
  traffic: Traffic;
  /** The first visits ever are needed too, of the visitors that come in the range. */
  needsFirstVisits: boolean;
};

/** What has to be read for the visits that a question is about to be whole, as of one moment. */
export type ReadWindow = {
  /** The rows, as a condition on them. */
  rows: Sql;
  /** Which rows are there at all, of any time. */
  visible: Sql;
  /** Each visitor's events are all of people, of bots or excluded. */
  hasOneClass: boolean;
  /** A visit has at most so many events. */
  visitEventsMax: number;
  /** Of visits that are cut although there is no pause; undefined until one is met that has to be. See `findCuts`. */
  cuts: readonly string[] | undefined;
  /** Changes with each erasure: what is read afterwards is no longer of that moment. */
  erased: string;
};

export type Source = {
  server: EventsServer;
  now: () => number;
  visitEventsMax: number;
};

/** How far the clocks of two processes may be apart, and how long an insert may take. */
const CLOCKS_APART_MS = 10 * MINUTE_MS;
/** As far as instants go. */
export const INSTANT_MS_MAX = 8.64e15;

export async function openReadWindow(source: Source, asked: Asked): Promise<ReadWindow> {
  const { websiteKeys, traffic, fromMs, toMs } = asked;
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
  if (asked.needsFirstVisits) {
    const rows = sql`${visible} AND (website_key, visitor_id) IN
      (SELECT website_key, visitor_id FROM events WHERE ${visible} AND ${between(fromMs, toMs)})`;
    return { rows, visible, hasOneClass, visitEventsMax, cuts: undefined, erased };
  }
  const [loMs, hiMs] = await Promise.all([findLow(server, visible, fromMs), findHigh(server, visible, toMs)]);
  const beside = sql`visitor_id IN (SELECT visitor_id FROM events WHERE ${visible}
    AND (${between(fromMs - VISIT_GAP_MS, fromMs)} OR ${between(toMs, toMs + VISIT_GAP_MS)}))`;
  const inside = sql`created_at_ms >= ${fromMs} AND created_at_ms < ${toMs}`;
  const isWhole = loMs === fromMs && hiMs === toMs;
  const rows = sql`${visible} AND ${between(loMs, hiMs)}${isWhole ? sql`` : sql` AND (${inside} OR ${beside})`}`;
  return { rows, visible, hasOneClass, visitEventsMax, cuts: undefined, erased };
}

const NONE_ERASED = '0 0';

/** The last event that is stored, and a text that changes with each erasure. */
async function readState({ server, now }: Source, website: Sql) {
  const recent = keyAt(now() - CLOCKS_APART_MS);
  const [[newest, count, last] = [0, 0, 0]] = await server.read<[number, number, number]>(
    sql`SELECT (SELECT max(key) FROM events WHERE ${website} AND key >= ${recent}), count(), max(ordered_at_ms)
      FROM erased_events WHERE ${website}`,
  );
  return { newestKey: Math.max(newest, recent), erased: `${count} ${last}` };
}

/** Whether something was erased since. */
export async function isOfOneMoment(
  { server }: Source,
  asked: Asked,
  { erased }: ReadWindow,
): Promise<boolean> {
  const [[count, last] = [0, 0]] = await server.read<[number, number]>(
    sql`SELECT count(), max(ordered_at_ms) FROM erased_events WHERE ${isOneOf(sql`website_key`, asked.websiteKeys)}`,
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

/** How far beyond the range is looked at first for the ends of visits, and how much further each time. */
const FIRST_MARGIN_MS = DAY_MS;
const MARGIN_GROWTH = 10;

type Edge = [edge: number, isOpen: number, count: number];

/** Where the first of the visits begins that go on at an instant. */
async function findLow(server: EventsServer, visible: Sql, atMs: number): Promise<number> {
  for (let marginMs = FIRST_MARGIN_MS; ; marginMs *= MARGIN_GROWTH) {
    const lowMs = bounded(atMs - marginMs);
    if (lowMs >= atMs) return atMs;
    const [[first, isOpen, count] = [0, 0, 0]] = await server.read<Edge>(
      sql`SELECT min(first), max(first - ${lowMs} <= ${VISIT_GAP_MS}), count() FROM (
        SELECT arrayReverseSort(groupArray(created_at_ms)) AS times, arrayFilter(t -> t < ${atMs}, times) AS before,
          arrayFirstIndex((t, p) -> t - p > ${VISIT_GAP_MS}, before, arrayPushBack(arrayPopFront(before), before[-1])) AS pause,
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

/** Where the last of them has ended: right after its last event. */
async function findHigh(server: EventsServer, visible: Sql, atMs: number): Promise<number> {
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
