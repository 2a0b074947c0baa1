import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, spawnCommand } from '../support/command.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';
import { toNdjson } from './importing.ts';

setDefaultTimeout(120_000);

/** The command next to a running service, killed at arbitrary points. */

const EVENTS = 30_000;
const KILLS = 6;
const dataDir = createDataDir();
const environment = { DATA_DIR: dataDir.path };
const file = join(dataDir.path, 'history.ndjson');
let service: ServiceProcess;
let token: string;
let websiteId: string;
let trackingCode: string;

/** Bun's own User-Agent is a bot's. */
const HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0 Firefox/130.0' };

/** Fields of the answers to a registration and to a new website. */
type Answer = { id: string; trackingCode: string; tokens: { accessToken: string } };

async function post(path: string, body: object) {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers: { ...HEADERS, ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Answer;
}

async function totals(): Promise<unknown> {
  const answer = await fetch(`${service.url}/api/v1/websites/${websiteId}/stats?period=all`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const { events, visitors } = (await answer.json()) as { events: number; visitors: number };
  return { events, visitors };
}

async function listed(): Promise<number> {
  const answer = await fetch(`${service.url}/api/v1/events?trackingCode=${trackingCode}&limit=1`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return ((await answer.json()) as { pagination: { total: number } }).pagination.total;
}

/** Kills the command after a while, again and again; each run gets a little further. */
async function killRepeatedly(...args: string[]): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = spawnCommand(environment, 'import', ...args, '--quiet');
    await Promise.race([Bun.sleep(200 + kill * 80), child.exited]);
    child.kill('SIGKILL');
    await child.exited;
  }
}

beforeAll(async () => {
  writeFileSync(
    file,
    toNdjson(
      Array.from({ length: EVENTS }, (_, index) => ({
        visitorId: `v${index % 100}`,
        createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
      })),
    ),
  );
  service = await startProcess(environment);
  const account = { email: 'you@example.com', password: 'Correct-horse-9' };
  token = (await post('/auth/register', account)).tokens.accessToken;
  const website = await post('/websites', { name: 'Example', domain: 'https://example.com' });
  ({ id: websiteId, trackingCode } = website);
});
afterAll(async () => {
  await service.stop();
  dataDir.remove();
});

test('an import that is killed again and again ends with each event once, and its undo with none', async () => {
  await post('/events', {
    trackingCode,
    eventType: 'pageview',
    url: 'https://example.com/live',
    sessionId: 's',
    visitorId: 'live',
  });
  await killRepeatedly(file, '--website', 'example.com');
  const last = await runCommand(environment, 'import', file, '--website', 'example.com');
  expect(last).toMatchObject({ code: 0, err: '' });
  expect(last.out).toContain('Rows             30,000: 30,000 events, 0 rejected');
  expect(await totals()).toEqual({ events: EVENTS + 1, visitors: 101 });
  expect(await listed()).toBe(EVENTS + 1);

  const { out: list } = await runCommand(environment, 'import', 'list');
  const [id = ''] = list.split(' ');
  expect(list).toMatch(
    /^\S+ {2}\S+ \S+ UTC {2}https:\/\/example\.com {2}pagemeter {2}history\.ndjson {2}30,000 events\n$/,
  );
  await killRepeatedly('undo', id);
  await runCommand(environment, 'import', 'undo', id); // there is none if a killed one was through
  expect(await totals()).toEqual({ events: 1, visitors: 1 });
  expect(await listed()).toBe(1);
});

test('explains itself without files or without a website', async () => {
  expect(await runCommand(environment, 'import', '--website', 'example.com')).toMatchObject({ code: 2 });
  expect(await runCommand(environment, 'import', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('name the website with --website'),
  });
  expect(await runCommand(environment, 'import', file, '--website', 'nowhere.example')).toMatchObject({
    code: 1,
    err: 'There is no website nowhere.example. Nothing was imported.\n',
  });
  expect(await runCommand(environment, 'import', 'undo', 'seven')).toMatchObject({
    code: 1,
    err: 'There is no import seven. `pagemeter import list` lists them.\n',
  });
});
