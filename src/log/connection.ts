import type { Client } from '@libsql/client/sqlite3';
import { withBusyRetry } from '../db/busy.ts';
import { inTransaction } from '../db/in-transaction.ts';
import type { LocalDatabase } from '../db/local-database.ts';
import { sendPatiently } from '../db/send-patiently.ts';
import type { Cell } from './columns.ts';
import { cellsOf } from './remote-row.ts';

export type Statement = { sql: string; args: Cell[] };
/** The rows of a statement; none of one that returns nothing. */
export type Rows = Cell[][];

/** Connection of followers of the log: several statements in one transaction. */
export type LogConnection = {
  read(statements: readonly Statement[]): Promise<Rows[]>;
  /** May be carried out twice, when the first answer of a server is lost. */
  write(statements: readonly Statement[]): Promise<Rows[]>;
  /** Asks for so many rows, or for fewer when the answer would be too long. */
  readSome<Answer>(rowsMax: number, ask: (rows: number) => Promise<Answer>): Promise<Answer>;
};

export function connectLocal(database: LocalDatabase): LogConnection {
  /** The statements are a few constant texts. */
  const prepared = new Map<string, (args: Cell[]) => Rows>();

  function prepare(sql: string): (args: Cell[]) => Rows {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    // `raw` returns bytes as a Buffer. `all` runs to the end; `get` would keep reading.
    const rows = sql.startsWith('SELECT') ? statement.raw() : undefined;
    const run = (args: Cell[]): Rows => {
      if (rows) return rows.all(args) as unknown as Rows; // cells are what SQLite has
      statement.run(args);
      return [];
    };
    prepared.set(sql, run);
    return run;
  }

  const transact = (mode: 'read' | 'write', statements: readonly Statement[]) =>
    withBusyRetry(() =>
      inTransaction(database, mode, () => statements.map(({ sql, args }) => prepare(sql)(args))),
    );

  return {
    read: (statements) => transact('read', statements),
    write: (statements) => transact('write', statements),
    readSome: (rowsMax, ask) => ask(rowsMax),
  };
}

const ROWS_MIN = 50;

export function connectRemote(client: Client): LogConnection {
  let rowsBound = Number.POSITIVE_INFINITY;

  async function transact(mode: 'read' | 'write', statements: readonly Statement[]): Promise<Rows[]> {
    const results = await client.batch([...statements], mode);
    return results.map(({ rows }) => rows.map(cellsOf));
  }

  return {
    read: (statements) => transact('read', statements),
    write: (statements) => sendPatiently(() => transact('write', statements)),
    async readSome(rowsMax, ask) {
      for (;;) {
        const rows = Math.min(rowsMax, rowsBound);
        try {
          return await ask(rows);
        } catch (error) {
          if (!isTooLarge(error) || rows <= ROWS_MIN) throw error;
          rowsBound = Math.max(ROWS_MIN, Math.floor(rows / 2));
        }
      }
    },
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'RESPONSE_TOO_LARGE';
}
