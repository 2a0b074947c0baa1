import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { runCommand } from '../support/command.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

setDefaultTimeout(60_000); // 60,000 events, each on disk

/** The commands next to a running service, on its file. */

const EMAIL = 'you@example.com';

const dataDir = createDataDir();
let service: ServiceProcess;
let token: string;

beforeAll(async () => {
  service = await startProcess({ DATA_DIR: dataDir.path });
  const answer = await fetch(`${service.url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: 'Correct-horse-9' }),
  });
  ({
    tokens: { accessToken: token },
  } = (await answer.json()) as { tokens: { accessToken: string } });
});
afterAll(async () => {
  await service.stop();
  dataDir.remove();
});

const run = (...args: string[]) => runCommand({ DATA_DIR: dataDir.path }, ...args);

async function get(path: string): Promise<unknown> {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return answer.json();
}

type Websites = { websites: { name: string; trackingCode: string }[] };

describe('pagemeter demo', () => {
  test('load adds a website of its own with 90 days of events', async () => {
    expect(await run('demo', 'load', EMAIL.toUpperCase())).toEqual({
      code: 0,
      out: 'The demo website is loaded: 60000 events of 90 days.\n',
      err: '',
    });
    const { websites } = (await get('/websites')) as Websites;
    expect(websites.map(({ name }) => name)).toEqual(['Demo']);
    const list = await get(`/events?trackingCode=${websites[0]?.trackingCode}&limit=1`);
    expect(list).toMatchObject({ pagination: { total: 60_000 } });
  });

  test('load refuses to do it twice', async () => {
    expect(await run('demo', 'load', EMAIL)).toEqual({
      code: 1,
      out: '',
      err: 'This account has the demo website already.\n',
    });
  });

  test('remove deletes it', async () => {
    expect(await run('demo', 'remove', EMAIL)).toMatchObject({
      code: 0,
      out: 'The demo website is deleted.\n',
    });
    expect(((await get('/websites')) as Websites).websites).toEqual([]);
    expect(await run('demo', 'remove', EMAIL)).toMatchObject({
      code: 1,
      err: 'This account has no demo website.\n',
    });
  });

  test('says so when there is no such account', async () => {
    expect(await run('demo', 'load', 'unknown@example.com')).toMatchObject({
      code: 1,
      err: 'No account has the address unknown@example.com.\n',
    });
  });

  const WRONG = [['demo'], ['demo', 'load'], ['demo', 'show', EMAIL], ['rebuild', 'all']];
  for (const args of WRONG) {
    test(`explains itself to: ${args.join(' ')}`, async () => {
      const { code, err } = await run(...args);
      expect(code).toBe(2);
      expect(err).toMatch(/^error: (missing|too many|unknown)|^Usage: pagemeter demo/);
    });
  }
});

describe('pagemeter rebuild', () => {
  test('refuses to work while the service runs', async () => {
    const { code, err } = await run('rebuild');
    expect(code).toBe(1);
    expect(err).toContain('Another Pagemeter is already running');
  });
});
