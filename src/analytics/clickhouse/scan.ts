import { allOf, anyOf, fieldsOf, isOneOf, join, type Sql, sql } from '../../log/clickhouse/sql.ts';
import {
  type ClientDimension,
  COUNTED_BY,
  type Dimension,
  type EVENT_DIMENSIONS,
  ORIGIN_DIMENSIONS,
  type OriginDimension,
  SCREEN_SIZES,
  VISIT_GAP_MS,
  VISITOR_TYPES,
} from '../../vocabulary/analytics.ts';
import { EVENT_FLAGS, EVENT_TYPES } from '../../vocabulary/contract.ts';
import { SCREEN } from '../derive/screen-size.ts';
import { propertyKeyOf } from '../dimensions.ts';
import type { Filter, Selection } from '../interface/selection.ts';
import { refuseLonger } from './cuts.ts';
import { originColumn } from './derived.ts';
import type { ReadWindow } from './read-window.ts';
import { testText } from './text-test.ts';

/**
 * Columns that the tuple of an event always begins with, and by which events are sorted. Two processes may give two
 * events of one instant the same key; then their ids decide, in every question.
 */
const ALWAYS = { at: sql`created_at_ms`, key: sql`key`, id: sql`id`, type: sql`type` };

/** Names the elements of a tuple of an event, or of an array of them. */
export function fieldsOfEvent(event: Sql): Record<keyof typeof ALWAYS, Sql> {
  return fieldsOf(event, Object.keys(ALWAYS) as (keyof typeof ALWAYS)[]);
}

/** Position of an event among those of its visitor. */
export function positionOf(event: Sql): Sql {
  const { at, key } = fieldsOfEvent(event);
  return sql`(${at}, ${key})`;
}

/** The event `e` of a condition. */
export const EVENT = fieldsOfEvent(sql`e`);
export const { at: AT, type: TYPE } = EVENT;

/** First and last event of a visit. */
export const FIRST = sql`es[1]`;
export const LAST = sql`es[-1]`;

/** Columns of an event's dimensions. Its type is always in the tuple. */
const EVENT_COLUMNS: Record<Exclude<(typeof EVENT_DIMENSIONS)[number], 'eventType'>, Sql> = {
  page: sql`page`,
  hostname: sql`CAST(hostname, 'String')`,
  event: sql`CAST(name, 'String')`,
};

function isEventColumn(dimension: string): dimension is keyof typeof EVENT_COLUMNS {
  return dimension in EVENT_COLUMNS;
}

/** Columns whose name differs from the dimension's. */
const CLIENT_COLUMNS: Partial<Record<ClientDimension, string>> = {
  country: 'location',
  deviceType: 'device_type',
  browserVersion: 'browser_version',
  osVersion: 'os_version',
  screenSize: screenSizeOf('screen'),
  countedBy: `if(bitAnd(flags, ${EVENT_FLAGS.anonymous}) = 0, '${COUNTED_BY[0]}', '${COUNTED_BY[1]}')`,
};

/** As derive/screen-size has it. */
function screenSizeOf(column: string): string {
  const width = `toUInt32OrZero(extract(ifNull(${column}, ''), '${SCREEN.source}'))`;
  const sizes = Object.entries(SCREEN_SIZES)
    .toReversed()
    .map(([name, from]) => `${width} >= ${Math.max(from, 1)}, '${name}'`);
  return `multiIf(${sizes.join(', ')}, '')`;
}

/**
 * Reads visits for one statement: first request columns of events and facts of visits, then the rows. Each row is a visit
 * with its events in an array, in order. Only requested columns are read.
 */
export type Scan = {
  /** Adds a column of the table, or an expression of columns, to the tuple `e` of an event. */
  column(expression: Sql): Sql;
  /** Returns the text of a dimension for the event `e`; empty when absent. */
  value(dimension: Dimension): Sql;
  /** Returns whether the event `e` passes a filter. */
  passes(filter: Filter): Sql;
  /** Returns whether `e` is a matching event of a selection. */
  matches(selection: Pick<Selection, 'fromMs' | 'toMs' | 'filter'>): Sql;
  /**
   * Returns rows of visits with the columns website_key; visitor_id; class; visitor, an identifier for counting visitors;
   * es, the events; visit, which identifies the visit among those of its visitor; start_ms; end_ms; and the requested
   * facts.
   */
  visits(): Sql;
};

