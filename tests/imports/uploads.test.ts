import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createDataDir, type ServiceProcess, startProcess } from '../support/process.ts';
import { toNdjson } from './importing.ts';

setDefaultTimeout(120_000);

/** Files uploaded to a running service, which is killed meanwhile. */

const EVENTS = 30_000;
const PART = 1_000_000;
const dataDir = createDataDir();
const environment = { DATA_DIR: dataDir.path, LIMIT_API_PER_S: '0' };
const bytes = new TextEncoder().encode(
  toNdjson(
    Array.from({ length: EVENTS }, (_, index) => ({
      visitorId: `v${index % 100}`,
      createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    })),
  ),
);
let service: ServiceProcess;
let token: string;
let websiteId: string;

/** Fields of the answers that the tests look at. */
type Answer = {
  id: string;
  message: string;
  state: string;
  tokens: { accessToken: string };
  receivedBytes: number | null;
  error: string | null;
  added: number | null;
  events: number;
  imports: unknown[];
  dryRun: Record<string, unknown> | null;
  details: { fieldErrors: Record<string, string[]> };
};

async function send(method: string, path: string, body?: object | Uint8Array<ArrayBuffer>) {
  const isJson = body !== undefined && !(body instanceof Uint8Array);
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      ...(isJson && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    ...(body && { body: isJson ? JSON.stringify(body) : (body as Uint8Array<ArrayBuffer>) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer };
}

const imports = (rest = '') => `/websites/${websiteId}/imports${rest}`;

async function upload(content: Uint8Array<ArrayBuffer>, more: object = {}): Promise<string> {
  const created = await send('POST', imports(), { name: 'history', sizeBytes: content.length, ...more });
  expect(created).toMatchObject({ status: 201, body: { state: 'uploading', receivedBytes: 0 } });
  const { id } = created.body;
  for (let from = 0; from < content.length; from += PART)
    await send('PATCH', imports(`/${id}/file?offset=${from}`), content.slice(from, from + PART));
  return id;
}

async function waitFor(id: string, ...states: string[]): Promise<Answer> {
  for (;;) {
    const { body } = await send('GET', imports(`/${id}`));
    if (states.includes(body.state)) return body;
    await Bun.sleep(50);
  }
}

async function totalEvents(): Promise<number> {
  return (await send('GET', `/websites/${websiteId}/stats?period=all`)).body.events;
}

async function waitForNoFiles(): Promise<void> {
  while (readdirSync(join(dataDir.path, 'imports')).length > 0) await Bun.sleep(50);
}

async function killService(): Promise<void> {
  service.process.kill('SIGKILL');
  await service.process.exited;
  service = await startProcess(environment);
}

const remove = async (id: string) => {
  await send('DELETE', imports(`/${id}`));
  while ((await send('GET', imports(`/${id}`))).status !== 404) await Bun.sleep(50);
};

beforeAll(async () => {
  service = await startProcess(environment);
  const account = { email: 'you@example.com', password: 'Correct-horse-9' };
  token = (await send('POST', '/auth/register', account)).body.tokens.accessToken;
  const website = { name: 'Example', domain: 'https://example.com' };
  websiteId = (await send('POST', '/websites', website)).body.id;
});
afterAll(async () => {
  await service.stop();
  dataDir.remove();
});

test('an upload continues after a broken part, and its import after kills of the service', async () => {
  const { id } = (await send('POST', imports(), { name: 'history.ndjson', sizeBytes: bytes.length })).body;
  await send('PATCH', imports(`/${id}/file?offset=0`), bytes.slice(0, PART));
  expect(await send('PATCH', imports(`/${id}/file?offset=5`), bytes.slice(5, 10))).toMatchObject({
    status: 409,
    body: { message: `The upload continues at offset ${PART}, not at 5` },
  });
  expect(await send('POST', imports(`/${id}/start`))).toMatchObject({ status: 409 });

  await killService();
  expect((await send('GET', imports(`/${id}`))).body.receivedBytes).toBe(PART);
  for (let from = PART; from < bytes.length; from += PART)
    await send('PATCH', imports(`/${id}/file?offset=${from}`), bytes.slice(from, from + PART));
  const { dryRun } = await waitFor(id, 'ready');
  expect(dryRun).toMatchObject({
    format: 'pagemeter',
    rows: EVENTS,
    accepted: EVENTS,
    duplicates: 0,
    from: '2026-01-01T00:00:00.000Z',
    hosts: [{ host: 'example.com', count: EVENTS, otherWebsite: null }],
  });
  expect(await totalEvents()).toBe(0);

  expect((await send('POST', imports(`/${id}/start`))).body.state).toBe('running');
  for (let kill = 1; kill <= 4; kill += 1) {
    await Bun.sleep(200 + kill * 100);
    await killService();
  }
  expect(await waitFor(id, 'done')).toMatchObject({ added: EVENTS, error: null, receivedBytes: null });
  expect(await totalEvents()).toBe(EVENTS);

  const again = await upload(bytes);
  expect((await waitFor(again, 'ready')).dryRun).toMatchObject({ duplicates: EVENTS });
  await send('POST', imports(`/${again}/start`));
  expect(await waitFor(again, 'done')).toMatchObject({ added: 0 });
  await remove(again);
  expect(await totalEvents()).toBe(EVENTS);
  await remove(id);
  expect(await totalEvents()).toBe(0);
  await waitForNoFiles();
});

test('a file of an unknown format fails with the reason, and can be read as a format that is named', async () => {
  const id = await upload(new TextEncoder().encode('{"a":1}\n'));
  expect((await waitFor(id, 'failed')).error).toStartWith('history is in none of these formats: pagemeter,');
  await send('PUT', imports(`/${id}`), { format: 'pagemeter' });
  const { dryRun, error } = await waitFor(id, 'ready');
  expect(error).toBeNull();
  expect(dryRun).toMatchObject({ accepted: 0, rejectedRows: [{ line: 1, reason: expect.any(String) }] });
  await remove(id);
});

test('a file that breaks off leaves nothing, and says why', async () => {
  const packed = Bun.gzipSync(bytes);
  const id = await upload(packed.slice(0, packed.length / 2) as Uint8Array<ArrayBuffer>);
  expect(await waitFor(id, 'failed')).toMatchObject({
    error: expect.stringContaining('history'),
    added: null,
  });
  expect(await totalEvents()).toBe(0);
  await remove(id);
});

test('an import at work can be cancelled', async () => {
  const id = await upload(bytes);
  await waitFor(id, 'ready');
  await send('POST', imports(`/${id}/start`));
  await remove(id);
  expect(await totalEvents()).toBe(0);
  await waitForNoFiles();
});

test('refuses what does not fit: sizes, parts and too many uploads', async () => {
  const tooLarge = await send('POST', imports(), { name: 'a', sizeBytes: 2 * 1024 ** 3 + 1 });
  expect(tooLarge.status).toBe(400);
  expect(Object.keys(tooLarge.body.details.fieldErrors)).toEqual(['sizeBytes']);
  const { id } = (await send('POST', imports(), { name: 'a', sizeBytes: 4 })).body;
  expect((await send('PATCH', imports(`/${id}/file`), new Uint8Array(4))).status).toBe(400);
  expect((await send('PATCH', imports(`/${id}/file?offset=0`), new Uint8Array(5))).status).toBe(400);
  const large = (await send('POST', imports(), { name: 'a', sizeBytes: 5_000_000 })).body.id;
  const tooLong = new Uint8Array(4_500_000);
  expect((await send('PATCH', imports(`/${large}/file?offset=0`), tooLong)).status).toBe(413);
  const others = [id, large];
  for (let count = 2; count < 10; count += 1)
    others.push((await send('POST', imports(), { name: 'a', sizeBytes: 4 })).body.id);
  expect((await send('POST', imports(), { name: 'a', sizeBytes: 4 })).status).toBe(409);
  for (const each of others) await remove(each);
});

test('a website that is deleted meanwhile takes its uploads with it', async () => {
  const id = await upload(bytes);
  await waitFor(id, 'ready');
  await send('POST', imports(`/${id}/start`));
  expect((await send('DELETE', `/websites/${websiteId}`)).status).toBe(200);
  await waitForNoFiles();
});
