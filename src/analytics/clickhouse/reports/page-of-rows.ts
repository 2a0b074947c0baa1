import { type Sql, sql } from '../../../log/clickhouse/sql.ts';
import type { ListPage } from '../../analytics.ts';

/**
 * Some rows of a list, and how many there are in all: the last two columns are whether a row is one of them, and the number.
 * The first row of all comes too, because it tells the number.
 */
export function pageOfRows(rows: Sql, order: Sql, { limit, offset }: ListPage): Sql {
  const isWithin = sql`place > ${offset} AND place <= ${offset + limit}`;
  return sql`SELECT * EXCEPT (place, count), ${isWithin}, count FROM (
    SELECT *, row_number() OVER (ORDER BY ${order}) AS place, count() OVER () AS count FROM (${rows}))
    WHERE place = 1 OR ${isWithin} ORDER BY place`;
}
