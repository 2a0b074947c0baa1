import { expect, test } from 'bun:test';
import { getTableColumns } from 'drizzle-orm';
import { events } from '../../src/db/log-schema.ts';
import { openDatabase } from '../../src/db/open.ts';
import { KEYED_COLUMNS, LOG_COLUMNS, STORED_COLUMNS } from '../../src/log/columns.ts';
import { connectLocal } from '../../src/log/connection.ts';
import { createDatabasePages } from '../../src/log/event-pages.ts';
import { createLocalLog } from '../../src/log/local-log.ts';
import { readLog } from '../support/read-log.ts';
import { addWebsite, newEvent } from './events.ts';

/** Names of columns and of expressions. */
const namesOf = (columns: string) =>
  columns
    .split(', ')
    .map((column) => column.split(' ').at(-1))
    .sort();
const TABLE = Object.values(getTableColumns(events)).map(({ name }) => name);

test('the lists of columns are those of the table', () => {
  expect(namesOf(KEYED_COLUMNS)).toEqual(TABLE.toSorted());
  expect(namesOf(STORED_COLUMNS)).toEqual(TABLE.filter((name) => name !== 'key').sort());
  const ofListsAlone = ['event_id', 'import_key', 'engagement'];
  expect(namesOf(LOG_COLUMNS)).toEqual(TABLE.filter((name) => !ofListsAlone.includes(name)).sort());
});

test.each([
  ['every field', {}],
  ['a version that has no code', { osVersion: 'XP' }],
  ['a city of no region', { region: null, city: 'Singapore, SG' }],
  ['a region without a city', { city: null }],
  ['texts that have no code', { browser: 'Netscape', sessionId: 'no uuid', screen: '1x' }],
  [
    'what may be absent',
    {
      referrer: null,
      deviceType: null,
      browser: null,
      browserVersion: null,
      os: null,
      osVersion: null,
      bot: null,
      location: null,
      region: null,
      city: null,
      language: null,
      screen: null,
      properties: null,
    },
  ],
])('an event is read as it was appended: %s', async (_, changes) => {
  const { db, local, close } = await openDatabase({ kind: 'memory' }, 'normal');
  if (!local) throw new Error('A database in memory has a connection');
  await addWebsite(db, 7);
  const { website, ...event } = newEvent({ websiteKey: 7, ...changes });
  const log = createLocalLog(local);
  expect(log.append([{ ...event, website }])).toMatchObject([{ kind: 'stored', event }]);
  expect(readLog(local)).toEqual([{ ...event, key: 1, websiteKey: 7 }]);
  // A repeat is answered from the table.
  expect(log.append([{ ...event, url: 'https://example.com/other', website }])).toEqual([
    { kind: 'stored', event },
  ]);
  close();
});

test('an event is copied to another log with the mark of its import', async () => {
  const { db, local, close } = await openDatabase({ kind: 'memory' }, 'normal');
  if (!local) throw new Error('A database in memory has a connection');
  await addWebsite(db, 7);
  local.exec(`INSERT INTO imports (key, id, website_key, format, source, fingerprint, state, created_at_ms, updated_at_ms)
    VALUES (3, 'i', 7, '', '', '', 'running', 0, 0)`);
  const imported = { ...newEvent({ websiteKey: 7 }), importKey: 3 };
  createLocalLog(local).append([imported, newEvent({ websiteKey: 7 })]);
  const { events } = await createDatabasePages(connectLocal(local)).readAfter(undefined);
  expect(events.map(({ importKey }) => importKey)).toEqual([3, null]);
  close();
});
