import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadLog } from '../../bench/analytics/quick/load.ts';
import { openDatabase } from '../../src/db/open.ts';
import { users } from '../../src/db/schema.ts';
import { exportWebsite } from '../../src/exports/export-website.ts';
import { openExportFile } from '../../src/exports/file.ts';
import { readForm } from '../../src/exports/request.ts';
import { openRanges } from '../../src/storage/open.ts';
import { runCommand, spawnCommand } from '../support/command.ts';
import { createDataDir } from '../support/process.ts';
import { startS3Server } from '../support/s3-server.ts';

setDefaultTimeout(120_000);

const EVENTS = 50_000;
const dataDir = createDataDir();
const environment = { DATA_DIR: dataDir.path };
const at = (name: string) => join(dataDir.path, name);
const run = (...args: string[]) => runCommand(environment, 'export', ...args, '--quiet');
const toSha256 = (name: string) => Bun.CryptoHasher.hash('sha256', readFileSync(at(name)), 'hex');

beforeAll(async () => {
  const path = at('pagemeter.db');
  await loadLog(path, EVENTS);
  const { db, local, close } = await openDatabase({ kind: 'file', path }, 'full');
  const email = 'owner@example.com';
  await db.insert(users).values({ id: 'owner', email, emailKey: email, passwordHash: '', createdAtMs: 0 });
  local?.exec("UPDATE websites SET user_id = 'owner'");
  close();
});
afterAll(() => dataDir.remove());

test('an export killed again and again continues to the same bytes, with its SHA-256 next to it', async () => {
  const range = ['--website', 'website-0', '--to', '2026-10-05'];
  for (const name of ['whole.ndjson.gz', 'whole.parquet']) {
    expect(await run(at(name), ...range)).toMatchObject({ code: 0, err: '' });
    const killed = `killed-${name}`;
    for (let kill = 0; kill < 4; kill += 1) {
      const child = spawnCommand(environment, 'export', at(killed), ...range, '--quiet');
      await Promise.race([Bun.sleep(500 + kill * 150), child.exited]);
      child.kill('SIGKILL');
      await child.exited;
    }
    await run(at(killed), ...range);
    expect(toSha256(killed)).toBe(toSha256(name));
    expect(readFileSync(at(`${killed}.sha256`), 'utf8')).toBe(`${toSha256(name)}  ${killed}\n`);
  }
  expect(
    readdirSync(dataDir.path).filter(
      (name) => /partial|progress|\.lock$/.test(name) && name.includes('killed'),
    ),
  ).toEqual([]);
});

test('an export interrupted behind any group continues there, and has the bytes of one that was not', async () => {
  const database = await openDatabase({ kind: 'file', path: at('pagemeter.db') }, 'full');
  const range = { websiteKey: 1, fromMs: 0, toMs: Date.UTC(2027, 0) };
  const write = async (name: string, stopAt: number) => {
    const to = openExportFile({ path: at(name), fingerprint: 'the same', toMs: range.toMs, progressMs: 0 });
    const form = readForm({}, name);
    const ranges = openRanges(database, undefined);
    const onEvents = (events: number) => {
      if (events >= stopAt) throw new Error('interrupted');
    };
    const { db } = database;
    return exportWebsite({ db, ranges, range, form, to, onEvents }).finally(() => to.close());
  };
  for (const format of ['ndjson.zst', 'csv', 'parquet']) {
    const events = await write(`whole-2.${format}`, Number.POSITIVE_INFINITY);
    for (const stopAt of [10_000, 20_000, events])
      await expect(write(`cut.${format}`, stopAt)).rejects.toThrow('interrupted');
    expect(existsSync(at(`cut.${format}`))).toBe(false);
    expect(await write(`cut.${format}`, Number.POSITIVE_INFINITY)).toBe(events);
    expect(toSha256(`cut.${format}`)).toBe(toSha256(`whole-2.${format}`));
  }
  database.close();
});

test('standard output has the lines of the file', async () => {
  await run(at('some.ndjson'), '--website', 'website-4', '--from', '2026-09-01', '--to', '2026-09-07');
  const { code, out } = await run('--website', 'website-4', '--from', '2026-09-01', '--to', '2026-09-07');
  expect(code).toBe(0);
  expect(out).toBe(readFileSync(at('some.ndjson'), 'utf8'));
  expect(out.split('\n').length).toBeGreaterThan(10);
  for (const line of out.trim().split('\n')) expect(JSON.parse(line).createdAt).toMatch(/^2026-09-0[1-7]T/);
});

test('a range without events gives a file without events', async () => {
  expect(await run(at('none.csv'), '--website', 'website-0', '--to', '2001-01-01')).toMatchObject({
    code: 0,
  });
  expect(readFileSync(at('none.csv'), 'utf8')).toMatch(/^id,createdAt,.*,properties\r\n$/);
  expect(await run(at('none.ndjson.gz'), '--website', 'website-0', '--to', '2001-01-01')).toMatchObject({
    code: 0,
  });
  expect(Bun.gunzipSync(readFileSync(at('none.ndjson.gz')))).toHaveLength(0);
});

