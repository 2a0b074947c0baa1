import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

export type ClickHouse = {
  /** Of a new, empty database, with user and password. */
  createDatabase(): Promise<string>;
  /** Of one that may not be there, for a user. */
  urlOf(database: string, user?: string): string;
  /** Sends a statement, as an administrator would. */
  command(sql: string): Promise<string>;
  /** Takes connections and answers nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** As `kill -9` does it. The data stay. */
  kill(): Promise<void>;
  /** Once more on the same data and the same address, after `kill`. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

const START_MS_MAX = 60_000;
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

/** The engine of ClickHouse as a server, on data of its own. Whoever starts it stops it. */
export async function startClickHouse(): Promise<ClickHouse> {
  const folder = mkdtempSync(join(tmpdir(), 'pagemeter-clickhouse-'));
  const address = `127.0.0.1:${freePort()}`;
  let databases = 0;
  let server = spawn();
  await waitUntilReady();

  function spawn() {
    const program = join(import.meta.dir, 'clickhouse-server.ts');
    const [, port = ''] = address.split(':');
    return Bun.spawn([process.execPath, program, port, join(folder, 'data')], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  }

  async function waitUntilReady(): Promise<void> {
    for (const beganMs = performance.now(); performance.now() - beganMs < START_MS_MAX; await Bun.sleep(20))
      if (
        await fetch(`http://${address}/ping`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return;
    throw new Error('ClickHouse did not start.');
  }

  async function command(sql: string): Promise<string> {
    const response = await fetch(`http://${address}/`, { method: 'POST', body: sql });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }

  const urlOf = (database: string, user = USER) => `http://${user}@${address}/${database}`;
  return {
    urlOf,
    command,
    async createDatabase() {
      databases += 1;
      const name = `d${databases}`;
      await command(`CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    async kill() {
      server.kill('SIGKILL');
      await server.exited;
    },
    async start() {
      server = spawn();
      await waitUntilReady();
    },
    async stop() {
      server.kill('SIGKILL');
      await server.exited;
      rmSync(folder, { recursive: true });
    },
  };
}
