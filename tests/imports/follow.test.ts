import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnCommand } from '../support/command.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

setDefaultTimeout(60_000);

const dataDir = createDataDir();
const environment = { DATA_DIR: dataDir.path };
const log = join(dataDir.path, 'access.log');
let service: ServiceProcess;
let headers: Record<string, string> = { 'Content-Type': 'application/json' };
let website: { id: string; trackingCode: string };

let second = 0;
const line = (path: string) => {
  second += 1;
  return `192.0.2.7 - - [01/Oct/2026:10:00:${String(second).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" 200 1 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"\n`;
};

async function api(method: string, path: string, body?: object) {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json();
}

/** Waits until the pages are stored, in this order. */
async function until(pages: string[]): Promise<void> {
  for (;;) {
    const { events } = (await api('GET', `/events?trackingCode=${website.trackingCode}`)) as {
      events: { url: string }[];
    };
    const found = events.map(({ url }) => new URL(url).pathname).toReversed();
    if (Bun.deepEquals(found, pages)) return;
    expect(found.length).toBeLessThanOrEqual(pages.length);
    await Bun.sleep(100);
  }
}

const follow = () => spawnCommand(environment, 'import', log, '--website', 'example.com', '--follow');

beforeAll(async () => {
  service = await startProcess(environment);
  const account = { email: 'you@example.com', password: 'Correct-horse-9' };
  const { tokens } = (await api('POST', '/auth/register', account)) as { tokens: { accessToken: string } };
  headers = { ...headers, Authorization: `Bearer ${tokens.accessToken}` };
  website = (await api('POST', '/websites', {
    name: 'Example',
    domain: 'https://example.com',
  })) as typeof website;
});
afterAll(async () => {
  await service.stop();
  dataDir.remove();
});

test('a log is followed as it grows, is rotated and is emptied, and continued after a stop or a kill', async () => {
  writeFileSync(log, line('/1'));
  let child = follow();
  await until(['/1']);
  appendFileSync(log, line('/2'));
  await until(['/1', '/2']);

  const half = line('/3');
  appendFileSync(log, half.slice(0, 40));
  await Bun.sleep(1_200); // longer than the interval of looking at the file
  appendFileSync(log, half.slice(40));
  await until(['/1', '/2', '/3']);

  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
  appendFileSync(log, line('/4'));
  child = follow();
  await until(['/1', '/2', '/3', '/4']);

  renameSync(log, `${log}.1`);
  writeFileSync(log, line('/5'));
  await until(['/1', '/2', '/3', '/4', '/5']);
  writeFileSync(log, '');
  await Bun.sleep(1_200);
  appendFileSync(log, line('/6'));
  await until(['/1', '/2', '/3', '/4', '/5', '/6']);

  child.kill('SIGKILL');
  await child.exited;
  child = follow();
  appendFileSync(log, line('/7'));
  await until(['/1', '/2', '/3', '/4', '/5', '/6', '/7']);
  child.kill('SIGTERM');
  await child.exited;
  const { imports } = (await api('GET', `/websites/${website.id}/imports`)) as { imports: object[] };
  expect(imports).toMatchObject([{ source: 'access.log', state: 'running' }]);
});
