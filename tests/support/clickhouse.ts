import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseServer, startDatabaseServer } from './database-server.ts';
import { freePort } from './free-port.ts';

export type ClickHouse = DatabaseServer & {
  /** URL of a new, empty database, with user and password. */
  createDatabase(): Promise<string>;
  /** URL of a database that may not exist, for a user. */
  urlOf(database: string, user?: string): string;
  /** Sends a statement, as an administrator would. */
  command(sql: string): Promise<string>;
};

const USER = 'meter:secret%3A%2F%40';

/** Path of the engine's library, which has builds for Linux with glibc and for macOS. */
const LIBRARY = join(
  import.meta.dir,
  `../clickhouse/node_modules/@chdb/lib-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`,
);
export const hasClickHouse = existsSync(LIBRARY);
if (!hasClickHouse) {
  const sentence = 'The tests on ClickHouse need chdb: bun install --cwd tests/clickhouse';
  if (process.env.CI) throw new Error(sentence);
  console.warn(sentence);
}

/**
 * The engine of ClickHouse as a server, on data of its own, on a disk of its own where one is given. The caller stops
 * it.
 */
export async function startClickHouse(disk?: string): Promise<ClickHouse> {
  const port = freePort();
  const address = `127.0.0.1:${port}`;
  const program = join(import.meta.dir, '../clickhouse/engine.ts');
  const server = await startDatabaseServer({
    name: 'clickhouse',
    toCommand: (folder) => [process.execPath, program, String(port), join(folder, 'data')],
    healthUrl: `http://${address}/ping`,
    ...(disk !== undefined && { disk }),
  });
  let databases = 0;

  async function command(sql: string): Promise<string> {
    const response = await fetch(`http://${address}/`, { method: 'POST', body: sql });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }

  const urlOf = (database: string, user = USER) => `http://${user}@${address}/${database}`;
  return {
    ...server,
    urlOf,
    command,
    async createDatabase() {
      databases += 1;
      const name = `d${databases}`;
      await command(`CREATE DATABASE ${name}`);
      return urlOf(name);
    },
  };
}
