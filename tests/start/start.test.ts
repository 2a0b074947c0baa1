import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { HOSTILE_SCHEMAS } from '../backup/support.ts';
import { eventFor } from '../support/event.ts';
import {
  createDataDir,
  type ServiceProcess,
  spawnService,
  startFailure,
  startProcess,
} from '../support/process.ts';
import { PROGRAM, SOURCE } from '../support/program.ts';

const PERMISSIONS = 0o777;

describe('the program', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  function dataDir(): string {
    const directory = createDataDir();
    cleanups.push(directory.remove);
    return directory.path;
  }

  const earlier = createDataDir();
  beforeAll(async () => {
    await (await startProcess({ DATA_DIR: earlier.path })).stop();
  });
  afterAll(() => earlier.remove());

  /** Directory left by an earlier service. */
  function usedDataDir(): string {
    const directory = dataDir();
    cpSync(earlier.path, directory, { recursive: true });
    return directory;
  }

  async function start(environment: Record<string, string>): Promise<ServiceProcess> {
    const service = await startProcess(environment);
    cleanups.push(() => service.stop());
    return service;
  }

  test('creates the data directory, the database and a secret that only its owner can read', async () => {
    const directory = join(dataDir(), 'new');
    const { url } = await start({ DATA_DIR: directory });
    expect((await fetch(`${url}/api/ping`)).status).toBe(200);
    for (const file of ['pagemeter.db', 'secret'])
      expect(statSync(join(directory, file)).mode & PERMISSIONS).toBe(0o600);
    expect(statSync(directory).mode & PERMISSIONS).toBe(0o700);
  });

  test('keeps accounts, logins and events over a restart', async () => {
    const environment = { DATA_DIR: dataDir() };
    const first = await startProcess(environment, { program: SOURCE });
    const { token, trackingCode } = await signUpWithWebsite(first.url);
    await submit(first.url, trackingCode);
    expect(await first.stop()).toBe(0);

    const second = await start(environment);
    const answer = await fetch(`${second.url}/api/v1/events?trackingCode=${trackingCode}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ pagination: { total: 1 } });
  });

  test('refuses to run twice on one database', async () => {
    const environment = { DATA_DIR: dataDir() };
    const first = await start(environment);
    const second = spawnService(environment);
    expect(await second.exited).toBe(1);
    const { pid } = first.process;
    expect(await startFailure(second)).toBe(
      `Another Pagemeter is already running on ${join(environment.DATA_DIR, 'pagemeter.db')}: process ${pid}. Stop it first (kill ${pid}), or set DATA_DIR.`,
    );
  });

  test('refuses to run on a database that another one knows by a link', async () => {
    const environment = { DATA_DIR: dataDir() };
    await start(environment);
    const link = join(dataDir(), 'pagemeter.db');
    symlinkSync(join(environment.DATA_DIR, 'pagemeter.db'), link);
    const second = spawnService({ DATA_DIR: dirname(link) });
    expect(await second.exited).toBe(1);
    expect(await startFailure(second)).toContain('Another Pagemeter is already running on');
  });

  test('lets one of several that start together run', async () => {
    const environment = { DATA_DIR: dataDir() };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => startProcess(environment)));
    const running = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    for (const { value } of running) cleanups.push(() => value.stop());
    expect(running).toHaveLength(1);
  });

  test('lists every fault of its settings and ends with 78', async () => {
    const service = spawnService({ DATA_DIR: dataDir(), PORT: 'http', TRUST_PROXY: 'yes' });
    expect(await service.exited).toBe(78);
    expect(await startFailure(service)).toBe(
      'The settings have 2 faults:\n' +
        '  - PORT must be a whole number from 0 to 65535, not "http".\n' +
        '  - TRUST_PROXY must be a whole number from 0 to 10, or list addresses, networks such as 10.0.0.0/8, "loopback" or "private", not "yes".',
    );
  });

  test('says which process has taken the port, and how to end it', async () => {
    const { url, process } = await start({ DATA_DIR: dataDir() });
    const { port } = new URL(url);
    const second = spawnService({ DATA_DIR: dataDir(), PORT: port });
    expect(await second.exited).toBe(1);
    expect(await startFailure(second)).toMatch(
      new RegExp(
        `^PORT ${port} on HOST 127.0.0.1 is taken by another program: process ${process.pid} \\(.+\\)\\. Stop it \\(kill ${process.pid}\\)`,
      ),
    );
  });

  test('reports a HOST that is not an address of this machine', async () => {
    const service = spawnService({ DATA_DIR: dataDir(), HOST: '192.0.2.1' }); // RFC 5737: an address without a host
    expect(await service.exited).toBe(1);
    expect(await startFailure(service)).toBe(
      'HOST 192.0.2.1 is not an address of this machine. Set HOST to one that it has, or to 0.0.0.0 for all of them.',
    );
  });

  test('says in words that its HOST is a name without an address', async () => {
    const service = spawnService({ DATA_DIR: dataDir(), HOST: 'meter.invalid' }); // RFC 2606: a name without an address
    expect(await service.exited).toBe(1);
    expect(await startFailure(service)).toBe(
      'HOST meter.invalid is not an address of this machine. Set HOST to one that it has, or to 0.0.0.0 for all of them.',
    );
  });

  const UNUSABLE: [string, (path: string) => void, RegExp][] = [
    [
      'is something else',
      (path) => writeFileSync(path, 'not a database '.repeat(1000)),
      /file is not a database/,
    ],
    ['is a directory', (path) => mkdirSync(path), /Unable to open/],
  ];
  for (const [name, make, reason] of UNUSABLE) {
    test(`says which database it cannot open when it ${name}`, async () => {
      const directory = dataDir();
      const path = join(directory, 'pagemeter.db');
      make(path);
      const service = spawnService({ DATA_DIR: directory });
      expect(await service.exited).toBe(1);
      const said = await startFailure(service);
      expect(said).toStartWith(`The database ${path} cannot be opened: `);
      expect(said).toMatch(reason);
    });
  }

  const DAMAGES: [string, (directory: string) => void, RegExp][] = [
    ...HOSTILE_SCHEMAS.map(([what, sql, sentence]): [string, (directory: string) => void, RegExp] => [
      `has a database with ${what} of another program`,
      (directory) => change(directory, sql),
      new RegExp(`^The database \\S+ cannot be opened: ${sentence}$`),
    ]),
    [
      'has lost its database next to its secret',
      (directory) => removeDatabase(directory),
      /^The database \S+ cannot be opened: it is not there, but \S+secret says that there was a database\. .*$/,
    ],
    [
      'has an empty database next to its secret',
      (directory) => {
        removeDatabase(directory);
        writeFileSync(join(directory, 'pagemeter.db'), '');
      },
      /^The database \S+ cannot be opened: it is empty, but \S+secret says that there was a database\. .*$/,
    ],
    [
      'has the database of another program',
      (directory) => change(directory, 'PRAGMA application_id = 7'),
      /^The database \S+ cannot be opened: it belongs to another program \(application_id 7\)$/,
    ],
    [
      'has a database with the tables of another program',
      (directory) => {
        removeDatabase(directory);
        change(directory, 'CREATE TABLE theirs (x)');
      },
      /^The database \S+ cannot be opened: it holds the tables of another program$/,
    ],
    [
      'has a database of a newer version',
      (directory) =>
        change(directory, 'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (1, 9999999999999)'),
      /^The database \S+ cannot be opened: The database was written by a newer version of Pagemeter; .*$/,
    ],
    [
      'has a database that was made read-only',
      (directory) => chmodSync(join(directory, 'pagemeter.db'), 0o400),
      /^The database \S+ cannot be opened: the file is read-only$/,
    ],
    [
      'has a database with a damaged page',
      (directory) => {
        change(directory, 'PRAGMA wal_checkpoint(TRUNCATE)');
        const path = join(directory, 'pagemeter.db');
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0xa5, 2 * 4096, 6 * 4096));
      },
      /^The database \S+ cannot be opened: (it is damaged; restore a backup \(.*\)|database disk image is malformed)$/,
    ],
  ];
  for (const [name, damage, said] of DAMAGES) {
    test(`refuses to start, in one line, when it ${name}`, async () => {
      const directory = usedDataDir();
      damage(directory);
      const service = spawnService({ DATA_DIR: directory });
      expect(await service.exited).toBe(1);
      expect(await startFailure(service)).toMatch(said);
    });
  }

  test('starts from scratch when the secret is removed with the database', async () => {
    const directory = usedDataDir();
    removeDatabase(directory);
    rmSync(join(directory, 'secret'));
    const { url } = await start({ DATA_DIR: directory });
    expect((await fetch(`${url}/api/ping`)).status).toBe(200);
  });

  test('logs each line as JSON where no terminal shows it, from the start to the end', async () => {
    const service = await startProcess({ DATA_DIR: dataDir() });
    await fetch(`${service.url}/api/ping`);
    expect(await service.stop()).toBe(0);
    const lines = service
      .output()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({
      time: expect.any(String),
      level: 'info',
      message: expect.stringMatching(/^Pagemeter \S+ is ready at http:\S+ as process \d+$/),
      url: service.url.replace('127.0.0.1', 'localhost'),
      setupCode: expect.any(String),
      pid: service.process.pid,
    });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'info', message: 'stopping on SIGTERM' }));
    expect(service.errors()).toBe('');
  });

  test('stops on SIGQUIT as on SIGTERM', async () => {
    const service = await startProcess({ DATA_DIR: dataDir() });
    service.process.kill('SIGQUIT');
    expect(await service.process.exited).toBe(0);
  });

  test('stops and frees its lock when the npx that has started it is killed', async () => {
    const environment = { DATA_DIR: dataDir() };
    // As npx does it: the program below a shell, and that below a process with the name of npm.
    const npm = join(dataDir(), 'npm');
    symlinkSync('/bin/sh', npm);
    const nested = [npm, '-c', `sh -c '"$@"; true' sh "$@"; true`, 'sh', ...PROGRAM];
    const npx = await startProcess(environment, { program: nested });
    const { pid } = JSON.parse(npx.output().split('\n')[0] ?? '');
    npx.process.kill('SIGKILL');
    while (existsSync(`/proc/${pid}`)) await Bun.sleep(20);
    expect(npx.output()).toContain('stopping on the end of npm');
    await start({ DATA_DIR: environment.DATA_DIR });
  });

  test('says which directory it cannot make', async () => {
    const file = join(dataDir(), 'file');
    writeFileSync(file, '');
    const service = spawnService({ DATA_DIR: join(file, 'data') });
    expect(await service.exited).toBe(1);
    expect(await startFailure(service)).toBe(`The directory ${join(file, 'data')} cannot be made: ENOTDIR`);
  });

  test('marks a database of an earlier version as its own', async () => {
    const directory = usedDataDir();
    change(directory, 'PRAGMA application_id = 0');
    await (await startProcess({ DATA_DIR: directory })).stop();
    const header = readFileSync(join(directory, 'pagemeter.db')).subarray(68, 72);
    expect(header.toString()).toBe('pgmt');
  });

  test('says which server it cannot reach, without the credentials in its address', async () => {
    const service = spawnService({ DATA_DIR: dataDir(), DATABASE_URL: 'http://me:hidden@127.0.0.1:1' });
    expect(await service.exited).toBe(1);
    const said = await startFailure(service);
    expect(said).toStartWith('The database at 127.0.0.1:1 cannot be opened: ');
    expect(said).not.toContain('hidden');
  });

  test('answers what it has received before it ends on SIGTERM', async () => {
    const directory = dataDir();
    const service = await startProcess({ DATA_DIR: directory });
    const { trackingCode } = await signUpWithWebsite(service.url);
    const neighbour = new Database(join(directory, 'pagemeter.db'));
    neighbour.exec('BEGIN IMMEDIATE'); // none is answered before all of them are received
    const answers = Array.from({ length: 50 }, () => submit(service.url, trackingCode));
    while ((await queuedAt(service.url)) !== answers.length) await Bun.sleep(5);
    const ended = service.stop();
    neighbour.exec('ROLLBACK');
    neighbour.close();
    expect(await ended).toBe(0);
    const statuses = (await Promise.allSettled(answers)).map((answer) =>
      answer.status === 'fulfilled' ? answer.value.status : 'cut',
    );
    expect(new Set(statuses)).toEqual(new Set([201]));
    // Closed cleanly: the file alone is the whole database.
    const log = join(directory, 'pagemeter.db-wal');
    expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
  });

  test('ends cleanly on SIGTERM although a sender never finishes its body', async () => {
    const directory = dataDir();
    const service = await startProcess({ DATA_DIR: directory });
    const socket = await beginEvent(service.url);
    await fetch(`${service.url}/api/ping`);
    expect(await service.stop()).toBe(0);
    const log = join(directory, 'pagemeter.db-wal');
    expect(existsSync(log) ? statSync(log).size : 0).toBe(0);
    socket.end();
  }, 15_000); // the body is waited for

  test('logs nothing of a sender that goes away in the middle of its body', async () => {
    const service = await startProcess({ DATA_DIR: dataDir() });
    const socket = await beginEvent(service.url);
    await fetch(`${service.url}/api/ping`);
    socket.end();
    await fetch(`${service.url}/api/ping`);
    expect(await service.stop()).toBe(0);
    expect(service.errors()).not.toContain('"level":"error"');
  });

  const PROXIES: [string, number][] = [
    ['0', 1],
    ['1', 0],
  ];
  test.each(PROXIES)(
    'with TRUST_PROXY=%s warns %p times of a proxy, without an address',
    async (TRUST_PROXY, times) => {
      const service = await startProcess({ DATA_DIR: dataDir(), TRUST_PROXY, REGISTRATION: 'closed' });
      await fetch(`${service.url}/api/ping`);
      for (const address of ['192.0.2.1', '192.0.2.2'])
        await fetch(`${service.url}/api/ping`, { headers: { 'X-Forwarded-For': address } });
      expect(await service.stop()).toBe(0);
      const warnings = service
        .errors()
        .split('\n')
        .filter((line) => line.includes('"level":"warn"'));
      expect(warnings.length).toBe(times);
      for (const line of warnings) expect(line).toContain('TRUST_PROXY');
      expect(service.errors()).not.toContain('192.0.2');
    },
  );

  test('says when strangers may register', async () => {
    const service = await startProcess({ DATA_DIR: dataDir(), TRUST_PROXY: '1' });
    expect(await service.stop()).toBe(0);
    expect(service.errors()).toContain('everyone who reaches this server may register');
  });

  test('logs neither addresses nor secrets nor what was sent', async () => {
    const service = await start({ DATA_DIR: dataDir() });
    await signUpWithWebsite(service.url);
    await fetch(`${service.url}/api/v1/auth/login`, { method: 'POST', body: '{"password":"hunter2"' });
    expect(service.errors()).toBe('');
    expect(readFileSync(join(import.meta.dir, '../../.gitignore'), 'utf8')).toContain('data/');
  });
});

function removeDatabase(directory: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(directory, `pagemeter.db${end}`), { force: true });
}

/** With the service stopped. */
function change(directory: string, sql: string): void {
  const database = new Database(join(directory, 'pagemeter.db'));
  database.exec(sql);
  database.close();
}

/** Sends the head of a request that announces 1,000 bytes, and a few of them. */
async function beginEvent(url: string): Promise<Bun.Socket> {
  const { hostname, port } = new URL(url);
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
  socket.write(
    'POST /api/v1/events HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"url":',
  );
  return socket;
}

async function signUpWithWebsite(url: string): Promise<{ token: string; trackingCode: string }> {
  const json = { 'Content-Type': 'application/json' };
  const account = await fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'you@example.com', password: 'Correct-horse-9' }),
  });
  const { tokens } = (await account.json()) as { tokens: { accessToken: string } };
  const website = await fetch(`${url}/api/v1/websites`, {
    method: 'POST',
    headers: { ...json, Authorization: `Bearer ${tokens.accessToken}` },
    body: JSON.stringify({ name: 'Mine', domain: 'https://example.com' }),
  });
  const { trackingCode } = (await website.json()) as { trackingCode: string };
  return { token: tokens.accessToken, trackingCode };
}

/** How many events it has received and not yet written. */
async function queuedAt(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(text.match(/^pagemeter_ingest_queue_events (\d+)$/m)?.[1]);
}

function submit(url: string, trackingCode: string): Promise<Response> {
  return fetch(`${url}/api/v1/events`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(eventFor(trackingCode)),
  });
}
