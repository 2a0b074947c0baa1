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
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../src/doctor/finding.ts';
import { buildDatabase } from '../places/build-database.ts';
import { runCommand } from '../support/command.ts';
import { startProcess } from '../support/process.ts';
import {
  change,
  copyInstallation,
  createInstallation,
  filesOf,
  HOSTILE_SCHEMAS,
  type Installation,
} from './support.ts';

setDefaultTimeout(60_000); // every test starts processes

let original: Installation;
let installation: Installation;
beforeAll(async () => {
  original = await createInstallation(1_500);
  writeFileSync(join(original.path, 'secret'), 'a secret for tests, of 32 characters or more', {
    mode: 0o600,
  });
  // Files that are for their owner alone, and a backup: as the service leaves them.
  chmodSync(original.databasePath, 0o600);
  expect(await runCommand({ DATA_DIR: original.path }, 'backup')).toMatchObject({ code: 0 });
});
afterAll(() => original.remove());
beforeEach(() => {
  installation = copyInstallation(original);
});
afterEach(() => installation.remove());

async function examine(env: Record<string, string> = {}, ...args: string[]) {
  const { code, out, err } = await runCommand(
    { DATA_DIR: installation.path, ...env },
    'doctor',
    '--json',
    ...args,
  );
  expect(err).toBe('');
  return { code, findings: JSON.parse(out) as Finding[] };
}

const levels = (findings: Finding[]) =>
  Object.fromEntries(findings.map(({ check, level }) => [check, level]));
const WELL: Record<string, Finding['level']> = {
  settings: 'ok',
  directory: 'ok',
  secret: 'ok',
  permissions: 'ok',
  space: 'ok',
  'write-ahead log': 'ok',
  backup: 'ok',
  copies: 'ok',
  schema: 'ok',
  integrity: 'ok',
  references: 'ok',
  counters: 'ok',
  statistics: 'ok',
  'free pages': 'ok',
};

