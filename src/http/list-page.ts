import { LIST_ROWS_MAX, OFFSET_MAX } from '../vocabulary/contract.ts';
import type { Parameters } from './parameters.ts';

/** Which rows of a list are wanted. */
export type ListPage = { limit: number; offset: number };

/** A page of a list, and how many rows it has in all. */
export type Listed<Row> = { rows: Row[]; total: number };

export const WHOLE_LIST: ListPage = { limit: LIST_ROWS_MAX, offset: 0 };

/** Faults are left with the parameters. Without `limit` a list is answered whole: none has more rows than that. */
export function readListPage(parameters: Parameters): ListPage {
  return {
    limit: parameters.integer('limit', { min: 1, max: LIST_ROWS_MAX, absent: LIST_ROWS_MAX }),
    offset: parameters.integer('offset', { min: 0, max: OFFSET_MAX, absent: 0 }),
  };
}

/** How many rows a list has in all: counted only where the page does not tell. */
export async function toListed<Row>(
  rows: Row[],
  { limit, offset }: ListPage,
  count: () => Promise<number>,
): Promise<Listed<Row>> {
  const endsHere = rows.length < limit && (rows.length > 0 || offset === 0);
  return { rows, total: endsHere ? offset + rows.length : await count() };
}
