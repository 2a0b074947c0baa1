import { join } from 'node:path';
import type { EventsServer } from '../../src/log/clickhouse/server.ts';
import { openEvents } from '../../src/storage/clickhouse.ts';
import { freePort } from '../../tests/support/free-port.ts';
import { installPackages } from '../../tests/support/install.ts';

const PROGRAM = join(import.meta.dir, '../../tests/clickhouse/engine.ts');

/** The engine on data that stay in a folder. */
export async function serveKept(
  folder: string,
): Promise<{ server: EventsServer; pid: number; stop(): Promise<void> }> {
  installPackages('tests/clickhouse');
  const port = freePort();
  const child = Bun.spawn([process.execPath, PROGRAM, String(port), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Stops the server however the bench ends.
  process.on('exit', () => child.kill('SIGKILL'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/ping`).then(
      () => true,
      () => false,
    ))
  )
    await Bun.sleep(20);
  await fetch(url, { method: 'POST', body: 'CREATE DATABASE IF NOT EXISTS bench' });
  return {
    server: await openEvents({ url: `${url}/bench`, caFile: undefined }),
    pid: child.pid,
    async stop() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}
