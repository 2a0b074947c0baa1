import { afterEach, beforeEach, expect, test } from 'bun:test';
import { findImportWebsite, findOtherHosts } from '../../src/imports/website.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { onFullDisk } from '../support/full-disk.ts';
import { isOnServer } from '../support/test-database.ts';
import { type Importing, startImporting, toNdjson } from './importing.ts';

let importing: Importing;
beforeEach(async () => {
  importing = await startImporting();
});
afterEach(() => importing.close());

const totals = () => importing.get(`/websites/${importing.website.id}/stats?period=all`);

const HISTORY = toNdjson([
  { url: 'https://example.com/a', visitorId: 'one', location: 'DE', properties: { plan: 'pro' } },
  { url: 'https://example.com/b', visitorId: 'one', browser: 'Firefox', browserVersion: '130' },
  { url: 'https://www.example.com/', visitorId: 'two', referrer: 'https://news.example/' },
]);

test('a dry run reports rows, time, hosts and what is stored already, and stores nothing', async () => {
  await importing.run({ 'some.ndjson': HISTORY.split('\n')[0] ?? '' });
  expect(await importing.preview({ 'history.ndjson': `${HISTORY}\n{"a":` })).toEqual({
    rows: 4,
    accepted: 3,
    rejected: 1,
    duplicates: 1,
    leftOut: [],
    reasons: [{ reason: 'Not a JSON object', count: 1 }],
    rejectedRows: [{ file: 'history.ndjson', line: 4, reason: 'Not a JSON object' }],
    columns: expect.arrayContaining([{ column: 'createdAt', field: 'timestamp' }]),
    firstMs: Date.UTC(2026, 9, 1, 10, 0),
    lastMs: Date.UTC(2026, 9, 1, 10, 2),
    days: 1,
    hosts: [
      { host: 'example.com', count: 2 },
      { host: 'www.example.com', count: 1 },
    ],
  });
  expect(await totals()).toMatchObject({ events: 1 });
});

test('imported events answer questions like collected ones', async () => {
  expect(await importing.run({ 'history.ndjson': HISTORY })).toMatchObject({ added: 3, duplicates: 0 });
  expect(await totals()).toMatchObject({ visitors: 2, visits: 2, pageviews: 3, events: 3 });
  expect(await importing.events()).toEqual([
    expect.objectContaining({ url: 'https://example.com/a', location: 'DE', properties: { plan: 'pro' } }),
    expect.objectContaining({ url: 'https://example.com/b', browser: 'Firefox' }),
    expect.objectContaining({ url: 'https://www.example.com/', referrer: 'https://news.example/' }),
  ]);
});

test('the same file again adds nothing, and leaves no import behind', async () => {
  await importing.run({ 'history.ndjson': HISTORY });
  expect(await importing.run({ 'copy.ndjson': HISTORY })).toMatchObject({ added: 0, duplicates: 3 });
  expect((await importing.list()).map(({ source, added }) => [source, added])).toEqual([
    ['history.ndjson', 3],
  ]);
});

test('undo removes exactly what the import has added, whatever came before or later', async () => {
  const { send, website } = importing;
  const [first = '', ...rest] = HISTORY.split('\n');
  const collected = (fields: object) =>
    send('POST', '/api/v1/events', {
      token: importing.person.apiKey,
      body: { ...fields, trackingCode: website.trackingCode },
    });
  const { createdAt, ...event } = JSON.parse(first);
  await collected({ ...event, timestamp: Date.parse(createdAt) });
  const { import: record } = await importing.run({ 'history.ndjson': HISTORY });
  const later = await importing.run({ 'later.ndjson': toNdjson([{ id: crypto.randomUUID() }]) });
  await collected({ ...event, id: crypto.randomUUID(), timestamp: Date.parse('2026-10-01T10:01:00Z') });
  expect(await totals()).toMatchObject({ events: 5, visitors: 3 });

  await importing.importer.undo(record.key);
  expect(await totals()).toMatchObject({ events: 3, visitors: 2 });
  expect((await importing.events()).map(({ url }) => url)).toEqual([
    'https://example.com/a',
    'https://example.com/',
    'https://example.com/a',
  ]);
  expect((await importing.list()).map(({ id }) => id)).toEqual([later.import.id]);
  // What was undone can be imported again.
  expect(await importing.run({ 'history.ndjson': HISTORY })).toMatchObject({ added: rest.length });
  expect(await totals()).toMatchObject({ events: 5, visitors: 3 });
  expect(rest.length).toBe(2);
});

test('undo goes in steps, and the service finishes one that was interrupted', async () => {
  const events = toNdjson(Array.from({ length: 20 }, (_, index) => ({ visitorId: `v${index % 3}` })));
  const { import: record } = await importing.run({ 'history.ndjson': events });
  expect(await totals()).toMatchObject({ events: 20, visitors: 3 });
  await importing.db.$client.execute("UPDATE imports SET state = 'undoing'");
  await importing.cleaner.wake();
  expect(await totals()).toMatchObject({ events: 0, visitors: 0 });
  expect(await importing.list()).toEqual([]);
  expect(await importing.get(`/events?trackingCode=${importing.website.trackingCode}`)).toMatchObject({
    pagination: { total: 0 },
  });
  expect(record.state).toBe('running');
});

test('an import that is being undone refuses further rows', async () => {
  const { storage, db } = importing;
  const { import: record } = await importing.run({ 'history.ndjson': HISTORY });
  await db.$client.execute("UPDATE imports SET state = 'undoing'");
  const event = {
    id: crypto.randomUUID(),
    createdAtMs: 0,
    eventType: 'pageview',
    url: 'https://example.com/',
  };
  const [outcome] = await storage.log.append([
    {
      ...NO_TEXTS,
      ...event,
      eventType: 'pageview',
      website: { key: record.websiteKey },
      importKey: record.key,
    },
  ]);
  expect(outcome).toEqual({ kind: 'gone' });
});

