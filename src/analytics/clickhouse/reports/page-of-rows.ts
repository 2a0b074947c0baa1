import { type Sql, sql } from '../../../log/clickhouse/sql.ts';
import type { ListPage } from '../../interface/selection.ts';

/**
 * Selects a page of rows and the total number of rows. The last two columns are whether a row is on the page, and the
 * total. The first row is always included, to carry the total.
 */
export function pageOfRows(rows: Sql, order: Sql, { limit, offset }: ListPage): Sql {
  const isWithin = sql`place > ${offset} AND place <= ${offset + limit}`;
  return sql`SELECT * EXCEPT (place, count), ${isWithin}, count FROM (
    SELECT *, row_number() OVER (ORDER BY ${order}) AS place, count() OVER () AS count FROM (${rows}))
    WHERE place = 1 OR ${isWithin} ORDER BY place`;
}
