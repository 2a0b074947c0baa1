import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { LocalClient } from '../../src/db/local-client.ts';
import { openLocalDatabase } from '../../src/db/local-database.ts';

const LOCKED_MS = 60;
const INSERT = { sql: 'INSERT INTO notes (text) VALUES (?)', args: ['written while locked'] };

describe('a database that another process has locked', () => {
  const directories: string[] = [];
  afterEach(() => {
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
  });

  function openBoth() {
    const directory = mkdtempSync(join(tmpdir(), 'pagemeter-'));
    directories.push(directory);
    const path = join(directory, 'test.db');
    const database = openLocalDatabase(path, 'full');
    database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    const neighbour = new Database(path);
    neighbour.exec('BEGIN IMMEDIATE');
    setTimeout(() => neighbour.exec('COMMIT'), LOCKED_MS);
    return { client: new LocalClient(database), neighbour };
  }

  const WRITES: Record<string, (client: LocalClient) => Promise<unknown>> = {
    'a single statement': (client) => client.execute(INSERT),
    'a statement that returns rows': (client) =>
      client.execute({ ...INSERT, sql: `${INSERT.sql} RETURNING id` }),
    'a batch': (client) => client.batch([INSERT]),
  };

  for (const [name, write] of Object.entries(WRITES)) {
    test(`${name} that was reported as done is committed`, async () => {
      const { client, neighbour } = openBoth();
      await Promise.all([1, 2, 3].map(() => write(client)));
      await write(client); // after the lock: the connection must not be left half-way
      expect(neighbour.prepare('SELECT count(*) AS n FROM notes').get()).toMatchObject({ n: 4 });
      neighbour.exec('BEGIN IMMEDIATE'); // the lock is free
      neighbour.exec('COMMIT');
      neighbour.close();
      client.close();
    });
  }

  test('a batch that fails half-way leaves nothing behind', async () => {
    const client = new LocalClient(openLocalDatabase(':memory:', 'full'));
    await client.execute('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
    const failing = client.batch([INSERT, { sql: 'INSERT INTO notes (text) VALUES (NULL)', args: [] }]);
    await expect(failing).rejects.toMatchObject({ extendedCode: 'SQLITE_CONSTRAINT_NOTNULL' });
    const { rows } = await client.execute('SELECT count(*) AS n FROM notes');
    expect(rows[0]?.n).toBe(0);
    client.close();
  });
});