const NO_TEXTS = {
  referrer: null,
  sessionId: 's',
  visitorId: 'v',
  deviceType: null,
  browser: null,
  os: null,
  location: null,
  language: null,
  screen: null,
  properties: null,
  flags: 0,
  browserVersion: null,
  osVersion: null,
  region: null,
  city: null,
  bot: null,
};

test('each rejected row is named with its line and the reason', async () => {
  const { rejectedRows, accepted, added } = await importing.run({
    'history.ndjson': toNdjson([
      {},
      { url: 'no address' },
      { createdAt: '1970-01-01T00:00:00Z' },
      { createdAt: '2100-01-01T00:00:00Z' },
      { createdAt: 'yesterday' },
      { eventType: 'view' },
      { visitorId: '' },
      { id: 'seven' },
      { timestamp: 1_790_000_000, createdAt: undefined },
    ]),
  });
  expect({ accepted, added }).toEqual({ accepted: 1, added: 1 });
  expect(rejectedRows.map(({ line, reason }) => ({ line, reason }))).toEqual([
    { line: 2, reason: 'url: Must be an http or https URL' },
    { line: 3, reason: 'time: Before 1995' },
    { line: 4, reason: 'time: In the future' },
    { line: 5, reason: 'time: Required' },
    { line: 6, reason: 'eventType: Must be one of: pageview, click, custom' },
    { line: 7, reason: 'visitorId: Must not be empty' },
    { line: 8, reason: 'id: Must be a UUID' },
    { line: 9, reason: 'time: Before 1995' },
  ]);
});

test('rows older than the website keeps are rejected, because they would be removed again', async () => {
  await importing.send('PATCH', `/api/v1/websites/${importing.website.id}/settings`, {
    token: importing.person.token,
    body: { retentionDays: 30 },
  });
  expect(await importing.run({ 'history.ndjson': HISTORY })).toMatchObject({
    added: 0,
    reasons: [{ reason: 'time: Older than the 30 days that the website keeps', count: 3 }],
  });
});

test('an id of an event of another website is rejected', async () => {
  const { token } = importing.person;
  await importing.addWebsite(token, 'https://other.example');
  await importing.run({ 'history.ndjson': HISTORY }, { website: 'other.example' });
  expect(await importing.run({ 'history.ndjson': HISTORY })).toMatchObject({
    added: 0,
    reasons: [{ reason: 'id: Belongs to an event of another website', count: 3 }],
  });
});

test('names a website that does not exist, and asks which one when two accounts have it', async () => {
  await expect(importing.run({ 'a.ndjson': HISTORY }, { website: 'nowhere.example' })).rejects.toThrow(
    'There is no website nowhere.example',
  );
  const other = await importing.signUp();
  await importing.addWebsite(other.token, 'https://example.com');
  await expect(importing.run({ 'a.ndjson': HISTORY })).rejects.toThrow('Several accounts have the website');
  expect(
    await importing.run({ 'a.ndjson': HISTORY }, { website: importing.website.trackingCode }),
  ).toMatchObject({ added: 3 });
});

test('a dry run names the columns of a file and what becomes of each', async () => {
  const csv = 'eventType,url,sessionId,visitorId,createdAt,id,Colour\n';
  const { columns } = await importing.preview({ 'a.csv': csv });
  expect(columns).toEqual([
    { column: 'eventtype', field: 'eventType' },
    { column: 'url', field: 'url' },
    { column: 'sessionid', field: 'sessionId' },
    { column: 'visitorid', field: 'visitorId' },
    { column: 'createdat', field: 'timestamp' },
    { column: 'id', field: 'id' },
    { column: 'colour', field: null },
  ]);
});

test('pages of some hosts can be taken alone', async () => {
  const result = await importing.run({ 'history.ndjson': HISTORY }, { hosts: ['www.example.com'] });
  expect(result).toMatchObject({ added: 1, leftOut: [{ reason: 'pages of other hosts', count: 2 }] });
  expect(await importing.events()).toMatchObject([{ url: 'https://www.example.com/' }]);
});

test('other websites of the owner are found by their hosts', async () => {
  await importing.addWebsite(importing.person.token, 'https://shop.example.com');
  const website = await findImportWebsite(importing.db, 'example.com');
  expect([...(await findOtherHosts(importing.db, website))]).toEqual([
    ['shop.example.com', 'https://shop.example.com'],
  ]);
});

test.skipIf(isOnServer)('an import that a full disk stops continues, with each event once', async () => {
  const { local } = importing.database;
  if (!local) throw new Error('A database in memory has a connection');
  const disk = onFullDisk(local);
  const { run } = importing.importInto(createLocalLog(disk.database));
  const rows = Array.from({ length: 1_800 }, (_, index) => ({
    id: crypto.randomUUID(),
    createdAt: new Date(Date.UTC(2026, 9, 1) + index * 1_000).toISOString(),
  }));
  const source = await importing.open({ 'history.ndjson': toNdjson(rows) });
  disk.fillAt(3);
  await expect(run(source)).rejects.toThrow('disk is full');
  expect(disk.empty()).toBe(true);
  expect(await importing.list()).toMatchObject([{ state: 'running' }]);
  const stored = (await totals()).events;
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(rows.length);
  expect(await run(source)).toMatchObject({ added: rows.length, duplicates: 0 });
  expect(await totals()).toMatchObject({ events: rows.length });
  expect(await importing.list()).toMatchObject([{ state: 'done', added: rows.length }]);
});
