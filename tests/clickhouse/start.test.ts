import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION_MIN } from '../../src/log/clickhouse/open.ts';
import { MIGRATIONS } from '../../src/log/clickhouse/schema.ts';
import { SETTINGS } from '../../src/log/clickhouse/server.ts';
import { eventsUrl } from '../../src/settings/events.ts';
import { openEvents } from '../../src/storage/clickhouse.ts';
import { CERTIFICATE, KEY } from '../checks/certificate.ts';
import { type ClickHouse, hasClickHouse, startClickHouse } from '../support/clickhouse.ts';
import { hasDebianClickHouse, startDebianClickHouse } from '../support/debian-clickhouse.ts';
import { createDataDir, spawnService, startFailure, startProcess } from '../support/process.ts';

/** Messages of a start with an unusable server. */

setDefaultTimeout(120_000);

let started: Promise<ClickHouse> | undefined;
const clickHouse = () => (started ??= startClickHouse());
afterAll(async () => (await started)?.stop());

/** The words of a start that fails. */
async function refusalOf(eventsUrl: string): Promise<string> {
  const { path, remove } = createDataDir();
  const service = spawnService({ DATA_DIR: path, EVENTS_URL: eventsUrl });
  const [words, code] = await Promise.all([startFailure(service), service.exited]);
  remove();
  expect(code).toBe(1);
  return words;
}

const hostOf = (url: string) => new URL(url).host;

describe.if(hasClickHouse)('a start', () => {
  test('names a database that is not there, and not the password', async () => {
    const url = (await clickHouse()).urlOf('nowhere');
    expect(await refusalOf(url)).toBe(
      `The server of EVENTS_URL (${hostOf(url)}, database nowhere) cannot be used: it has no such database; create it, or correct the last part of EVENTS_URL.`,
    );
  });

  test('says that the password is wrong', async () => {
    const url = (await clickHouse()).urlOf('default', 'meter:wrong');
    expect(await refusalOf(url)).toContain('it does not know the user, or the password is wrong.');
  });

  test('says that the user may only read', async () => {
    const server = await clickHouse();
    const { pathname } = new URL(await server.createDatabase());
    expect(await refusalOf(server.urlOf(pathname.slice(1), 'reader:secret'))).toContain(
      'the user may only read; it needs to create tables, insert and delete in this database.',
    );
  });

  test('refuses the tables of another program', async () => {
    const server = await clickHouse();
    const url = await server.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await server.command(`CREATE TABLE ${name}.invoices (id UInt8) ENGINE = MergeTree ORDER BY id`);
    expect(await refusalOf(url)).toContain('the database holds tables of another program (invoices).');
  });

  test('refuses the events of another installation, and takes its own, also from a backup of before', async () => {
    const url = await (await clickHouse()).createDatabase();
    const [own, restored] = [createDataDir(), createDataDir()];
    const start = async (path: string, more = {}) => (await startProcess({ DATA_DIR: path, ...more })).stop();
    await start(own.path);
    cpSync(own.path, restored.path, { recursive: true });
    await start(own.path, { EVENTS_URL: url });
    expect(await refusalOf(url)).toContain(
      'it holds the events of another installation of Pagemeter, and its websites have the same numbers; create a database for this one.',
    );
    await start(restored.path, { EVENTS_URL: url });
    for (const { remove } of [own, restored]) remove();
  });

  test('refuses the tables of a newer version', async () => {
    const server = await clickHouse();
    const url = await server.createDatabase();
    const name = new URL(url).pathname.slice(1);
    await server.command(
      `CREATE TABLE ${name}.pagemeter (version UInt32) ENGINE = MergeTree ORDER BY version`,
    );
    await server.command(`INSERT INTO ${name}.pagemeter VALUES (99)`);
    expect(await refusalOf(url)).toContain(
      `its tables are of a newer version of Pagemeter (99, not ${MIGRATIONS.length}).`,
    );
  });
});

