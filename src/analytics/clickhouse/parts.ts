import { allOf, anyOf, isOneOf, join, type Sql, sql } from '../../log/clickhouse/sql.ts';
import type { Breakdown, PageColumn } from '../analytics.ts';
import { formsOf } from '../derive/forms.ts';
import { isVisitDimension } from '../dimensions.ts';
import type { Dimension } from '../vocabulary.ts';
import { AT, type Scan, TYPE } from './scan.ts';
import { containsOneOf, inOrder } from './text-test.ts';

/**
 * One part of an answer: groups of the matching events by a value. Several parts are counted in one statement, so that
 * visits are cut once, and all parts are of the same moment.
 *
 * Each visit says of each part which values it has, as tuples: the value, its events there, its pageviews there, whether
 * the visit begins there and whether it ends there.
 */
export type Part = {
  /** An array of these tuples, over the columns of a visit and `ms`, its matching events. */
  tuples: Sql;
  /** Which values have a row. Default: all. */
  shown?: Sql;
  order?: Order;
  limit?: number;
  offset?: number;
};
/** The metrics whose means are those of the visits that begin with the value, where they are not those of all. */
export type Means = 'all' | 'page' | 'begun';
type Order = { by: PageColumn | 'value'; descending: boolean; means: Means };

/** The whole of the matching events. */
export function wholePart(events: Sql = sql`ms`): Part {
  return { tuples: sql`[('', length(${events}), countEqual(${events}.4, 0), 0, 0)]` };
}

/** The points of a series. A visit that begins before the range begins in none. */
export function seriesPart(bounds: readonly number[], fromMs: number): Part {
  const [first = 0, last = 0] = [bounds[0], bounds.at(-1)];
  const point = (instant: Sql) => sql`toString(roundDown(${instant}, ${bounds.map(toInstant)}))`;
  const within = (instant: Sql) => sql`${instant} >= ${first} AND ${instant} < ${last}`;
  const events = sql`arrayMap(e -> (${point(AT)}, ${TYPE} = 0), arrayFilter(e -> ${within(AT)}, ms))`;
  const begins = sql`start_ms >= ${fromMs} AND ${within(sql`start_ms`)}`;
  return {
    tuples: sql`arrayConcat(${runsOf(events)}, if(${begins}, [(${point(sql`start_ms`)}, ${COUNT_0}, ${COUNT_0}, 1, 0)], []))`,
  };
}

function toInstant(ms: number): Sql {
  return sql`toInt64(${ms})`;
}

const COUNT_0 = sql`toUInt64(0)`;

/** The values of a dimension. */
export function dimensionPart(scan: Scan, breakdown: Breakdown): Part {
  const { dimension, limit, offset, sort } = breakdown;
  const means = dimension === 'page' ? 'page' : 'all';
  return {
    tuples: tuplesOf(scan, dimension),
    shown: shownOf(breakdown),
    order: { ...(sort ?? { by: 'visitors', descending: true }), means },
    limit,
    ...(offset !== undefined && { offset }),
  };
}

function tuplesOf(scan: Scan, dimension: Dimension): Sql {
  const value = scan.value(dimension);
  const isOfVisits: boolean = isVisitDimension(dimension);
  if (isOfVisits) return sql`[(${value}, length(ms), countEqual(ms.4, 0), 0, 0)]`;
  const runs = runsOf(sql`arrayMap(e -> (${value}, ${TYPE} = 0), ms)`);
  if (dimension !== 'page') return runs;
  const [entry, exit] = [scan.value('entryPage'), scan.value('exitPage')];
  return sql`arrayConcat(${runs}, [(${entry}, ${COUNT_0}, ${COUNT_0}, 1, 0), (${exit}, ${COUNT_0}, ${COUNT_0}, 0, 1)])`;
}

function shownOf({ dimension, search, withAbsent = false, only }: Breakdown): Sql {
  const value = sql`value`;
  // A page where visits begin need not have matching events.
  const there = sql`events > 0`;
  if (only)
    return allOf([
      there,
      isOneOf(
        value,
        only.filter((one) => one !== '').map((one) => one ?? ''),
      ),
    ]);
  const absent = withAbsent && !search ? sql`value = ''` : sql`0`;
  return allOf([there, anyOf([absent, allOf([sql`value != ''`, searched(dimension, search)])])]);
}

export function searched(dimension: Dimension, search: string | undefined): Sql {
  return search ? containsOneOf(sql`value`, formsOf(dimension, search)) : sql`1`;
}

