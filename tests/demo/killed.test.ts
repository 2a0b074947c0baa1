import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { runCommand, spawnCommand } from '../support/command.ts';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';

setDefaultTimeout(60_000); // 60,000 events, each on disk

const EMAIL = 'you@example.com';
const EVENTS = 60_000;

/** `kill -9` in the middle of loading demo data, and an ordinary website next to them. */

let dataDir: ReturnType<typeof createDataDir>;
let service: ServiceProcess;
let token: string;

beforeEach(async () => {
  dataDir = createDataDir();
  service = await startProcess({ DATA_DIR: dataDir.path });
  const { tokens } = await post('/auth/register', { email: EMAIL, password: 'Correct-horse-9' });
  token = tokens.accessToken;
  await post('/websites', { name: 'Mine', domain: 'https://example.com' });
});
afterEach(async () => {
  await service.stop();
  dataDir.remove();
});

async function post(path: string, body?: object) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(201);
  // The contract's answers: the one to a registration has tokens, the one to a demo how many events.
  return (await response.json()) as { tokens: { accessToken: string }; events: number };
}

async function get(path: string) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  // As above: lists of websites and of events.
  return (await response.json()) as {
    websites: { name: string; trackingCode: string }[];
    pagination: { total: number };
  };
}

async function websites(): Promise<string[]> {
  return (await get('/websites')).websites.map(({ name }) => name).sort();
}

/** How many events the demo website has. */
async function eventsOfDemo(): Promise<number> {
  const demo = (await get('/websites')).websites.find(({ name }) => name === 'Demo');
  return demo ? (await get(`/events?trackingCode=${demo.trackingCode}&limit=1`)).pagination.total : 0;
}

async function untilHalfLoaded(): Promise<void> {
  while ((await eventsOfDemo()) === 0) await Bun.sleep(5);
}

describe('a demo website whose loading was killed', () => {
  test('is gone when the service is there again, and can be loaded', async () => {
    const loading = post('/demo').catch(() => undefined);
    await untilHalfLoaded();
    service.process.kill('SIGKILL');
    await Promise.all([service.process.exited, loading]);
    service = await startProcess({ DATA_DIR: dataDir.path });
    expect(await websites()).toEqual(['Mine']);
    expect((await post('/demo')).events).toBe(EVENTS);
    expect(await eventsOfDemo()).toBe(EVENTS);
    await service.stop();
    service = await startProcess({ DATA_DIR: dataDir.path });
    expect(await websites()).toEqual(['Demo', 'Mine']); // a whole one stays
  });

  test('a killed demo is recreated by the next load', async () => {
    const command = spawnCommand({ DATA_DIR: dataDir.path }, 'demo', 'load', EMAIL, '--quiet');
    await untilHalfLoaded();
    command.kill('SIGKILL');
    await command.exited;
    expect(await eventsOfDemo()).toBeLessThan(EVENTS);
    expect(await runCommand({ DATA_DIR: dataDir.path }, 'demo', 'load', EMAIL)).toMatchObject({ code: 0 });
    expect(await websites()).toEqual(['Demo', 'Mine']);
    expect(await eventsOfDemo()).toBe(EVENTS);
  });
});