/** @param only condition for which of the readable rows are read */
export function createScan(window: ReadWindow, only: Sql = sql`1`): Scan {
  const { rows, cuts, hasOneClass } = window;
  const places = new Map<string, { place: number; expression: Sql }>();
  const facts = new Map<string, { name: string; expression: Sql }>();
  /**
   * Conditions on whole visits, by nesting depth: a condition on a visit, or on its visitor's first visit, may depend on
   * others.
   */
  const done: { name: string; condition: Sql; isOfFirst: boolean }[][] = [];
  let names = 0;
  for (const expression of Object.values(ALWAYS)) column(expression);

  return { column, value, passes, matches, visits };

  function column(expression: Sql): Sql {
    return sql`e.${placeOf(expression)}`;
  }

  function placeOf(expression: Sql): number {
    const known = places.get(expression.text);
    if (known) return known.place;
    const place = places.size + 1;
    places.set(expression.text, { place, expression });
    return place;
  }

  function fact(expression: Sql): Sql {
    const known = facts.get(expression.text) ?? { name: `f${facts.size}`, expression };
    facts.set(expression.text, known);
    return { text: known.name };
  }

  function value(dimension: Dimension): Sql {
    const key = propertyKeyOf(dimension);
    if (key !== undefined) return column(sql`property_values[indexOf(property_keys, ${key})]`);
    if (isEventColumn(dimension)) return column(EVENT_COLUMNS[dimension]);
    if (dimension === 'eventType') return sql`${EVENT_TYPES}[${TYPE} + 1]`;
    if (dimension === 'visitorType')
      return fact(sql`if(visit = first_visit, ${VISITOR_TYPES[0]}, ${VISITOR_TYPES[1]})`);
    const page = placeOf(sql`page`);
    if (dimension === 'entryPage') return fact(sql`arrayFirst(e -> ${TYPE} = 0, es).${page}`);
    if (dimension === 'exitPage') return fact(sql`arrayLast(e -> ${TYPE} = 0, es).${page}`);
    // The other dimensions are of the first event.
    return fact(sql`es[1].${placeOf(firstEventColumn(dimension as OriginDimension | ClientDimension))}`);
  }

  function passes(filter: Filter): Sql {
    return compile(filter).condition;
  }

  /** `depth`: number of nested conditions on whole visits that it needs. */
  function compile(filter: Filter): { condition: Sql; depth: number } {
    switch (filter.op) {
      case 'and':
      case 'or': {
        const parts = filter.filters.map(compile);
        const conditions = parts.map(({ condition }) => condition);
        return {
          condition: filter.op === 'and' ? allOf(conditions) : anyOf(conditions),
          depth: Math.max(0, ...parts.map(({ depth }) => depth)),
        };
      }
      case 'not': {
        const { condition, depth } = compile(filter.filter);
        return { condition: sql`NOT ${condition}`, depth };
      }
      case 'website':
        return { condition: isOneOf(sql`website_key`, filter.websiteKeys), depth: 0 };
      case 'first_seen':
        return { condition: sql`(seen_ms >= ${filter.fromMs} AND seen_ms < ${filter.toMs})`, depth: 0 };
      case 'has_done':
      case 'first_visit': {
        const { condition, depth } = compile(filter.filter);
        const name = `h${names}`;
        names += 1;
        done[depth] = [...(done[depth] ?? []), { name, condition, isOfFirst: filter.op === 'first_visit' }];
        return { condition: { text: name }, depth: depth + 1 };
      }
      case 'match':
        return { condition: testText(value(filter.dimension), filter), depth: 0 };
    }
  }

  function matches({ fromMs, toMs, filter }: Pick<Selection, 'fromMs' | 'toMs' | 'filter'>): Sql {
    const inside = sql`${AT} >= ${fromMs} AND ${AT} < ${toMs}`;
    return filter ? sql`${inside} AND ${passes(filter)}` : inside;
  }

  function visits(): Sql {
    const isCut = cuts !== undefined && cuts.length > 0;
    const begins = isCut
      ? sql`d > ${VISIT_GAP_MS} OR ${column(sql`id`)} IN (${join(
          cuts.map((id) => sql`toUUID(${id})`),
          ', ',
        )})`
      : sql`d > ${VISIT_GAP_MS}`;
    const tuple = join(
      [...places.values()].map(({ expression }) => expression),
      ', ',
    );
    // A number is counted faster than an id. A visitor of two classes has two rows.
    const visitor = hasOneClass ? sql`rowNumberInAllBlocks()` : sql`(website_key, visitor_id)`;
    const isWhole = cuts === undefined ? refuseLonger(sql`es`, window) : sql`1`;
    const own = [...facts.values()].map(({ name, expression }) => sql`, ${expression} AS ${{ text: name }}`);
    const perVisitor = sql`SELECT website_key, visitor_id, class, ${visitor} AS visitor,
        arraySort(groupArray((${tuple}))) AS whole
      FROM events
      WHERE ${rows} AND ${only}
      GROUP BY website_key, visitor_id, class`;
    const perVisit = sql`SELECT website_key, visitor_id, class, visitor, ${fieldsOfEvent(sql`whole[1]`).at} AS seen_ms,
        ${positionOf(sql`whole[1]`)} AS first_visit,
        arrayJoin(arraySplit((e, d) -> ${begins}, whole, arrayDifference(${fieldsOfEvent(sql`whole`).at}))) AS es
      FROM (${perVisitor})`;
    let from = sql`(SELECT website_key, visitor_id, class, visitor, es, ${positionOf(FIRST)} AS visit,
        ${fieldsOfEvent(FIRST).at} AS start_ms, ${fieldsOfEvent(LAST).at} AS end_ms, seen_ms, first_visit${join(own, ' ')}
      FROM (${perVisit})
      WHERE ${isWhole})`;
    for (const layer of done) {
      const columns = layer.map(({ name, condition, isOfFirst }) => {
        const hasDone = sql`arrayExists(e -> ${condition}, es)`;
        // Passes the result of the first visit on to each visit of the visitor.
        const passed = isOfFirst
          ? sql`max(visit = first_visit AND ${hasDone}) OVER (PARTITION BY website_key, visitor_id, class)`
          : hasDone;
        return sql`, ${passed} AS ${{ text: name }}`;
      });
      from = sql`(SELECT *${join(columns, ' ')} FROM ${from})`;
    }
    return from;
  }
}

/** Returns a column of a visit's first event. */
function firstEventColumn(dimension: OriginDimension | ClientDimension): Sql {
  const isOrigin = (ORIGIN_DIMENSIONS as readonly string[]).includes(dimension);
  const name = isOrigin
    ? originColumn(dimension as OriginDimension)
    : (CLIENT_COLUMNS[dimension as ClientDimension] ?? dimension);
  return { text: `CAST(ifNull(${name}, ''), 'String')` };
}
