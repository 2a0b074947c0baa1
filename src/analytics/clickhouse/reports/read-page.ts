import type { EventsServer } from '../../../log/clickhouse/server.ts';
import { type Sql, sql } from '../../../log/clickhouse/sql.ts';
import type { List, ListPage } from '../../interface/selection.ts';

/** Reads one page of a statement's rows, and their total number. */
export async function readPage<Row extends readonly unknown[]>(
  server: EventsServer,
  rows: Sql,
  { order, page: { limit, offset } }: { order: Sql; page: ListPage },
): Promise<List<Row>> {
  const isWithin = sql`place > ${offset} AND place <= ${offset + limit}`;
  // The first row is always included, to carry the total.
  const found = await server.read<[isWithin: number, total: number, ...Row]>(
    sql`SELECT ${isWithin}, count, * EXCEPT (place, count) FROM (
    SELECT *, row_number() OVER (ORDER BY ${order}) AS place, count() OVER () AS count FROM (${rows}))
    WHERE place = 1 OR ${isWithin} ORDER BY place`,
  );
  return {
    rows: found.filter(([isOnPage]) => isOnPage).map(([, , ...row]) => row as unknown as Row), // what follows the two
    total: found[0]?.[1] ?? 0,
  };
}
