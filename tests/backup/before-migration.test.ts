import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyBeforeMigration } from '../../src/backup/before-migration.ts';
import { lockInstance } from '../../src/db/instance-lock.ts';
import { openDatabase } from '../../src/db/open.ts';
import { examineCopies } from '../../src/doctor/examine-copies.ts';
import { parseConfig } from '../../src/settings/config.ts';
import { TEST_START_MS } from '../support/clock.ts';
import { runCommand } from '../support/command.ts';
import { createDataDir } from '../support/process.ts';
import { change, filesOf, readValue } from './support.ts';

setDefaultTimeout(60_000); // every test starts processes

const DRIZZLE = join(import.meta.dir, '../../drizzle');

let dataDir: ReturnType<typeof createDataDir>;
let path: string;
let backupsDir: string;
beforeEach(() => {
  dataDir = createDataDir();
  path = join(dataDir.path, 'pagemeter.db');
  backupsDir = join(dataDir.path, 'backups');
});
afterEach(() => dataDir.remove());

/** A database as the first version left it: one change of the tables, one account. */
function createOldDatabase(): void {
  const [first] = JSON.parse(readFileSync(join(DRIZZLE, 'meta/_journal.json'), 'utf8')).entries;
  change(
    path,
    'PRAGMA journal_mode = WAL',
    'CREATE TABLE __drizzle_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, hash text NOT NULL, created_at numeric)',
    ...readFileSync(join(DRIZZLE, `${first.tag}.sql`), 'utf8').split('--> statement-breakpoint'),
    `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', ${first.when})`,
    "INSERT INTO users (id, email, email_key, password_hash, created_at_ms) VALUES ('1', 'a@b.de', 'a@b.de', '-', 0)",
  );
}

async function open(environment: Record<string, string> = {}): Promise<void> {
  const { config } = parseConfig({ DATA_DIR: dataDir.path, ...environment }, '/');
  const beforeMigrating = copyBeforeMigration(config, () => TEST_START_MS);
  const database = await openDatabase(config.database, 'full', { beforeMigrating });
  database.close();
  Bun.gc(true);
}

const journal = (of: string) => readValue(of, 'SELECT count(*) FROM __drizzle_migrations');

describe('the first start of a new version', () => {
  test('copies the database before it changes its tables', async () => {
    createOldDatabase();
    await open();
    expect(Number(journal(path))).toBeGreaterThan(1);
    expect(filesOf(backupsDir)).toEqual([
      'pagemeter-schema-1-20261120T120000000Z.db',
      'pagemeter-schema-1-20261120T120000000Z.db.sha256',
    ]);
    expect(examineCopies([backupsDir])).toMatchObject([{ level: 'ok' }]);
    const copy = join(backupsDir, 'pagemeter-schema-1-20261120T120000000Z.db');
    expect(journal(copy)).toBe(1);
    expect(readValue(copy, 'SELECT email FROM users')).toBe('a@b.de');
  });

  test('keeps three of these copies, the latest, and no other file less', async () => {
    createOldDatabase();
    mkdirSync(backupsDir, { mode: 0o700 });
    const old = ['9-20230101', '1-20240101', '2-20250101'].map((of) => `pagemeter-schema-${of}T000000Z.db`);
    const sums = old.map((name) => `${name}.sha256`);
    for (const name of [...old, ...sums, 'pagemeter-20200101T000000Z.db'])
      writeFileSync(join(backupsDir, name), '');
    await open();
    expect(filesOf(backupsDir)).toEqual([
      'pagemeter-20200101T000000Z.db',
      'pagemeter-schema-1-20240101T000000Z.db',
      'pagemeter-schema-1-20240101T000000Z.db.sha256',
      'pagemeter-schema-1-20261120T120000000Z.db',
      'pagemeter-schema-1-20261120T120000000Z.db.sha256',
      'pagemeter-schema-2-20250101T000000Z.db',
      'pagemeter-schema-2-20250101T000000Z.db.sha256',
    ]);
  });

  test('copies nothing of a new database, nor of one that is up to date', async () => {
    await open();
    await open();
    expect(existsSync(backupsDir)).toBe(false);
  });

  test('changes nothing when the copy cannot be made, and says what to do', async () => {
    createOldDatabase();
    writeFileSync(backupsDir, 'a file in the place of the directory');
    await expect(open()).rejects.toThrow(
      /^The database .*pagemeter\.db cannot be opened: this version changes its tables, and no copy could be made before: .* set BACKUP_BEFORE_UPDATE=off to continue without a copy\.$/,
    );
    Bun.gc(true);
    expect(journal(path)).toBe(1);
    await open({ BACKUP_BEFORE_UPDATE: 'off' });
    expect(Number(journal(path))).toBeGreaterThan(1);
  });

  test('a command does the same, and a backup leaves the tables as they are', async () => {
    createOldDatabase();
    chmodSync(path, 0o600);
    const to = join(dataDir.path, 'old.db');
    expect(await runCommand({ DATA_DIR: dataDir.path }, 'backup', '--to', to)).toMatchObject({ code: 0 });
    expect([journal(path), journal(to)]).toEqual([1, 1]);
    expect(await runCommand({ DATA_DIR: dataDir.path }, 'user', 'list')).toMatchObject({ code: 0 });
    expect(filesOf(backupsDir)).toEqual([
      expect.stringMatching(/^pagemeter-schema-1-.*\.db$/),
      expect.stringMatching(/^pagemeter-schema-1-.*\.db\.sha256$/),
    ]);
  });

  test('a command that needs the file for itself has it once the tables are changed', async () => {
    createOldDatabase();
    chmodSync(path, 0o600);
    expect(await runCommand({ DATA_DIR: dataDir.path }, 'rebuild')).toMatchObject({ code: 0 });
    expect(Number(journal(path))).toBeGreaterThan(1);
  });

  test.each([['user list'], ['rebuild']])('%s does not while a service of before runs', async (command) => {
    createOldDatabase();
    chmodSync(path, 0o600);
    const unlock = lockInstance(path);
    const refused = await runCommand({ DATA_DIR: dataDir.path }, ...command.split(' '));
    unlock();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain(
      'this version has to change its tables first. Another Pagemeter is already running',
    );
    expect([journal(path), existsSync(backupsDir)]).toEqual([1, false]);
  });
});
