import { existsSync, renameSync, rmSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { fillDuckdb } from './duckdb-table.ts';

const THREADS = 2;

export type Duckdb = { connection: DuckDBConnection; close(): void };

/** The events of a loaded file in DuckDB. They are brought there once, and kept beside it. */
export async function openDuckdb(logPath: string): Promise<Duckdb> {
  const path = `${logPath}.duckdb`;
  if (!existsSync(path)) {
    const partPath = `${path}.part`;
    rmSync(partPath, { force: true });
    const { connection, close } = await open(partPath);
    await fillDuckdb(connection, logPath);
    close();
    renameSync(partPath, path);
  }
  return open(path);
}

async function open(path: string): Promise<Duckdb> {
  const instance = await DuckDBInstance.create(path, { threads: String(THREADS) });
  const connection = await instance.connect();
  return {
    connection,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