test('a start refuses a server that is too old', async () => {
  // As that one answers: it knows neither today's settings nor today's formats.
  const old = Bun.serve({
    port: 0,
    async fetch(request) {
      const query = await request.text();
      if (
        [...new URL(request.url).searchParams.keys()].some(
          (name) => name !== 'query_id' && name !== 'database',
        )
      )
        return new Response('Code: 115, e.displayText() = DB::Exception: Unknown setting\n', { status: 500 });
      if (/FORMAT JSON/.test(query))
        return new Response('Code: 73, e.displayText() = DB::Exception: Unknown format\n', { status: 500 });
      return new Response('18.16.1\n');
    },
  });
  expect(await refusalOf(`http://127.0.0.1:${old.port}/pagemeter`)).toBe(
    `The server of EVENTS_URL (127.0.0.1:${old.port}, database pagemeter) cannot be used: it is ClickHouse 18.16.1, and at least 24.8 is needed.`,
  );
  await old.stop(true);
});

test.if(hasDebianClickHouse)("a start refuses Debian's server, which is too old", async () => {
  const debian = await startDebianClickHouse();
  const words = await refusalOf(debian.url);
  await debian.stop();
  expect(words).toMatch(/cannot be used: it is ClickHouse [\d.]+, and at least 24\.8 is needed\.$/);
});

describe('opening a server reports', () => {
  const { path: folder, remove } = createDataDir();
  const servers: Bun.Server<undefined>[] = [];
  afterAll(async () => {
    for (const server of servers) await server.stop(true);
    remove();
  });
  const serve = (options: { tls?: Bun.TLSOptions } = {}) => {
    const server = Bun.serve({ port: 0, fetch: () => new Response('<html>Welcome'), ...options });
    servers.push(server);
    return `127.0.0.1:${server.port}/pagemeter`;
  };
  const wordsOf = (url: string, caFile?: string) =>
    openEvents({ url, caFile }).then(
      () => 'nothing',
      (error: Error) => error.message,
    );

  test('when the server is not ClickHouse', async () => {
    expect(await wordsOf(`http://${serve()}`)).toEndWith(
      'cannot be used: the server is not ClickHouse: its version query returned "<html>Welcome".',
    );
  });

  test('when the server does not speak TLS', async () => {
    expect(await wordsOf(`https://${serve()}`)).toEndWith(
      'cannot be used: it speaks no TLS there; EVENTS_URL begins with http:// then.',
    );
  });

  test('what to do about a certificate of an unknown authority, and trusts one that is named', async () => {
    const url = `https://${serve({ tls: { key: KEY, cert: CERTIFICATE } })}`;
    expect(await wordsOf(url)).toEndWith('name a file with the CA certificates in EVENTS_CA_FILE.');
    const file = join(folder, 'authority.pem');
    await Bun.write(file, CERTIFICATE);
    expect(await wordsOf(url, file)).toContain("does not match certificate's altnames");
  });

  test('when the file of certificates is missing or empty', async () => {
    const file = join(folder, 'none.pem');
    expect(await wordsOf('https://127.0.0.1:1/pagemeter', file)).toContain(
      `EVENTS_CA_FILE ${file} cannot be read: ENOENT.`,
    );
    await Bun.write(file, 'none');
    expect(await wordsOf(`https://${serve()}`, file)).toEndWith(
      'cannot be used: EVENTS_CA_FILE holds no certificates (PEM).',
    );
  });
});

test('an address whose password is not encoded is a fault of the settings', () => {
  expect(() => eventsUrl('http://user:100%@127.0.0.1:8123/pagemeter')).toThrow(
    'a password has %25 for %, %2F for / and %40 for @.',
  );
});

test('a start reports that no server answers', async () => {
  expect(await refusalOf('http://127.0.0.1:1/pagemeter')).toContain(
    'The server of EVENTS_URL (127.0.0.1:1, database pagemeter) cannot be used: connect ECONNREFUSED',
  );
});

test.if(hasClickHouse)('no setting is newer than the least supported server', async () => {
  const names = Object.keys(SETTINGS).map((name) => `'${name}'`);
  const newer = await (await clickHouse()).command(
    `SELECT version, change.1 FROM (SELECT version, arrayJoin(changes) AS change FROM system.settings_changes)
     WHERE change.1 IN (${names.join(', ')}) AND change.4 ILIKE '%new setting%'
       AND arrayMap(part -> toUInt16(part), splitByChar('.', version)) > [${VERSION_MIN.join(', ')}]`,
  );
  expect(newer).toBe('');
});
