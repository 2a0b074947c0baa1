import { existsSync, renameSync, rmSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { installPackages } from '../../tests/support/install.ts';
import { fillDuckdb } from './duckdb-table.ts';

export type Duckdb = { connection: DuckDBConnection; close(): void };

/** The events of a loaded file in DuckDB. They are copied once, and kept next to the file. */
export async function openDuckdb(logPath: string): Promise<Duckdb> {
  installPackages('bench/analytics/duckdb');
  const { openFile } = await import('./duckdb/open.ts');
  const path = `${logPath}.duckdb`;
  if (!existsSync(path)) {
    const partPath = `${path}.part`;
    rmSync(partPath, { force: true });
    const { connection, close } = await openFile(partPath);
    await fillDuckdb(connection, logPath);
    close();
    renameSync(partPath, path);
  }
  return openFile(path);
}
