import type { Client, InStatement, Row, Value } from '@libsql/client/sqlite3';
import { LOG_COLUMNS, type LogRow } from './read-event.ts';
import { REMOVAL_COLUMNS, type Removal, toRemoval } from './removals.ts';

/** Rows of the log in one answer; fewer when they are so long that the server refuses to send them. */
const ROWS_MAX = 2_000;
const ROWS_MIN = 50;
/** Records in one answer. One that names single events has up to 17 KB. */
const REMOVALS_MAX = 250;

/** The last event and the last removal that were read. */
type Position = { readUntilKey: number; removed: number };

/** What came next in a log on a server, as of one moment. */
export type Page = {
  /** The number of the log, and the greatest keys ever given out in it. */
  source: number;
  newestEvent: number;
  newestRemoval: number;
  /** The first list of events that are still to be erased. */
  erasure: number | undefined;
  removals: Removal[];
  /** No record came after these. */
  hasAllRemovals: boolean;
  rows: LogRow[];
  /** No row came after these. */
  isLast: boolean;
};

/** Reads on from a position, in one transaction. */
export function createPageReader(client: Client) {
  let rowsMax = ROWS_MAX;

  return async (position: Position): Promise<Page> => {
    for (;;) {
      try {
        const [found, removals, rows] = await client.batch(pageStatements(position, rowsMax), 'read');
        const source = found?.rows[0]?.source;
        const erasure = found?.rows[0]?.erasure;
        if (typeof source !== 'number') throw new Error('The log on the server has no number.');
        return {
          source,
          newestEvent: Number(found?.rows[0]?.event ?? 0),
          newestRemoval: Number(found?.rows[0]?.removal ?? 0),
          erasure: typeof erasure === 'number' ? erasure : undefined,
          removals: removals?.rows.map(toRemoval) ?? [],
          hasAllRemovals: (removals?.rows.length ?? 0) < REMOVALS_MAX,
          rows: rows?.rows.map(toLogRow) ?? [],
          isLast: (rows?.rows.length ?? 0) < rowsMax,
        };
      } catch (error) {
        if (!isTooLarge(error) || rowsMax <= ROWS_MIN) throw error;
        rowsMax = Math.max(ROWS_MIN, Math.floor(rowsMax / 4));
      }
    }
  };
}

function pageStatements({ readUntilKey, removed }: Position, rowsMax: number): InStatement[] {
  return [
    {
      sql: `SELECT (SELECT value FROM analytics_state WHERE name = 'log') AS source,
              (SELECT seq FROM sqlite_sequence WHERE name = 'events') AS event,
              (SELECT seq FROM sqlite_sequence WHERE name = 'removals') AS removal,
              (SELECT min(key) FROM erasures) AS erasure`,
      args: [],
    },
    {
      sql: `SELECT ${REMOVAL_COLUMNS} FROM removals WHERE key > ? ORDER BY key LIMIT ${REMOVALS_MAX}`,
      args: [removed],
    },
    {
      sql: `SELECT ${LOG_COLUMNS} FROM events WHERE key > ? ORDER BY key LIMIT ?`,
      args: [readUntilKey, rowsMax],
    },
  ];
}

export function toLogRow(row: Row): LogRow {
  return toCells(row) as LogRow; // the columns of LOG_COLUMNS
}

/** As the embedded database gives them. */
export function toCells(row: Row): (Value | Buffer)[] {
  return Array.from({ length: row.length }, (_, index) => {
    const value = row[index] ?? null;
    return value instanceof ArrayBuffer ? Buffer.from(value) : value;
  });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'RESPONSE_TOO_LARGE';
}