describe('pagemeter doctor', () => {
  test('finds nothing where all is well, whether the service runs or not, and leaves nothing behind', async () => {
    const { code, findings } = await examine({}, '--deep');
    expect(levels(findings)).toEqual({ ...WELL, answers: 'ok' });
    expect(code).toBe(0);
    expect(findings.find(({ check }) => check === 'answers')?.message).toBe(
      'Rebuilt from 1500 events, the statistics give the same answers.',
    );
    expect(findings.find(({ check }) => check === 'backup')?.message).toBe('The latest was made this hour.');
    expect(filesOf(installation.backupsDir).filter((name) => name.startsWith('.'))).toEqual([]);

    const service = await startProcess({ DATA_DIR: installation.path });
    const meanwhile = await examine({}, '--deep');
    await service.stop();
    expect(levels(meanwhile.findings)).toEqual({ ...WELL, answers: 'ok' });
  });

  test('prints a line for each, with what to do', async () => {
    chmodSync(join(installation.path, 'secret'), 0o644);
    const { code, out } = await runCommand({ DATA_DIR: installation.path }, 'doctor');
    expect(code).toBe(1);
    expect(out).toContain('ok     integrity: Every page and index is sound.\n');
    expect(out).toContain(
      `fault  secret: ${installation.path}/secret can be read by other users of this machine.\n` +
        `       Run: chmod 600 ${installation.path}/secret\n`,
    );
  });

  const FAULTS: [string, (path: string) => void, Record<string, Finding['level']>][] = [
    [
      'a counter that differs from the log',
      (path) => change(path, 'UPDATE event_counts SET count = count + 1'),
      { counters: 'fault' },
    ],
    [
      'statistics that lack an event',
      (path) =>
        change(
          path,
          `INSERT INTO events (event_id, website_key, created_at_ms, type, url, session_id, visitor_id)
             SELECT x'00', website_key, created_at_ms, type, url, session_id, visitor_id FROM events LIMIT 1`,
          'UPDATE event_counts SET count = count + 1',
          "UPDATE analytics_state SET value = (SELECT max(key) FROM events) WHERE name = 'checkpoint'",
          'UPDATE website_states SET taken_until = (SELECT max(key) FROM events)',
        ),
      { statistics: 'fault' },
    ],
    ['a segment that is not there', (path) => change(path, 'DELETE FROM segments'), { statistics: 'fault' }],
    [
      'a segment without one of its parts',
      (path) => change(path, 'DELETE FROM segment_parts WHERE key % 8 = 0'),
      { statistics: 'fault' },
    ],
    [
      'a segment whose part is damaged',
      (path) => change(path, "UPDATE segment_parts SET data = x'00' WHERE key % 8 = 2"),
      { statistics: 'fault' },
    ],
    [
      'a segment that holds an event too many',
      (path) => change(path, 'UPDATE segments SET events = events + 1'),
      { statistics: 'fault' },
    ],
    [
      'statistics that are ahead of the log',
      (path) => change(path, "UPDATE analytics_state SET value = 999999 WHERE name = 'checkpoint'"),
      { statistics: 'fault' },
    ],
    [
      'events of no website',
      (path) => change(path, 'PRAGMA foreign_keys = OFF', 'DELETE FROM websites'),
      { references: 'fault' },
    ],
    [
      'an index that lacks a row',
      (path) => {
        const rewrite = (sql: string) =>
          change(
            path,
            'PRAGMA writable_schema = ON',
            `UPDATE sqlite_schema SET sql = ${sql} WHERE name = 'events_website_time'`,
          );
        rewrite("sql || ' WHERE key > 1'");
        change(path, 'UPDATE events SET created_at_ms = created_at_ms + 1 WHERE key = 1');
        rewrite("replace(sql, ' WHERE key > 1', '')");
      },
      { integrity: 'fault' },
    ],
    [
      'a file that another program has marked as its own',
      (path) => change(path, 'PRAGMA application_id = 42'),
      { schema: 'fault' },
    ],
    [
      'an erasure that was cut off',
      (path) => change(path, "INSERT INTO erasures (website_key, events) SELECT key, '[1]' FROM websites"),
      { statistics: 'warn' },
    ],
    [
      'a removal that the statistics have not followed',
      (path) =>
        change(
          path,
          'DELETE FROM events WHERE key = 1',
          'UPDATE event_counts SET count = count - 1',
          "INSERT INTO removals (website_key, events, removed_at_ms) SELECT key, '[1]', 0 FROM websites",
        ),
      { statistics: 'warn' },
    ],
    ['other users who may read it', (path) => chmodSync(path, 0o644), { permissions: 'warn' }],
    [
      'a backup that failed',
      (path) => writeFileSync(join(path, '../last-backup.json'), '{"finishedAtMs":1,"ok":false}'),
      { backup: 'fault' },
    ],
    [
      'a backup that is old',
      (path) => writeFileSync(join(path, '../last-backup.json'), '{"finishedAtMs":1,"ok":true}'),
      { backup: 'warn' },
    ],
  ];
  test.each(FAULTS)('finds %s', async (_what, spoil, expected) => {
    spoil(installation.databasePath);
    const { code, findings } = await examine();
    expect(levels(findings)).toMatchObject(expected);
    expect(code).toBe(Object.values(expected).includes('fault') ? 1 : 0);
    for (const { level, advice } of findings) expect(level === 'ok' || advice).toBeTruthy();
  });

  test('finds answers that differ from the log, only when asked to look deeply', async () => {
    // As many events in each segment as before, of another page.
    change(installation.databasePath, "UPDATE terms SET text = 'elsewhere' WHERE text = '/'");
    expect(levels((await examine()).findings)).toEqual(WELL);
    const { code, findings } = await examine({}, '--deep');
    expect(levels(findings)).toEqual({ ...WELL, answers: 'fault' });
    expect(code).toBe(1);
  });

  test('compares no answers while statistics are derived again by rules of this version', async () => {
    change(installation.databasePath, 'UPDATE segments SET rules = 0');
    const { code, findings } = await examine({}, '--deep');
    expect(levels(findings)).toEqual({ ...WELL, answers: 'warn' });
    expect(code).toBe(0);
  });

  test.each(HOSTILE_SCHEMAS)(
    'finds %s of another program, and reads no further',
    async (_what, sql, sentence) => {
      change(installation.databasePath, sql);
      const { code, findings } = await examine();
      expect(code).toBe(1);
      expect(findings.filter(({ level }) => level === 'fault')).toEqual([
        {
          check: 'schema',
          level: 'fault',
          message: `It was changed by another program: ${sentence}.`,
          advice: 'Stop the service and restore the latest backup: pagemeter restore FILE --replace',
        },
      ]);
    },
  );

  test('says what the files of GEO_DATABASE hold, how old they are, and which cannot be used', async () => {
    const record = { '0.0.0.0/1': { country_code: 'NZ' }, '128.0.0.0/1': { country_code: 'NZ' } };
    const [old, young, broken] = ['old', 'young', 'broken'].map((name) =>
      join(installation.path, `${name}.mmdb`),
    );
    writeFileSync(
      String(old),
      buildDatabase(record, { type: 'Cities', madeAt: new Date(Date.UTC(2020, 1, 3)) }),
    );
    writeFileSync(
      String(young),
      buildDatabase({ '2000::/3': { country_code: 'NZ' } }, { ipVersion: 6, madeAt: new Date() }),
    );
    writeFileSync(String(broken), 'not a database');
    const places = async (...files: unknown[]) =>
      (await examine({ GEO_DATABASE: files.join(' , ') })).findings.filter(({ check }) => check === 'places');
    expect(await places(old, young)).toMatchObject([
      {
        level: 'warn',
        message: expect.stringMatching(
          /old\.mmdb \(Cities, IPv4\) was made on 2020-02-03, \d{4,} days ago\.$/,
        ),
      },
      {
        level: 'ok',
        message: expect.stringMatching(/young\.mmdb \(test, IPv6\) was made on \S+, 0 days ago\.$/),
      },
    ]);
    expect(await places(broken)).toEqual([
      {
        check: 'places',
        level: 'fault',
        message: `GEO_DATABASE ${broken} cannot be used: it is cut short, compressed, or not in the MaxMind format (.mmdb).`,
        advice: 'Name a file in the MaxMind format, or none.',
      },
    ]);
    expect((await examine({ GEO_DATABASE: 'a,b,c' })).findings).toEqual([
      {
        check: 'settings',
        level: 'fault',
        message: 'GEO_DATABASE lists 3 files; it takes at most 2.',
        advice: 'Mend it in the environment or .env.',
      },
    ]);
  });

  test('finds faulty settings, and a database that is none', async () => {
    expect(await examine({ PORT: 'x' })).toEqual({
      code: 1,
      findings: [
        {
          check: 'settings',
          level: 'fault',
          message: 'PORT must be a whole number from 0 to 65535, not "x".',
          advice: 'Mend it in the environment or .env.',
        },
      ],
    });
    writeFileSync(installation.databasePath, 'a text of some length instead of a database, really');
    const damaged = await examine();
    expect(damaged.code).toBe(1);
    expect(levels(damaged.findings)).toMatchObject({ database: 'fault' });
  });

  const nowhere = () => join(installation.path, 'nowhere');
  const NOT_THERE: [string, () => Record<string, string>, (path: string) => string[]][] = [
    [
      'DATA_DIR',
      () => ({ DATA_DIR: nowhere() }),
      () => [
        `fault  directory: There is no directory ${nowhere()}.`,
        '       Set DATA_DIR as the service does; its first start makes the directory.',
        `fault  database: There is no database at ${nowhere()}/pagemeter.db: ${nowhere()} is not there.`,
        '       Set DATA_DIR or DATABASE_URL as the service does. Is its volume mounted?',
      ],
    ],
    [
      'DATA_DIR, which is a file',
      () => ({ DATA_DIR: installation.databasePath }),
      (path) => [
        `fault  directory: ${path} is a file.`,
        '       Set DATA_DIR to a directory, as the service does.',
        `fault  database: There is no database at ${path}/pagemeter.db: ${path} is a file.`,
        '       Set DATA_DIR or DATABASE_URL as the service does. Is its volume mounted?',
      ],
    ],
    [
      'the database next to its secret',
      () => ({ DATABASE_URL: 'file:/nowhere/x.db' }),
      () => [
        `ok     directory: ${installation.path} can be written to; the pages and the tracker are made in it at each start.`,
        'ok     secret: It is there, for its owner alone.',
        'ok     copies: Copies that are what their .sha256 says: 1.',
        `fault  database: There is no database at /nowhere/x.db, but ${installation.path}/secret shows that there was one.`,
        '       Put it back (is its volume mounted?), or restore a backup: pagemeter restore FILE',
      ],
    ],
    [
      'the database, whose path is a directory',
      () => ({ DATABASE_URL: `file:${installation.path}` }),
      () => [
        `ok     directory: ${installation.path} can be written to; the pages and the tracker are made in it at each start.`,
        'ok     secret: It is there, for its owner alone.',
        'ok     copies: Copies that are what their .sha256 says: 1.',
        `fault  database: ${installation.path} is a directory.`,
        '       Set DATABASE_URL to the file of the database.',
      ],
    ],
  ];
  test.each(NOT_THERE)('says what is not there: %s', async (_what, settings, expected) => {
    const { code, out, err } = await runCommand({ DATA_DIR: installation.path, ...settings() }, 'doctor');
    expect({ code, err, lines: out.split('\n') }).toEqual({
      code: 1,
      err: '',
      lines: ['ok     settings: They are valid.', ...expected(installation.databasePath), ''],
    });
  });
});
