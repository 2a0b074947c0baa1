import { allOf, anyOf, fieldsOf, isOneOf, join, type Sql, sql } from '../../log/clickhouse/sql.ts';
import type { Dimension } from '../../vocabulary/analytics.ts';
import { formsOf } from '../derive/forms.ts';
import { isVisitDimension } from '../dimensions.ts';
import type { PageColumn } from '../interface/pages.ts';
import type { Breakdown } from '../interface/query.ts';
import { AT, FIRST, fieldsOfEvent, type Scan } from './scan.ts';
import { containsOneOf, inOrder } from './text-test.ts';

/**
 * A part of an answer: groups of matching events by value. Several parts are counted in one statement, so that visits are
 * cut once, and all parts use one snapshot.
 *
 * Each visit yields a tuple for each value that it has in each part. For the part of pages, a visit that sees /a, /b and /a
 * again yields: /a for the first time, with a pageview; /b for the first time, with a pageview; /a with another pageview;
 * the visit begins with /a; the visit ends with /a. The tuples of all visits are then grouped by part and value.
 */
export type Part = {
  /**
   * Computes tuples from the columns of a visit, `ms` (its matching events) and `views` (how many of them are pageviews).
   */
  toTuples: (part: number) => Tuples;
  /** Values that have a row. Default: all. */
  shown?: Sql;
  order?: Order;
  limit?: number;
  offset?: number;
};
/** Single tuples of all parts share one array: an array for each part took a fifth longer in total. */
type Tuples = { single?: readonly Sql[]; arrays?: readonly Sql[] };
/** Visits over which a value's means are taken: all of its visits, or for `page` and `begun` those that begin with it. */
export type Means = 'all' | 'page' | 'begun';
type Order = { by: PageColumn | 'value'; descending: boolean; means: Means };

type PartFields = {
  value: Sql;
  /** Whether the visit counts for this tuple, rather than for an earlier one of the same value. */
  isFirst?: Sql;
  events?: Sql;
  pageviews?: Sql;
  /** Whether the visit begins, or ends, with the value. */
  begins?: Sql;
  ends?: Sql;
};

const ZERO = sql`0`;

function toTuple(part: number, fields: PartFields): Sql {
  const { value, isFirst = ZERO, events = ZERO, pageviews = ZERO, begins = ZERO, ends = ZERO } = fields;
  return sql`(${part}, ${value}, ${isFirst}, ${events}, ${pageviews}, ${begins}, ${ends})`;
}
const T = fieldsOf(sql`t`, ['part', 'value', 'isFirst', 'events', 'pageviews', 'begins', 'ends']);

/** Groups by a value of the visit, which all of its matching events share. */
export function ofVisit(value: Sql): Part['toTuples'] {
  const fields = { value, isFirst: sql`1`, events: sql`length(ms)`, pageviews: sql`views` };
  return (part) => ({ single: [toTuple(part, fields)] });
}

/** Groups by a value of each event. @param values one for each of `types` */
export function ofEvents(values: Sql, types: Sql): Part['toTuples'] {
  const fields = { value: sql`v`, isFirst: sql`n = 1`, events: sql`1`, pageviews: sql`type = 0` };
  const array = (part: number) =>
    sql`arrayMap((v, n, type) -> ${toTuple(part, fields)}, ${values}, arrayEnumerateUniq(${values}), ${types})`;
  return (part) => ({ arrays: [array(part)] });
}

/** Groups all matching events together. */
export function wholePart(): Part {
  return { toTuples: ofVisit(sql`''`) };
}

/** Groups the matching events that meet a condition. */
export function conditionPart(condition: Sql): Part {
  const fields = {
    value: sql`''`,
    isFirst: sql`notEmpty(own)`,
    events: sql`length(own)`,
    pageviews: sql`countEqual(${fieldsOfEvent(sql`own`).type}, 0)`,
  };
  return {
    toTuples: (part) => ({
      arrays: [sql`arrayMap(own -> ${toTuple(part, fields)}, [arrayFilter(e -> ${condition}, ms)])`],
    }),
  };
}

