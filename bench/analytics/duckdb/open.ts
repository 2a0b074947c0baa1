import { DuckDBInstance } from '@duckdb/node-api';

const THREADS = 2;

/** A file of DuckDB. Loaded after the package is installed. */
export async function openFile(path: string) {
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
