import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { openDatabase } from '../../src/db/open.ts';
import { createRandom } from '../../src/demo/random.ts';
import { createDisk } from '../faults/stage/disk.ts';
import { compiler, type Deed, prepareJournal } from '../faults/stage/write-journal.ts';
import { eventFor } from '../support/event.ts';
import { createDataDir, startProcess } from '../support/process.ts';

setDefaultTimeout(60_000); // the service syncs every five seconds

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function dataDir(): string {
  const directory = createDataDir();
  cleanups.push(directory.remove);
  return directory.path;
}

async function open(durability: 'full' | 'normal', path = join(dataDir(), 'pagemeter.db')) {
  const database = await openDatabase(
    path === ':memory:' ? { kind: 'memory' } : { kind: 'file', path },
    durability,
  );
  cleanups.push(database.close);
  return database;
}

describe('a database with DURABILITY=normal', () => {
  test('is synced when something was written, and not twice', async () => {
    const { local, syncLog } = await open('normal');
    const write = (name: string) => local?.exec(`INSERT INTO analytics_state VALUES ('${name}', 1)`);
    expect(await syncLog?.()).toBe(true); // its migrations
    expect(await syncLog?.()).toBe(false);
    write('a');
    expect(await Promise.all([syncLog?.(), syncLog?.()])).toEqual([true, true]); // one for both
    expect(await syncLog?.()).toBe(false);
    write('b');
    expect(await syncLog?.()).toBe(true);
  });

  test('says so when the log cannot be synced, and tries it again', async () => {
    const path = join(dataDir(), 'pagemeter.db');
    const { syncLog } = await open('normal', path);
    rmSync(`${path}-wal`);
    for (const _ of [1, 2]) await expect(syncLog?.()).rejects.toThrow('ENOENT');
  });

  test.skipIf(compiler === null && process.env.CI === undefined)(
    'loses nothing in a power cut some seconds after it was acknowledged',
    async () => {
      const directory = dataDir();
      const journal = prepareJournal(directory);
      cleanups.push(journal.remove);
      const environment = { ...journal.environment, DATA_DIR: directory, DURABILITY: 'normal' };
      const service = await startProcess(environment);
      cleanups.push(service.stop);
      await submitFirst(service.url);
      while (countAfterPowerCut(journal.read()) === 0) await Bun.sleep(100);
    },
  );
});

test('a database whose commits wait for the disk, or that has none, is not synced with them', async () => {
  expect((await open('full')).syncLog).toBeUndefined();
  expect((await open('normal', ':memory:')).syncLog).toBeUndefined();
});

/** The events that are there after the recovery, when only what was synced is left. */
function countAfterPowerCut(deeds: Deed[]): number {
  const directory = mkdtempSync(join(dataDir(), 'power-'));
  const disk = createDisk();
  for (const deed of deeds) if (/^pagemeter\.db(-wal)?$/.test(deed.file)) disk.perform(deed);
  for (const [name, bytes] of disk.cutPower('nothing', createRandom(1)))
    writeFileSync(join(directory, name), bytes);
  const database = new Database(join(directory, 'pagemeter.db'));
  try {
    const tables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'events'").all([]);
    if (tables.length === 0) return 0;
    return database.prepare('SELECT key FROM events').all([]).length;
  } finally {
    database.close();
  }
}

/** Makes an account and a website, and stores its first event. */
async function submitFirst(url: string): Promise<void> {
  const post = async (path: string, body: object, token = '') => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    // The contract's answers: the one to a registration has tokens, the one to a website its code.
    return (await response.json()) as { tokens: { accessToken: string }; trackingCode: string };
  };
  const { tokens } = await post('/auth/register', { email: 'you@example.com', password: 'Correct-horse-9' });
  const website = { name: 'Mine', domain: 'https://example.com' };
  const { trackingCode } = await post('/websites', website, tokens.accessToken);
  await post('/events', eventFor(trackingCode));
}
