import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type DatabaseServer = {
  /** Takes connections and answers nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** As `kill -9` does it. The data stay. */
  kill(): Promise<void>;
  /** Once more on the same data and the same address, after `kill`. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

type Program = {
  name: string;
  /** @param folder for its data; empty at first, removed by `stop` */
  toCommand(folder: string): string[];
  /** Answers 200 as soon as it can be used. */
  healthUrl: string;
  /** Where the folder is made. */
  disk?: string;
};

const START_MS_MAX = 60_000;

/** A server in a process and on data of its own. The caller stops it. */
export async function startDatabaseServer({
  name,
  toCommand,
  healthUrl,
  disk = tmpdir(),
}: Program): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(disk, `pagemeter-${name}-`));
  const command = toCommand(folder);
  let server = await spawn();

  async function spawn() {
    const child = Bun.spawn(command, { stdio: ['ignore', 'ignore', 'ignore'] });
    await waitUntilHealthy(name, healthUrl);
    return child;
  }

  async function kill(): Promise<void> {
    server.kill('SIGKILL');
    await server.exited;
  }

  return {
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    kill,
    async start() {
      server = await spawn();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function waitUntilHealthy(name: string, url: string): Promise<void> {
  for (const beganMs = performance.now(); performance.now() - beganMs < START_MS_MAX; await Bun.sleep(20)) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
  }
  throw new Error(`${name} did not start.`);
}
