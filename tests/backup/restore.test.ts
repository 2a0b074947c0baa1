import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { lockInstance } from '../../src/db/instance-lock.ts';
import { runCommand } from '../support/command.ts';
import {
  change,
  copyInstallation,
  countEvents,
  createInstallation,
  filesOf,
  HOSTILE_SCHEMAS,
  type Installation,
  readValue,
} from './support.ts';

setDefaultTimeout(60_000); // every test starts processes

const EVENTS = 1_000;
const ASIDE = /^pagemeter-replaced-\d{8}T\d{9}Z\.db$/;

let original: Installation;
let installation: Installation;
let backup: string;
beforeAll(async () => {
  original = await createInstallation(EVENTS);
  const to = join(original.path, 'backup.db');
  expect(await runCommand({ DATA_DIR: original.path }, 'backup', '--to', to)).toMatchObject({ code: 0 });
});
afterAll(() => original.remove());
beforeEach(() => {
  installation = copyInstallation(original);
  backup = join(installation.path, 'backup.db');
});
afterEach(() => installation.remove());

const run = (...args: string[]) => runCommand({ DATA_DIR: installation.path }, ...args);
const asides = () => filesOf(installation.path).filter((name) => ASIDE.test(name));

describe('pagemeter restore', () => {
  test('puts the backup in place of the database, and keeps that under another name', async () => {
    change(installation.databasePath, "UPDATE websites SET name = 'Changed since'");
    const { code, out, err } = await run('restore', backup, '--replace');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [aside = '', ...others] = asides();
    expect(others).toEqual([]);
    const path = join(installation.path, aside);
    expect(out).toBe(
      `${installation.databasePath} is restored: ${EVENTS} events, 1 website, verified.\n` +
        `What was there is now ${path}; delete it when all is well.\n`,
    );
    expect(readValue(installation.databasePath, 'SELECT name FROM websites')).toBe('Example');
    expect(readValue(path, 'SELECT name FROM websites')).toBe('Changed since');
    expect(statSync(installation.databasePath).mode & 0o777).toBe(0o600);
    expect(countEvents(backup)).toBe(EVENTS); // it is still there
  });

  test('leaves a link where it is, and replaces what it leads to', async () => {
    const DATA_DIR = join(installation.path, 'linked');
    const link = join(DATA_DIR, 'pagemeter.db');
    mkdirSync(DATA_DIR);
    symlinkSync(installation.databasePath, link);
    change(installation.databasePath, "UPDATE websites SET name = 'Changed since'");
    const { code, err } = await runCommand({ DATA_DIR }, 'restore', backup, '--replace');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(readlinkSync(link)).toBe(installation.databasePath);
    expect(readValue(installation.databasePath, 'SELECT name FROM websites')).toBe('Example');
    expect(asides()).toHaveLength(1);
  });

  test('works where there is no database', async () => {
    const DATA_DIR = join(installation.path, 'new', 'place');
    const { code, out } = await runCommand({ DATA_DIR }, 'restore', backup);
    expect({ code, out }).toEqual({
      code: 0,
      out: `${join(DATA_DIR, 'pagemeter.db')} is restored: ${EVENTS} events, 1 website, verified.\n`,
    });
    expect(countEvents(join(DATA_DIR, 'pagemeter.db'))).toBe(EVENTS);
  });

  test('replaces a damaged database too, and never mixes its write-ahead log with the backup', async () => {
    writeFileSync(installation.databasePath, 'garbage');
    writeFileSync(`${installation.databasePath}-wal`, 'its log');
    expect(await run('restore', backup, '--replace')).toMatchObject({ code: 0, err: '' });
    expect(countEvents(installation.databasePath)).toBe(EVENTS);
    const [aside = ''] = asides();
    expect(await Bun.file(join(installation.path, aside)).text()).toBe('garbage');
    expect(await Bun.file(join(installation.path, `${aside}-wal`)).text()).toBe('its log');
  });

  test('a log that lies there without its database is removed', async () => {
    const DATA_DIR = join(installation.path, 'half');
    await runCommand({ DATA_DIR }, 'restore', backup);
    const path = join(DATA_DIR, 'pagemeter.db');
    copyFileSync(path, join(DATA_DIR, 'away.db'));
    await Bun.file(path).delete();
    writeFileSync(`${path}-wal`, 'a log of nothing');
    expect(await runCommand({ DATA_DIR }, 'restore', backup)).toMatchObject({ code: 0 });
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  const REFUSALS: [string, () => string[] | Promise<string[]>, string][] = [
    ['a database that is there, unless asked', () => [backup], 'With --replace it is kept'],
    [
      'a file that is not there',
      () => ['/nowhere/x.db', '--replace'],
      'There is no file /nowhere/x.db: /nowhere is not a directory. Is its volume mounted?',
    ],
    ['a file that is not there, before anything else', () => ['/nowhere/x.db'], 'There is no file /nowhere'],
    ['a path that leads through a file', () => [join(backup, 'x.db')], '/backup.db is not a directory.'],
    ['a directory', () => [installation.path, '--replace'], 'is a directory: name one of the backups in it.'],
    [
      'a file that is not a database',
      () => {
        writeFileSync(backup, 'not a database at all, but long enough to be looked at');
        return [backup, '--replace'];
      },
      '/backup.db is not a database.',
    ],
    [
      'an empty file',
      () => {
        writeFileSync(backup, '');
        return [backup, '--replace'];
      },
      '/backup.db is empty.',
    ],
    [
      "another program's database",
      async () => {
        await Bun.file(backup).delete();
        change(backup, 'CREATE TABLE events (a)');
        return [backup, '--replace'];
      },
      'is not a database of Pagemeter: it holds the tables of another program.',
    ],
    [
      'a file that another program has marked as its own',
      () => {
        change(backup, 'PRAGMA application_id = 42');
        return [backup, '--replace'];
      },
      'is not a database of Pagemeter: it belongs to another program (application_id 42).',
    ],
    [
      'a file that lacks its last bytes',
      () => {
        truncateSync(backup, statSync(backup).size - 100);
        return [backup, '--replace'];
      },
      '/backup.db is cut off: it lacks 100 of its ',
    ],
    [
      'a file that lacks half of its bytes',
      () => {
        truncateSync(backup, statSync(backup).size / 2);
        return [backup, '--replace'];
      },
      '/backup.db is cut off: it lacks ',
    ],
    [
      'a database that does not know its version',
      () => {
        change(backup, 'DELETE FROM __drizzle_migrations');
        return [backup, '--replace'];
      },
      'is damaged: it does not say which changes its tables have seen.',
    ],
    [
      'a backup of a newer version',
      () => {
        change(backup, "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('x', 9999999999999)");
        return [backup, '--replace'];
      },
      'was written by a newer version of Pagemeter; update Pagemeter first.',
    ],
    ...HOSTILE_SCHEMAS.map(([what, sql, sentence]): [string, () => string[], string] => [
      `a backup with ${what}`,
      () => {
        change(backup, sql);
        return [backup, '--replace'];
      },
      sentence,
    ]),
    [
      'a database in use, whose log is next to it',
      () => {
        writeFileSync(`${backup}-wal`, 'log');
        return [backup, '--replace'];
      },
      'is a database in use, and not a backup',
    ],
  ];
  test.each(REFUSALS)('refuses %s, and changes nothing', async (_what, prepare, sentence) => {
    const before = await Bun.file(installation.databasePath).bytes();
    rmSync(`${backup}.sha256`); // which would show most of them by itself
    const { code, err } = await run('restore', ...(await prepare()));
    expect(code).toBe(1);
    expect(err).toContain(sentence);
    expect(Buffer.compare(await Bun.file(installation.databasePath).bytes(), before)).toBe(0);
    expect(asides()).toEqual([]);
    expect(filesOf(installation.path).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('makes nothing of its own before the backup is judged', async () => {
    const DATA_DIR = join(installation.path, 'new', 'place');
    expect(await runCommand({ DATA_DIR }, 'restore', '/nowhere/x.db')).toMatchObject({ code: 1 });
    expect(existsSync(join(installation.path, 'new'))).toBe(false);
  });

  test('refuses a directory in the place of the database', async () => {
    const DATABASE_URL = `file:${installation.backupsDir}`;
    mkdirSync(installation.backupsDir);
    const { code, err } = await runCommand({ DATABASE_URL }, 'restore', backup, '--replace');
    expect({ code, err }).toEqual({
      code: 1,
      err: `${installation.backupsDir} is a directory, and no database.\n`,
    });
  });

  test('makes the restored database writable for its owner alone, whatever the copy was', async () => {
    chmodSync(backup, 0o444);
    const DATA_DIR = join(installation.path, 'other');
    expect(await runCommand({ DATA_DIR }, 'restore', backup)).toMatchObject({ code: 0, err: '' });
    expect(statSync(join(DATA_DIR, 'pagemeter.db')).mode & 0o777).toBe(0o600);
  });

  test('refuses while the service runs', async () => {
    const unlock = lockInstance(installation.databasePath);
    const { code, err } = await run('restore', backup, '--replace');
    unlock();
    expect(code).toBe(1);
    expect(err).toContain('Another Pagemeter is already running');
    expect(asides()).toEqual([]);
  });

  test('says that a database on a server is not its business', async () => {
    const { code, err } = await runCommand({ DATABASE_URL: 'http://127.0.0.1:1' }, 'restore', backup);
    expect({ code, err }).toEqual({
      code: 1,
      err: "The database is on a server (DATABASE_URL): use the server's own means to restore it.\n",
    });
  });
});
