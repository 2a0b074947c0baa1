import { fieldsOf, type Sql, sql } from '../../../log/clickhouse/sql.ts';
import { toEventType } from '../../../log/event-type.ts';
import type { Matched } from '../../interface/people.ts';
import type { Selection } from '../../interface/selection.ts';
import { REVENUE } from '../derived.ts';
import { AT, EVENT, type Scan, TYPE } from '../scan.ts';

/** Position that is unique to an event `e`. */
export const UNIQUE_POSITION = sql`(${AT}, ${EVENT.key}, ${EVENT.id})`;

/** Columns about the matching events of a session or a visitor: `latest` is the position of the last one. */
export type MatchedCells = [
  matching: number,
  latest: [atMs: number, key: number, id: string],
  last: [type: number, page: string, name: string],
  takings: [currencies: string[], minor: string[], events: number[]],
];

/** Returns whether `e` is in the range. */
export function isInside({ fromMs, toMs }: Pick<Selection, 'fromMs' | 'toMs'>): Sql {
  return sql`${AT} >= ${fromMs} AND ${AT} < ${toMs}`;
}

/** @returns whether an event `e` matches, and the columns of MatchedCells, which read that as `is_match` */
export function matchedOf(scan: Scan, request: Selection): { isMatch: Sql; matched: Sql } {
  const [page, name] = [scan.value('page'), scan.value('event')];
  const [state, currency, minor] = [
    scan.column(sql`revenue`),
    scan.column(sql`CAST(currency, 'String')`),
    scan.column(sql`minor`),
  ];
  const isMoney = sql`is_match AND ${state} = ${REVENUE.amount}`;
  const S = fieldsOf(sql`sumMapIf([${currency}], [toInt128(${minor})], [toUInt32(1)], ${isMoney})`, [
    'currencies',
    'minor',
    'events',
  ]);
  return {
    isMatch: scan.matches(request),
    matched: sql`countIf(is_match) AS matching, maxIf(${UNIQUE_POSITION}, is_match) AS latest,
      argMaxIf((${TYPE}, ${page}, ${name}), ${UNIQUE_POSITION}, is_match) AS last_match,
      (${S.currencies}, arrayMap(one -> toString(one), ${S.minor}), ${S.events}) AS takings`,
  };
}

/** @param cells the last of a row: MatchedCells */
export function toMatched({ filter }: Selection, cells: readonly unknown[]): { matched?: Matched } {
  if (!filter) return {};
  const [events, [lastAtMs], [type, page, name], [currencies, minor, counts]] = cells as MatchedCells;
  return {
    matched: {
      events,
      lastAtMs,
      eventType: toEventType(type),
      page: page || null,
      name: name || null,
      revenue: currencies.map((currency, index) => ({
        currency,
        minor: BigInt(minor[index] ?? 0),
        events: counts[index] ?? 0,
      })),
    },
  };
}
