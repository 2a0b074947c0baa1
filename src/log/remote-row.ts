import type { Row } from '@libsql/client/sqlite3';
import type { Cell } from './columns.ts';

/** The cells of a row as the embedded database gives them: bytes are a Buffer, where the client has an ArrayBuffer. */
export function cellsOf(row: Row): Cell[] {
  return Array.from({ length: row.length }, (_, index) => {
    const value = row[index] ?? null;
    if (typeof value === 'bigint') throw new Error('The client reads integers as numbers.');
    return value instanceof ArrayBuffer ? Buffer.from(value) : value;
  });
}
