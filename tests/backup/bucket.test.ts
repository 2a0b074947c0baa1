import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBucket } from '../../src/backup/bucket.ts';
import { runCommand } from '../support/command.ts';
import { createDataDir } from '../support/process.ts';
import { KEYS, startS3Server } from '../support/s3-server.ts';
import { countEvents, createInstallation, filesOf } from './support.ts';

setDefaultTimeout(60_000); // every test starts processes

/** Backups in a bucket, on a server that checks every signature. */

const server = startS3Server();
const { environment, objects, address } = server;
let installation: Awaited<ReturnType<typeof createInstallation>>;
beforeAll(async () => {
  installation = await createInstallation(1_000);
});
beforeEach(() => {
  objects.clear();
  server.spoilWith(undefined);
});
afterAll(() => {
  server.stop();
  installation.remove();
});

const NAME = /^mine\/pagemeter-\d{8}T\d{9}Z\.db$/;
const run = (env: Record<string, string>, ...args: string[]) =>
  runCommand({ DATA_DIR: installation.path, ...environment, ...env }, ...args);

describe('a backup in a bucket', () => {
  test('is sent with its SHA-256, read back, and restored', async () => {
    const { code, out, err } = await run({}, 'backup', '--to', address('mine'));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [name = '', checksumName = ''] = [...objects.keys()].sort();
    expect(name).toMatch(NAME);
    expect(checksumName).toBe(`${name}.sha256`);
    const hash = createHash('sha256')
      .update(objects.get(name) ?? '')
      .digest('hex');
    expect(objects.get(checksumName)?.toString()).toBe(`${hash}  ${name.slice('mine/'.length)}\n`);
    expect(out).toStartWith(`${address(name)}: 1000 events, 1 website`);
    expect(filesOf(installation.backupsDir)).toEqual([]); // the local copy is gone

    const elsewhere = createDataDir();
    const restored = await run({ DATA_DIR: elsewhere.path }, 'restore', address(name));
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect(countEvents(join(elsewhere.path, 'pagemeter.db'))).toBe(1_000);
    elsewhere.remove();
  });

  test('replaces the older ones beyond BACKUP_KEEP, their checksums too, over all pages of the list', async () => {
    const old = [1, 2, 3].map((day) => `mine/pagemeter-2020010${day}T000000Z.db`);
    for (const name of [...old, ...old.map((name) => `${name}.sha256`), 'mine/notes.txt', 'other.db'])
      objects.set(name, Buffer.from('x'));
    const result = await run({ BACKUP_TO: address('mine'), BACKUP_KEEP: '2' }, 'backup');
    expect(result.out).toEndWith('Older ones removed: 2.\n');
    expect([...objects.keys()].sort()).toEqual([
      'mine/notes.txt',
      'mine/pagemeter-20200103T000000Z.db',
      'mine/pagemeter-20200103T000000Z.db.sha256',
      expect.stringMatching(NAME),
      expect.stringMatching(/\.sha256$/),
      'other.db',
    ]);
  });

  test('is refused and removed when what is stored is not what was sent', async () => {
    server.spoilWith((name, bytes) => (name.endsWith('.db') ? bytes.subarray(1) : bytes));
    const { code, err } = await run({}, 'backup', '--to', address('mine'));
    expect(code).toBe(1);
    expect(err).toContain('is not what was sent: its SHA-256 is another one.');
    expect([...objects.keys()]).toEqual([]);
    expect(filesOf(installation.backupsDir)).toEqual([]);
  });

  test('is not restored when it was damaged since', async () => {
    await run({}, 'backup', '--to', address('mine'));
    const [name = ''] = [...objects.keys()].filter((key) => key.endsWith('.db'));
    const bytes = Buffer.from(objects.get(name) ?? '');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    objects.set(name, bytes);
    const elsewhere = createDataDir();
    const result = await run({ DATA_DIR: elsewhere.path }, 'restore', address(name));
    expect(result.code).toBe(1);
    expect(result.err).toContain('is damaged: its SHA-256 is another one.');
    expect(filesOf(elsewhere.path).filter((file) => !file.endsWith('.lock'))).toEqual([]);
    elsewhere.remove();
  });

  const REFUSALS: [string, Record<string, string>, string[], string][] = [
    [
      'a wrong secret, before the work',
      { BACKUP_S3_SECRET_ACCESS_KEY: 'another' },
      ['backup', '--to', address('mine')],
      'SignatureDoesNotMatch',
    ],
    ['a bucket that is not there', {}, ['backup', '--to', 's3://nowhere/mine'], 'NoSuchBucket'],
    [
      'a backup that is not there',
      {},
      ['restore', address('mine/none.db')],
      's3://backups/mine/ does not give none.db',
    ],
    [
      'a bucket instead of a backup',
      {},
      ['restore', 's3://backups'],
      'names a bucket, and not a backup in it.',
    ],
  ];
  test.each(REFUSALS)('tells %s', async (_what, env, args, sentence) => {
    const elsewhere = createDataDir();
    const dataDir = args[0] === 'restore' ? elsewhere.path : installation.path;
    const { code, err } = await run({ DATA_DIR: dataDir, ...env }, ...args);
    expect(code).toBe(1);
    expect(err).toContain(sentence);
    expect(err).not.toContain(KEYS.secretAccessKey);
    elsewhere.remove();
  });

  test('is sent in parts when it is large', async () => {
    const { BACKUP_S3_ENDPOINT: endpoint, BACKUP_S3_REGION: region } = environment;
    const bucket = openBucket({ endpoint, region, ...KEYS }, { bucket: 'backups', prefix: 'large/' });
    const path = join(installation.path, 'large');
    const bytes = Buffer.alloc(20 * 1024 * 1024, 'some text that is long');
    writeFileSync(path, bytes);
    const hash = createHash('sha256').update(bytes).digest('hex');
    await bucket.upload('file', path);
    expect(await bucket.checksum('file')).toBe(hash);
    expect(server.largestParts()).toBe(3);
    expect(server.unfinishedUploads()).toBe(0);
  }, 60_000);
});