test('each day is a file of its own, written again only when its events have changed', async () => {
  const days = at('days');
  const daily = () => run('--daily', days, '--website', 'website-4', '--format', 'ndjson');
  const first = await daily();
  expect(first).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/: \d\d days written, \d+ events\n$/),
  });
  const folder = join(days, 'website=website-4');
  const dates = readdirSync(folder)
    .filter((name) => name.startsWith('date='))
    .sort();
  for (const date of dates.slice(0, 3))
    for (const line of readFileSync(join(folder, date, 'events.ndjson'), 'utf8')
      .trim()
      .split('\n'))
      expect(`date=${JSON.parse(line).createdAt.slice(0, 10)}`).toBe(date);
  expect((await daily()).out).toContain(': 0 days written, 0 events');

  const { local, close } = await openDatabase({ kind: 'file', path: at('pagemeter.db') }, 'full');
  const [gone = '', less = ''] = dates.map((date) => date.slice(5));
  const dayOf = (date: string) => Date.parse(date);
  local?.exec(
    `DELETE FROM events WHERE website_key = 5 AND created_at_ms / 86400000 = ${dayOf(gone) / 86_400_000}`,
  );
  local?.exec(
    `DELETE FROM events WHERE key = (SELECT key FROM events WHERE website_key = 5 AND created_at_ms >= ${dayOf(less)} LIMIT 1)`,
  );
  close();
  expect((await daily()).out).toMatch(/: 1 day written, \d+ events?, 1 day removed\n$/);
  expect(
    readdirSync(folder)
      .filter((name) => name.startsWith('date='))
      .sort(),
  ).toEqual(dates.slice(1));
  expect(readdirSync(join(folder, `date=${less}`))).toEqual(['events.ndjson']);
});

test('the days of all websites go to a bucket, and nothing of them stays here', async () => {
  const server = startS3Server();
  const { environment: bucket, objects, address } = server;
  const { code, err } = await runCommand(
    { ...environment, ...bucket },
    'export',
    '--daily',
    address('days'),
    '--quiet',
  );
  server.stop();
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const names = [...objects.keys()].sort();
  const folders = new Set(names.map((name) => name.split('/')[1]));
  expect([...folders].sort()).toEqual([0, 1, 2, 3, 4].map((index) => `website=website-${index}`));
  const [name = ''] = names.filter((one) => one.endsWith('/events.parquet'));
  const days = JSON.parse(String(objects.get(`${name.split('/').slice(0, 2).join('/')}/_days.json`)));
  const hash = Bun.CryptoHasher.hash('sha256', objects.get(name) ?? '', 'hex');
  expect(days[name.match(/date=([^/]+)/)?.[1] ?? '']).toMatchObject({ sha256: hash });
  expect(readdirSync(at('exports'))).toEqual([]);
});

const REFUSALS: [args: string[], code: number, err: RegExp][] = [
  [['out.csv'], 2, /name the website with --website/],
  [['out.csv', '--website', 'example.net'], 1, /There is no website example\.net/],
  [['out.txt', '--website', 'website-0'], 1, /--format: out\.txt names no format/],
  [['out.csv', '--website', 'website-0', '--format', 'parquet'], 1, /--format: out\.csv has the name of csv/],
  [['out.csv.gz', '--website', 'website-0', '--compress', 'zstd'], 1, /--compress: /],
  [['out.csv', '--website', 'website-0', '--from', '2026-02-30'], 1, /--from: Must be a day/],
  [
    ['out.csv', '--website', 'website-0', '--from', '2026-02-02', '--to', '2026-02-01'],
    1,
    /--to: Must be after from/,
  ],
  [['out.csv', '--daily', 'days'], 2, /--daily names its own files/],
  [['--daily', 'ftp://host/days'], 1, /is neither a directory nor s3:/],
  [['--daily', 's3://my-bucket/days'], 1, /A bucket needs BACKUP_S3_ACCESS_KEY_ID/],
  [['/nowhere/out.csv', '--website', 'website-0'], 1, /There is no directory \/nowhere/],
];
for (const [args, code, err] of REFUSALS)
  test(`refuses: pagemeter export ${args.join(' ')}`, async () => {
    const answer = await run(...args);
    expect(answer.err).toMatch(err);
    expect(answer.code).toBe(code);
    expect(existsSync('out.csv')).toBe(false);
  });

test('a file that is there stays unless it is to be replaced', async () => {
  writeFileSync(at('mine.csv'), 'mine');
  expect(await run(at('mine.csv'), '--website', 'website-0')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--replace'),
  });
  expect(readFileSync(at('mine.csv'), 'utf8')).toBe('mine');
  expect(await run(at('mine.csv'), '--website', 'website-0', '--replace')).toMatchObject({ code: 0 });
  expect(readFileSync(at('mine.csv'), 'utf8')).toStartWith('id,createdAt,');
});
