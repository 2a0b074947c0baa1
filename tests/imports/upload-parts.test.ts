import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createDataDir } from '../support/process.ts';
import { createTestService } from '../support/service.ts';

/** Parts of an upload on a disk that fills up, and two at once. */

const dataDir = createDataDir();
const ROOMY = { freeBytes: 50, sizeBytes: 100 };
const FULL = { freeBytes: 1, sizeBytes: 100 };
let disk = ROOMY;
let service: Awaited<ReturnType<typeof createTestService>>;
let token: string;
let path: string;

beforeEach(async () => {
  disk = ROOMY;
  const more = { readDisk: () => disk, workOnImport: () => Promise.resolve() };
  service = await createTestService({ dataDir: dataDir.path }, more);
  ({ apiKey: token } = await service.addUser());
  path = `/api/v1/websites/${(await service.addWebsite(token)).id}/imports`;
});
afterEach(async () => {
  await service.close();
  dataDir.remove();
});

async function create(sizeBytes: number): Promise<string> {
  const { body } = await service.send('POST', path, { token, body: { name: 'a.csv', sizeBytes } });
  return body.id;
}

const patch = (id: string, offset: number, bytes: number) =>
  service.send('PATCH', `${path}/${id}/file?offset=${offset}`, { token, rawBody: new Uint8Array(bytes) });

test('an upload waits while the disk is nearly full, and continues when there is room', async () => {
  const id = await create(20);
  expect((await patch(id, 0, 10)).body).toMatchObject({ state: 'uploading', receivedBytes: 10 });
  disk = FULL;
  service.clock.advance(1_000);
  const refused = await patch(id, 10, 10);
  expect(refused).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
  expect(refused.headers.get('retry-after')).toBe('30');
  expect((await service.send('POST', path, { token, body: { name: 'b', sizeBytes: 5 } })).status).toBe(503);
  disk = ROOMY;
  service.clock.advance(1_000);
  expect((await patch(id, 10, 10)).body).toMatchObject({ state: 'reading', receivedBytes: 20 });
});

test('of two parts at once one is refused, and no byte is doubled', async () => {
  const id = await create(2_000_000);
  const answers = await Promise.all([patch(id, 0, 1_000_000), patch(id, 0, 1_000_000)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await service.send('GET', `${path}/${id}`, { token })).body.receivedBytes).toBe(1_000_000);
});

test('a part that breaks off is kept up to there', async () => {
  const id = await create(2_000);
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(700));
    },
    pull(controller) {
      controller.error(new DOMException('The connection was closed.', 'AbortError'));
    },
  });
  const options = { token, rawBody: broken };
  expect((await service.send('PATCH', `${path}/${id}/file?offset=0`, options)).status).toBeGreaterThanOrEqual(
    400,
  );
  expect((await service.send('GET', `${path}/${id}`, { token })).body.receivedBytes).toBe(700);
  expect((await patch(id, 700, 1_300)).body).toMatchObject({ state: 'reading' });
});

test('an upload with which nothing is done for a week is removed, with its file', async () => {
  const id = await create(20);
  await patch(id, 0, 10);
  await service.uploads.removeLeftOvers();
  expect((await service.send('GET', `${path}/${id}`, { token })).status).toBe(200);
  service.clock.advance(400 * 86_400_000); // the file's own time is that of this machine
  await service.uploads.removeLeftOvers();
  expect((await service.send('GET', `${path}/${id}`, { token })).status).toBe(404);
});
