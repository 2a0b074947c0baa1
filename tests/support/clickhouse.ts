import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseServer, startDatabaseServer } from './database-server.ts';
import { freePort } from './free-port.ts';

export type ClickHouse = DatabaseServer & {
  /** Of a new, empty database, with user and password. */
  createDatabase(): Promise<string>;
  /** Of one that may not be there, for a user. */
  urlOf(database: string, user?: string): string;
  /** Sends a statement, as an administrator would. */
  command(sql: string): Promise<string>;
};

const USER = 'meter:secret%3A%2F%40';

/** Whether the engine is installed: it has builds for Linux with glibc and for macOS. */
export const hasClickHouse = existsSync(
  join(
    import.meta.dir,
    `../../node_modules/@chdb/lib-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`,
  ),
);
if (!hasClickHouse && process.env.CI) throw new Error('chdb is not installed: bun install.');
if (!hasClickHouse) console.log('Skipped what asks ClickHouse: chdb has no build for this machine.');

/** The engine of ClickHouse as a server, on data of its own, on a disk of its own where one is given. Whoever starts it stops it. */
export async function startClickHouse(disk?: string): Promise<ClickHouse> {
  const port = freePort();
  const address = `127.0.0.1:${port}`;
  const program = join(import.meta.dir, 'clickhouse-server.ts');
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
