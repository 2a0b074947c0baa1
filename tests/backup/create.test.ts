import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { copyDatabase } from '../../src/backup/copy.ts';
import { backupName, findSuperfluous, partialOf } from '../../src/backup/files.ts';
import { readLastBackup } from '../../src/backup/last-backup.ts';
import { lockBackups } from '../../src/db/instance-lock.ts';
import { runCommand } from '../support/command.ts';
import {
  BACKUP_NAME,
  change,
  countEvents,
  createInstallation,
  filesOf,
  mountSmallDisk,
  NO_SMALL_DISK,
  readValue,
} from './support.ts';

setDefaultTimeout(60_000); // every test starts processes

const PERMISSIONS = 0o777;
const EVENTS = 2_500;

let installation: Awaited<ReturnType<typeof createInstallation>>;
beforeAll(async () => {
  installation = await createInstallation(EVENTS);
});
afterAll(() => installation.remove());

const run = (...args: string[]) => runCommand({ DATA_DIR: installation.path }, ...args);

describe('pagemeter backup', () => {
  test('makes a sound copy of its own name, for its owner alone, and says what it holds', async () => {
    const { code, out, err } = await run('backup');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [name = '', ...others] = filesOf(installation.backupsDir);
    expect(others).toEqual([`${name}.sha256`]);
    expect(name).toMatch(BACKUP_NAME);
    const path = join(installation.backupsDir, name);
    expect(out).toBe(`${path}: ${EVENTS} events, 1 website, 1 MiB, verified.\n`);
    expect(statSync(path).mode & PERMISSIONS).toBe(0o600);
    expect(statSync(installation.backupsDir).mode & PERMISSIONS).toBe(0o700);
    expect(readValue(path, 'PRAGMA integrity_check')).toBe('ok');
    expect(countEvents(path)).toBe(EVENTS);
    expect(readLastBackup(installation.path)).toEqual({ finishedAtMs: expect.any(Number), ok: true });
  });

  test('keeps as many as BACKUP_KEEP says, the latest, and leaves other files alone', async () => {
    const to = join(installation.path, 'kept');
    mkdirSync(to);
    const old = ['20200101', '20210101', '20220101'].map((day) => `pagemeter-${day}T000000Z.db`);
    const sums = old.map((name) => `${name}.sha256`);
    for (const name of [...old, ...sums, 'notes.txt', 'pagemeter-schema-1-20200101T000000Z.db'])
      writeFileSync(join(to, name), '');
    const { out } = await runCommand(
      { DATA_DIR: installation.path, BACKUP_TO: to, BACKUP_KEEP: '2' },
      'backup',
    );
    expect(out).toEndWith('Older ones removed: 2.\n');
    expect(filesOf(to)).toEqual([
      'notes.txt',
      'pagemeter-20220101T000000Z.db',
      'pagemeter-20220101T000000Z.db.sha256',
      expect.stringMatching(BACKUP_NAME),
      expect.stringMatching(/Z\.db\.sha256$/),
      'pagemeter-schema-1-20200101T000000Z.db',
    ]);
  });

  test('never counts the one that was just made among the superfluous', () => {
    const names = [1, 2, 3].map((day) => backupName(Date.UTC(2026, 0, day)));
    expect(findSuperfluous(names, names[0] ?? '', 2)).toEqual([names[1] ?? '']);
    expect(findSuperfluous(names, names[2] ?? '', 1)).toEqual([names[1] ?? '', names[0] ?? '']);
  });

  test('has another name than one of the same second, and the later sorts after the earlier', () => {
    const atMs = Date.UTC(2026, 0, 1);
    expect([backupName(atMs), backupName(atMs + 1)]).toEqual([
      'pagemeter-20260101T000000000Z.db',
      'pagemeter-20260101T000000001Z.db',
    ]);
  });

  test('--to writes a file of the given name, or one with its own name into a directory, and removes nothing', async () => {
    const to = join(installation.path, 'given');
    mkdirSync(to);
    writeFileSync(join(to, 'pagemeter-20200101T000000Z.db'), '');
    expect(await run('backup', '--to', join(to, "it's mine.db"))).toMatchObject({ code: 0, err: '' });
    expect(await run('backup', '--to', to)).toMatchObject({ code: 0, err: '' });
    expect(filesOf(to)).toEqual([
      "it's mine.db",
      "it's mine.db.sha256",
      'pagemeter-20200101T000000Z.db',
      expect.stringMatching(BACKUP_NAME),
      expect.stringMatching(/Z\.db\.sha256$/),
    ]);
  });

  const NEW_PLACES: [to: string, made: RegExp][] = [
    ['one.db', /^one\.db$/],
    ['deep/down/one.db', /^deep\/down\/one\.db$/],
    ['disk', /^disk\/pagemeter-\d{8}T\d{9}Z\.db$/],
    ['disk/', /^disk\/pagemeter-\d{8}T\d{9}Z\.db$/],
    ['disk.db/', /^disk\.db\/pagemeter-\d{8}T\d{9}Z\.db$/],
    ['copy.sqlite', /^copy\.sqlite\/pagemeter-\d{8}T\d{9}Z\.db$/],
    ['.db', /^\.db\/pagemeter-\d{8}T\d{9}Z\.db$/],
  ];
  test.each(NEW_PLACES)(
    '--to %s, which is not there, makes it and says where the copy is',
    async (to, made) => {
      const place = mkdtempSync(join(installation.path, 'new-'));
      const { code, out } = await run('backup', '--to', `${place}/${to}`);
      expect(code).toBe(0);
      const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((file) =>
        file.isFile(),
      );
      const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
      expect(paths.map((path) => relative(place, path))).toEqual([
        expect.stringMatching(made),
        `${relative(place, paths[0] ?? '')}.sha256`,
      ]);
      expect(out).toStartWith(`${paths[0]}: ${EVENTS} events, `);
    },
  );

  test('leaves out what was deleted', async () => {
    const secret = `erased-${crypto.randomUUID()}`;
    for (const statement of [
      'CREATE TABLE junk (text)',
      `INSERT INTO junk VALUES ('${secret}')`,
      'DROP TABLE junk',
    ])
      change(installation.databasePath, statement, 'PRAGMA wal_checkpoint(TRUNCATE)');
    const holds = async (path: string) => Buffer.from(await Bun.file(path).bytes()).includes(secret);
    const path = join(installation.path, 'clean.db');
    expect(await run('backup', '--to', path)).toMatchObject({ code: 0 });
    expect(await holds(installation.databasePath)).toBe(true); // else it proves nothing
    expect(await holds(path)).toBe(false);
  });

  test('removes what a killed one left', async () => {
    const left = ['db.partial', 'db.sha256.partial'].map((kind) =>
      join(installation.backupsDir, `.pagemeter-20200101T000000Z.${kind}`),
    );
    for (const path of left) writeFileSync(path, 'half');
    expect(await run('backup', '--to', `${installation.backupsDir}/`)).toMatchObject({ code: 0 });
    expect(left.filter((path) => existsSync(path))).toEqual([]);
  });

  const taken = () => join(installation.path, 'secret-notes');
  const REFUSALS: [
    string,
    () => { args: string[]; env?: Record<string, string>; sentence: string; code?: number },
  ][] = [
    [
      'a file that exists',
      () => {
        writeFileSync(taken(), 'mine');
        return { args: ['--to', taken()], sentence: `${taken()} exists already.` };
      },
    ],
    [
      'a database that is not there',
      () => ({
        args: [],
        env: { DATA_DIR: join(installation.path, 'none') },
        sentence: `There is no database at ${join(installation.path, 'none', 'pagemeter.db')}.`,
      }),
    ],
    [
      'a database in a directory that cannot be entered',
      () => {
        const loop = join(installation.path, 'loop');
        symlinkSync('loop', loop);
        const sentence = `${join(loop, 'pagemeter.db')} cannot be looked at: ELOOP`;
        return { args: [], env: { DATA_DIR: loop }, sentence };
      },
    ],
    [
      'a database on a server',
      () => ({
        args: [],
        env: { DATABASE_URL: 'http://127.0.0.1:1' },
        sentence: "The database is on a server (DATABASE_URL): use the server's own means to back it up.",
      }),
    ],
    [
      'a database in memory',
      () => ({ args: [], env: { DATABASE_URL: ':memory:' }, sentence: 'nothing else can reach it' }),
    ],
    ['a bucket without keys', () => ({ args: ['--to', 's3://bucket'], sentence: 'BACKUP_S3_ACCESS_KEY_ID' })],
    ['a short name of a bucket', () => ({ args: ['--to', 's3://x/y'], sentence: 'with 3 to 63' })],
    ['an unknown place', () => ({ args: ['--to', 'ftp://x/y'], sentence: 'is neither a path nor s3://' })],
    [
      'an unknown flag',
      () => ({ args: ['--form', 'x'], sentence: "error: unknown option '--form'", code: 2 }),
    ],
  ];
  for (const [what, prepare] of REFUSALS) {
    test(`refuses ${what} with a sentence`, async () => {
      const { args, env = {}, sentence, code = 1 } = prepare();
      const result = await runCommand({ DATA_DIR: installation.path, ...env }, 'backup', ...args);
      expect(result).toEqual({ code, out: '', err: expect.stringContaining(sentence) });
    });
  }

  test('is made by one process at a time', async () => {
    const unlock = lockBackups(installation.databasePath);
    try {
      expect(await run('backup')).toMatchObject({ code: 1, err: expect.stringContaining('Try again when') });
      expect(readLastBackup(installation.path)).toMatchObject({ ok: false });
    } finally {
      unlock();
    }
    expect(await run('backup')).toMatchObject({ code: 0 });
  });

  test('refuses a damaged database, and leaves nothing', async () => {
    const damaged = await createInstallation(1_000);
    change(damaged.databasePath, 'UPDATE event_counts SET count = count + 1');
    const result = await runCommand({ DATA_DIR: damaged.path }, 'backup');
    expect(result.code).toBe(1);
    expect(result.err).toContain('pagemeter.db is damaged: it holds 1000 events, and its counters say 1001');
    expect(filesOf(damaged.backupsDir)).toEqual([]);
    expect(readLastBackup(damaged.path)).toMatchObject({ ok: false, error: result.err.trim() });
    damaged.remove();
  });

  test.skipIf(NO_SMALL_DISK !== undefined)(
    `refuses a disk that is too small before it begins${NO_SMALL_DISK ? ` (${NO_SMALL_DISK})` : ''}`,
    async () => {
      const disk = join(installation.path, 'disk');
      mkdirSync(disk);
      const unmount = mountSmallDisk(disk, 8);
      try {
        const result = await run('backup', '--to', `${disk}/`);
        expect(result).toMatchObject({ code: 1, out: '' });
        expect(result.err).toStartWith(`${disk} has 8 MiB free; a copy needs `);
        expect(filesOf(disk)).toEqual([]);
      } finally {
        unmount();
      }
    },
  );

  test.skipIf(NO_SMALL_DISK !== undefined)(
    `says so when the disk fills up on the way${NO_SMALL_DISK ? ` (${NO_SMALL_DISK})` : ''}`,
    () => {
      const disk = join(installation.path, 'full');
      mkdirSync(disk);
      const unmount = mountSmallDisk(disk, 1);
      try {
        writeFileSync(join(disk, 'filling'), Buffer.alloc(900 * 1024));
        const partial = partialOf(join(disk, 'x.db'));
        expect(() => copyDatabase(installation.databasePath, partial)).toThrow(`The disk of ${disk} is full`);
      } finally {
        Bun.gc(true);
        unmount();
      }
    },
  );
});
