import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Importing, startImporting, toNdjson } from './importing.ts';

let importing: Importing;
beforeEach(async () => {
  importing = await startImporting();
});
afterEach(() => importing.close());

const path = () => `/websites/${importing.website.id}/imports`;
const send = (method: string, rest = '', token: string | undefined = importing.person.token) =>
  importing.send(method, `/api/v1${path()}${rest}`, { token });

test('GET …/imports lists what was imported, in its order', async () => {
  expect((await send('GET')).body).toEqual({ imports: [], total: 0 });
  await importing.run({ 'one.ndjson': toNdjson([{}, { url: 'nowhere' }, {}]) });
  await importing.run({ 'two.ndjson': toNdjson([{ id: crypto.randomUUID() }]) });
  const { body } = await send('GET');
  expect(body).toMatchObject({ total: 2, imports: [{ source: 'one.ndjson' }, { source: 'two.ndjson' }] });
  expect(body.imports[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    format: 'pagemeter',
    source: 'one.ndjson',
    state: 'done',
    rows: 3,
    accepted: 2,
    rejected: 1,
    added: 2,
    from: '2026-10-01T10:00:00.000Z',
    to: '2026-10-01T10:02:00.000Z',
    error: null,
    createdAt: '2026-11-20T12:00:00.000Z',
    updatedAt: '2026-11-20T12:00:00.000Z',
  });
  expect((await send('GET', '?limit=1&offset=1')).body).toMatchObject({
    total: 2,
    imports: [{ source: 'two.ndjson' }],
  });
});

test('DELETE …/imports/:importId removes its events in the background', async () => {
  const { import: record } = await importing.run({ 'one.ndjson': toNdjson([{}, {}]) });
  expect(await send('DELETE', `/${record.id}`)).toMatchObject({ status: 200, body: { success: true } });
  await importing.cleaner.wake();
  expect((await send('GET')).body).toEqual({ imports: [], total: 0 });
  expect(await importing.events()).toEqual([]);
});

test('imports are for the owner of the website alone', async () => {
  const { import: record } = await importing.run({ 'one.ndjson': toNdjson([{}]) });
  const other = await importing.signUp();
  const theirs = await importing.addWebsite(other.token, 'https://other.example');
  expect((await send('GET', '', '')).status).toBe(401);
  expect((await send('GET', '', other.token)).status).toBe(404);
  expect((await send('DELETE', `/${record.id}`, other.token)).status).toBe(404);
  const elsewhere = `/api/v1/websites/${theirs.id}/imports/${record.id}`;
  expect((await importing.send('DELETE', elsewhere, { token: other.token })).status).toBe(404);
  expect((await send('DELETE', '/seven')).status).toBe(404);
  expect(await importing.events()).toHaveLength(1);
});