/** @param pairs an array of values and whether each is of a pageview: those of one value come together */
export function runsOf(pairs: Sql): Sql {
  const split = sql`arraySplit((r, b) -> b, rs, arrayMap((v, p) -> v != p, rs.1, arrayPopBack(arrayPushFront(rs.1, ''))))`;
  const runs = sql`arrayMap(run -> (run[1].1, length(run), countEqual(run.2, 1), 0, 0), ${split})`;
  // A lambda of one value names what is used several times.
  return sql`arrayMap(rs -> ${runs}, [arraySort(${pairs})])[1]`;
}

const METRIC_ORDER: Record<Exclude<PageColumn, 'bounceRate' | 'visitDuration'>, Sql> = {
  visitors: sql`visitors`,
  visits: sql`visits`,
  pageviews: sql`pageviews`,
  events: sql`events`,
  viewsPerVisit: sql`if(visits = 0, 0, pageviews / visits)`,
  entries: sql`begun`,
  exits: sql`ended`,
  exitRate: sql`if(pageviews = 0, 0, ended / pageviews)`,
};

function orderBy({ by, means }: Order): Sql {
  if (by === 'value') return sql`0`;
  if (by === 'bounceRate')
    return means === 'page'
      ? sql`if(begun = 0, 0, begun_bounces / begun)`
      : sql`if(visits = 0, 0, bounces / visits)`;
  if (by === 'visitDuration') return sql`if(visits = 0, 0, duration / visits / 1000)`;
  return METRIC_ORDER[by];
}

const ROWS_MAX = 1_000_000_000;

/** The statement that counts the parts, each of a selection's visits with their matching events. */
export function countParts(scan: Scan, parts: readonly Part[], matching: Sql): Sql {
  const all = parts.map(({ tuples }, part) => sql`arrayMap(t -> (${part}, t), ${tuples})`);
  const ofPart = (make: (part: Part) => Sql, otherwise: Sql) =>
    parts.length === 0
      ? otherwise
      : sql`multiIf(${join(
          parts.map((part, index) => sql`part = ${index}, ${make(part)}`),
          ', ',
        )}, ${otherwise})`;
  const rank = ofPart(
    ({ order }) =>
      order ? sql`toFloat64(${order.descending ? sql`-` : sql``}(${orderBy(order)}))` : sql`toFloat64(0)`,
    sql`toFloat64(0)`,
  );
  const isBackwards = ofPart(
    ({ order }) => (order?.by === 'value' && order.descending ? sql`1` : sql`0`),
    sql`0`,
  );
  const place = sql`row_number() OVER (PARTITION BY part ORDER BY ${rank}, if(${isBackwards}, value_order, '') DESC, value_order)`;
  const isWithin = ofPart(
    ({ limit = ROWS_MAX, offset = 0 }) => sql`place > ${offset} AND place <= ${offset + limit}`,
    sql`0`,
  );
  const isShown = anyOf(parts.map(({ shown = sql`1` }, part) => sql`(part = ${part} AND ${shown})`));
  return sql`SELECT part, value, visitors, visits, pageviews, events, bounces, duration, begun, begun_bounces, begun_duration, ended, total, ${isWithin}
    FROM (SELECT *, ${place} AS place, count() OVER (PARTITION BY part) AS total FROM (
      SELECT t.1 AS part, t.2.1 AS value, ${inOrder(sql`value`)} AS value_order,
        uniqExactIf((website_key, visitor_id), t.2.2 > 0) AS visitors, countIf(t.2.2 > 0) AS visits,
        sum(t.2.3) AS pageviews, sum(t.2.2) AS events,
        countIf(t.2.2 > 0 AND is_bounce) AS bounces, sumIf(lasted, t.2.2 > 0) AS duration,
        sum(t.2.4) AS begun, countIf(t.2.4 AND is_bounce) AS begun_bounces, sumIf(lasted, t.2.4) AS begun_duration,
        sum(t.2.5) AS ended
      FROM (
        SELECT website_key, visitor_id, is_bounce, lasted, arrayJoin(arrayConcat(${join(all, ', ')})) AS t FROM (
          SELECT *, length(es) = 1 AND es[1].4 = 0 AS is_bounce, end_ms - start_ms AS lasted,
            arrayFilter(e -> ${matching}, es) AS ms
          FROM ${scan.visits()} WHERE notEmpty(ms)))
      GROUP BY part, value)
      WHERE ${isShown} AND (events > 0 OR begun > 0))
    WHERE place = 1 OR ${isWithin} ORDER BY part, place`;
}
