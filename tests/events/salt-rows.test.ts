import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type OpenDatabase, openDatabase } from '../../src/db/open.ts';
import { visitorSalts } from '../../src/db/schema.ts';
import { openSaltRows } from '../../src/events/salt-rows.ts';

const SECRET = 'a secret for tests, of 32 characters or more';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase({ kind: 'memory' }, 'full');
});
afterAll(() => database.close());

test('two processes on one database share the salt of a day, which the database alone does not give away', async () => {
  const [first, second] = [openSaltRows(database.db, SECRET), openSaltRows(database.db, SECRET)];
  const [one, other] = await Promise.all([first.open('UTC', 1), second.open('UTC', 1)]);
  expect(one).toHaveLength(32);
  expect(other).toEqual(one);
  const days = await Promise.all([first.open('UTC', 2), first.open('Europe/Berlin', 1)]);
  for (const salt of days) expect(salt).not.toEqual(one);
  expect(await openSaltRows(database.db, `${SECRET}!`).open('UTC', 1)).not.toEqual(one);
  const rows = await database.db.select().from(visitorSalts);
  expect(rows.map(({ random }) => random)).not.toContain(Buffer.from(one).toString('hex'));
});

test('a day that is over is gone for all processes', async () => {
  const store = openSaltRows(database.db, SECRET);
  const before = await store.open('UTC', 1);
  await store.forget((_, day) => day < 2);
  const rows = await database.db.select().from(visitorSalts);
  expect(rows.map(({ day }) => day)).toEqual([2]);
  expect(await store.open('UTC', 1)).not.toEqual(before);
});
