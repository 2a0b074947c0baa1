import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/open.ts';
import { createDataDir } from '../support/process.ts';

const HELD_MS = 300;

/** A neighbour that keeps the whole file to itself for a while, as the last connection does when it closes. */
const NEIGHBOUR = `
  import Database from 'libsql';
  const database = new Database(process.env.DATABASE);
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('PRAGMA user_version = 1');
  console.log('held');
  setTimeout(() => process.exit(0), ${HELD_MS});
`;

test('waits at the start for another process that holds the file', async () => {
  const directory = createDataDir();
  const path = join(directory.path, 'pagemeter.db');
  const neighbour = Bun.spawn([process.execPath, '-e', NEIGHBOUR], {
    env: { ...process.env, DATABASE: path },
    stdout: 'pipe',
  });
  await neighbour.stdout.getReader().read();

  const database = await openDatabase({ kind: 'file', path }, 'full');

  const [settings] = await database.db.$client.batch(['PRAGMA busy_timeout'], 'read');
  expect(settings?.rows[0]).toMatchObject({ timeout: 0 });
  database.close();
  await neighbour.exited;
  directory.remove();
});
