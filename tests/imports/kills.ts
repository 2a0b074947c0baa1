import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnCommand } from '../support/command.ts';
import { createDataDir, startProcess } from '../support/process.ts';
import { toNdjson } from './importing.ts';

/**
 * Kills imports and undos, of the command and of the service, at random moments: `bun tests/imports/kills.ts [100]`. After
 * each that gets through it compares the events that are stored, and what the reports count. Takes minutes.
 */

const KILLS = Number(process.argv[2] ?? 100);
const EVENTS = 30_000;
const LIVE = 1;
const HEADERS = { 'User-Agent': 'Mozilla/5.0 Firefox/130.0' };
const dataDir = createDataDir();
const environment = { DATA_DIR: dataDir.path, LIMIT_API_PER_S: '0' };
const bytes = new TextEncoder().encode(
  toNdjson(
    Array.from({ length: EVENTS }, (_, index) => ({
      id: `00000000-0000-7000-8000-${String(index + 1).padStart(12, '0')}`,
      visitorId: `v${index % 100}`,
      createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    })),
  ),
);
const file = join(dataDir.path, 'history.ndjson');
writeFileSync(file, bytes);
const counts = { command: 0, undoCommand: 0, service: 0, undoService: 0 };
let service = await startProcess(environment);
let token = '';

type Answer = Record<string, unknown> & { id: string; state: string; trackingCode: string };

async function send(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>) {
  const isJson = body !== undefined && !(body instanceof Uint8Array);
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      ...HEADERS,
      ...(isJson && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: isJson ? JSON.stringify(body) : (body as Uint8Array<ArrayBuffer>) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer };
}

const account = { email: 'you@example.com', password: 'Correct-horse-9' };
const registered = (await send('POST', '/auth/register', account)).body.tokens as { accessToken: string };
token = registered.accessToken;
const site = { name: 'Example', domain: 'https://example.com' };
const { id: websiteId, trackingCode } = (await send('POST', '/websites', site)).body;
const imports = (rest = '') => `/websites/${websiteId}/imports${rest}`;
const url = 'https://example.com/live';
await send('POST', '/events', {
  trackingCode,
  eventType: 'pageview',
  url,
  sessionId: 's',
  visitorId: 'live',
});

async function expectEvents(expected: number, when: string): Promise<void> {
  const { events } = (await send('GET', `/websites/${websiteId}/stats?period=all`)).body;
  const listed = (await send('GET', `/events?trackingCode=${trackingCode}&limit=1`)).body.pagination as {
    total: number;
  };
  if (events === expected && listed.total === expected) return;
  console.log(`FAULT ${when}: ${events} counted, ${listed.total} listed, ${expected} expected`);
  process.exitCode = 1;
}

/** Runs a command until it gets through, and kills it after ever longer times. */
async function runWithKills(kind: 'command' | 'undoCommand', ...args: string[]): Promise<void> {
  for (let patienceMs = 300; ; patienceMs += 150) {
    const child = spawnCommand(environment, 'import', ...args, '--quiet');
    const code = await Promise.race([child.exited, Bun.sleep(Math.random() * patienceMs + 100)]);
    if (code !== undefined) return;
    child.kill('SIGKILL');
    await child.exited;
    counts[kind] += 1;
  }
}

async function killService(): Promise<void> {
  service.process.kill('SIGKILL');
  await service.process.exited;
  service = await startProcess(environment);
}

/** Kills the service until an import is in a state, or gone. */
async function untilState(kind: 'service' | 'undoService', id: string, wanted: string): Promise<void> {
  for (let patienceMs = 300; ; patienceMs += 150) {
    await Bun.sleep(Math.random() * patienceMs + 50);
    const { status, body } = await send('GET', imports(`/${id}`));
    if (status === 404 || body.state === wanted) return;
    await killService();
    counts[kind] += 1;
  }
}

const sum = () => Object.values(counts).reduce((total, count) => total + count, 0);
while (sum() < KILLS) {
  await runWithKills('command', file, '--website', websiteId);
  await expectEvents(EVENTS + LIVE, 'after an import by the command');
  const { imports: listed } = (await send('GET', imports())).body as unknown as { imports: { id: string }[] };
  await runWithKills('undoCommand', 'undo', listed[0]?.id ?? '');
  await expectEvents(LIVE, 'after an undo by the command');

  const created = await send('POST', imports(), { name: 'history.ndjson', sizeBytes: bytes.length });
  const { id } = created.body;
  for (let from = 0; from < bytes.length; from += 4_000_000)
    await send('PATCH', imports(`/${id}/file?offset=${from}`), bytes.slice(from, from + 4_000_000));
  await untilState('service', id, 'ready');
  await send('POST', imports(`/${id}/start`));
  await untilState('service', id, 'done');
  await expectEvents(EVENTS + LIVE, 'after an import by the service');
  await send('DELETE', imports(`/${id}`));
  await untilState('undoService', id, 'gone');
  await expectEvents(LIVE, 'after an undo by the service');
  console.log(sum(), JSON.stringify(counts));
}
console.log(`${sum()} kills, ${process.exitCode === 1 ? 'with faults' : 'nothing double, nothing half'}.`);
await service.stop();
dataDir.remove();