/** Groups by bucket of a series. A visit that begins before the range begins in no bucket. */
export function seriesPart(
  bounds: readonly number[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Part {
  const [first = 0, last = 0] = [bounds[0], bounds.at(-1)];
  const point = (instant: Sql) => sql`toString(roundDown(${instant}, ${bounds.map(toInstant)}))`;
  const within = (instant: Sql) => sql`${instant} >= ${first} AND ${instant} < ${last}`;
  const events = first <= fromMs && last >= toMs ? sql`ms` : sql`arrayFilter(e -> ${within(AT)}, ms)`;
  const points = ofEvents(sql`arrayMap(e -> ${point(AT)}, ${events})`, fieldsOfEvent(events).type);
  const begins = sql`start_ms >= ${fromMs} AND ${within(sql`start_ms`)}`;
  return {
    toTuples: (part) => ({
      ...points(part),
      single: [toTuple(part, { value: point(sql`start_ms`), begins })],
    }),
  };
}

function toInstant(ms: number): Sql {
  return sql`toInt64(${ms})`;
}

/** Groups by value of a dimension. */
export function dimensionPart(scan: Scan, breakdown: Breakdown): Part {
  const { dimension, limit, offset, sort } = breakdown;
  const means = dimension === 'page' ? 'page' : 'all';
  return {
    toTuples: tuplesOf(scan, dimension),
    shown: shownOf(breakdown),
    order: { ...(sort ?? { by: 'visitors', descending: true }), means },
    limit,
    ...(offset !== undefined && { offset }),
  };
}

function tuplesOf(scan: Scan, dimension: Dimension): Part['toTuples'] {
  const value = scan.value(dimension);
  const isOfVisits: boolean = isVisitDimension(dimension);
  if (isOfVisits) return ofVisit(value);
  const own = ofEvents(sql`arrayMap(e -> ${value}, ms)`, fieldsOfEvent(sql`ms`).type);
  if (dimension !== 'page') return own;
  const [entry, exit] = [scan.value('entryPage'), scan.value('exitPage')];
  return (part) => ({
    ...own(part),
    single: [toTuple(part, { value: entry, begins: sql`1` }), toTuple(part, { value: exit, ends: sql`1` })],
  });
}

function shownOf({ dimension, search, withAbsent = false, only }: Breakdown): Sql {
  const value = sql`value`;
  // A page where visits begin may have no matching events.
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

function searched(dimension: Dimension, search: string | undefined): Sql {
  return search ? containsOneOf(sql`value`, formsOf(dimension, search)) : sql`1`;
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

/** Combines an expression of each part into one over `part`. Parts with the same expression share it. */
function ofParts(parts: readonly Part[], make: (part: Part) => Sql): Sql {
  const byText = Map.groupBy(parts.keys(), (index) => make(parts[index] as Part).text);
  const [[last = '0'] = [], ...others] = [...byText].reverse();
  if (others.length === 0) return { text: last };
  const cases = others.map(([text, own]) => sql`${isOneOf(sql`part`, own)}, ${{ text }}`);
  return sql`multiIf(${join(cases, ', ')}, ${{ text: last }})`;
}

/** Returns the statement that counts the parts over a selection's visits and matching events. */
export function countParts(scan: Scan, parts: readonly Part[], matching: Sql): Sql {
  const all = parts.map(({ toTuples }, part) => toTuples(part));
  const single = all.flatMap((tuples) => tuples.single ?? []);
  const arrays = all.flatMap((tuples) => tuples.arrays ?? []);
  const tuples = join([...(single.length > 0 ? [sql`${single}`] : []), ...arrays], ', ');
  const rank = ofParts(parts, ({ order }) =>
    order ? sql`${order.descending ? sql`-` : sql``}toFloat64(${orderBy(order)})` : sql`0`,
  );
  const backwards = ofParts(parts, ({ order }) =>
    order?.by === 'value' && order.descending ? sql`value_order` : sql`''`,
  );
  const place = sql`row_number() OVER (PARTITION BY part ORDER BY ${rank}, ${backwards} DESC, value_order)`;
  const isShown = ofParts(parts, ({ shown = sql`events > 0 OR begun > 0` }) => shown);
  const [first, last] = [Math.min(...parts.map(startOf)), Math.max(...parts.map(endOf))];
  const perVisit = sql`SELECT *, countEqual(${fieldsOfEvent(sql`ms`).type}, 0) AS views FROM (
    SELECT *, length(es) = 1 AND ${fieldsOfEvent(FIRST).type} = 0 AS is_bounce, end_ms - start_ms AS lasted,
      arrayFilter(e -> ${matching}, es) AS ms
    FROM ${scan.visits()} WHERE notEmpty(ms))`;
  const perTuple = sql`SELECT visitor, is_bounce, lasted, arrayJoin(arrayConcat(${tuples})) AS t FROM (${perVisit})`;
  const perValue = sql`SELECT ${T.part} AS part, ${T.value} AS value, ${inOrder(sql`value`)} AS value_order,
      uniqExactIf(visitor, ${T.isFirst}) AS visitors, sum(${T.isFirst}) AS visits,
      sum(${T.pageviews}) AS pageviews, sum(${T.events}) AS events,
      countIf(${T.isFirst} AND is_bounce) AS bounces, sumIf(lasted, ${T.isFirst}) AS duration,
      sum(${T.begins}) AS begun, countIf(${T.begins} AND is_bounce) AS begun_bounces,
      sumIf(lasted, ${T.begins}) AS begun_duration, sum(${T.ends}) AS ended
    FROM (${perTuple}) GROUP BY part, value`;
  const placed = sql`SELECT *, ${place} AS place, count() OVER (PARTITION BY part) AS total
    FROM (${perValue}) WHERE ${isShown}`;
  return sql`SELECT part, value, visitors, visits, pageviews, events, bounces, duration,
      begun, begun_bounces, begun_duration, ended, total, place
    FROM (${placed})
    WHERE place = 1 OR (place > ${first} AND place <= ${last}) ORDER BY part, place`;
}

const ROWS_MAX = 1_000_000_000;

/** Returns the rank of a part's first requested row. */
export function startOf({ offset = 0 }: Part): number {
  return offset;
}

/** Returns the rank after a part's last requested row. */
export function endOf({ offset = 0, limit = ROWS_MAX }: Part): number {
  return offset + limit;
}
