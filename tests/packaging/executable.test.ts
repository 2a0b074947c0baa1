import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../package.json';
import { eventFor } from '../support/event.ts';
import { type ServiceProcess, startFailure, startProcess } from '../support/process.ts';
import { buildOwnExecutable } from '../support/program.ts';

setDefaultTimeout(120_000); // 140 MB are written, and processes started

const folder = mkdtempSync(join(tmpdir(), 'pagemeter-executable-'));
const path = join(folder, 'pagemeter');
const cwd = mkdtempSync(join(tmpdir(), 'pagemeter-empty-'));
let service: ServiceProcess;

beforeAll(async () => {
  await buildOwnExecutable(path, 1); // compressed as a release is, in a second
  service = await startProcess({ PATH: '', TRUST_PROXY: '1' }, { program: [path], cwd });
});
afterAll(async () => {
  await service?.stop();
  for (const directory of [folder, cwd]) rmSync(directory, { recursive: true, force: true });
});

async function run(args: string[], environment: Record<string, string> = {}) {
  const child = Bun.spawn([path, ...args], { cwd, env: environment, stdout: 'pipe', stderr: 'pipe' });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, err };
}

async function send(method: string, address: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(service.url + address, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the tests of each route look at its answer
  return { status: answer.status, body: (await answer.json()) as any };
}

test('serves out of an empty directory with an empty environment: pages, tracker, countries, statistics, lists', async () => {
  const account = { email: 'you@example.com', password: 'Correct-horse-9' };
  const { body: registered } = await send('POST', '/api/v1/auth/register', account);
  const owner = { Authorization: `Bearer ${registered.tokens.accessToken}` };
  const website = { name: 'Mine', domain: 'https://example.com' };
  const { body: made } = await send('POST', '/api/v1/websites', website, owner);
  const sent = await send('POST', '/api/v1/events', eventFor(made.trackingCode), {
    'X-Forwarded-For': '8.8.8.8',
    'User-Agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  });
  expect(sent.status).toBe(201);

  const list = await send('GET', `/api/v1/events?trackingCode=${made.trackingCode}`, undefined, owner);
  expect(list.body.events).toMatchObject([{ location: 'US', browser: 'Chrome', os: 'Linux' }]);
  const stats = await send('GET', `/api/v1/websites/${made.id}/stats?period=all`, undefined, owner);
  expect(stats.body).toMatchObject({ pageviews: 1 });

  const page = await (await fetch(service.url)).text();
  const loaded = [...page.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address);
  expect(loaded).toHaveLength(2);
  for (const address of [
    ...loaded,
    '/tracker.js',
    '/docs',
    '/docs/definitions',
    '/docs/guide',
    '/docs/commands/backup',
    '/openapi.json',
  ])
    expect({ address, status: (await fetch(service.url + address)).status }).toEqual({
      address,
      status: 200,
    });
});

test('is its own command line', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  expect((await run(['help', 'backup'])).out).toContain('--to <PLACE>');
  const { out: notices } = await run(['licences']);
  for (const start of ['Pagemeter', 'Bun 1.', 'elysia 1.', 'libsql 0.'])
    expect(notices.split(/^-+$/m).some((notice) => notice.trim().startsWith(start))).toBe(true);
  const { port } = new URL(service.url);
  expect(await run(['health'], { PORT: port })).toEqual({ code: 0, out: 'ok\n', err: '' });
  expect(await run(['user', 'list'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('you@example.com'),
  });
  expect(await run(['backup'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 event, 1 website'),
  });
  expect((await run(['doctor', '--deep', '--json'])).code).toBe(0);
  expect(readdirSync(cwd)).toEqual(['data']);
});

test('says in words that TMPDIR is of no use', async () => {
  const { code, err } = await run(['serve'], { TMPDIR: join(cwd, 'nowhere'), PORT: '0' });
  expect(code).toBe(1);
  expect(err).toContain(`It is unpacked into TMPDIR (${join(cwd, 'nowhere')}). Set TMPDIR to a directory`);
});

const isRoot = process.getuid?.() === 0 && Bun.which('setpriv') !== null;
test.if(isRoot)(
  'says whose the directory is in which it keeps data and unpacks, as in the image',
  async () => {
    const data = join(folder, 'of-root');
    mkdirSync(data, { mode: 0o755 });
    chmodSync(folder, 0o755);
    const child = Bun.spawn(['setpriv', '--reuid=65532', '--clear-groups', path], {
      cwd,
      env: { TMPDIR: data, DATA_DIR: data, PATH: process.env.PATH, PORT: '0' },
      stdout: 'ignore',
      stderr: 'pipe',
    });
    expect(await startFailure(child)).toBe(
      `SQLite's library cannot be unpacked into TMPDIR. The directory ${data} belongs to user 0, and user 65532, who runs this, may not write to it. Run it as that user, or give the directory away: chown -R 65532 ${data}`,
    );
    expect(await child.exited).toBe(1);
  },
);
