import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toSettingsDocuments } from '../packaging/settings-page.ts';
import { ConfigError, parseConfig, SECRETS, SETTINGS } from '../src/settings/config.ts';
import { addSettingsOf } from '../src/settings/system-file.ts';
import { findUnknownSettings } from '../src/settings/unknown.ts';

const ROOT = join(import.meta.dir, '..');
const BASE = '/srv/pagemeter';
/** Settings without which a secret is rejected. */
const NEEDED: Record<string, Record<string, string>> = {
  DATABASE_AUTH_TOKEN: { DATABASE_URL: 'libsql://db.example.com' },
  JWT_SECRET: {},
  METRICS_TOKEN: {},
  BACKUP_S3_SECRET_ACCESS_KEY: { BACKUP_S3_ACCESS_KEY_ID: 'id' },
};
const folder = mkdtempSync(join(tmpdir(), 'pagemeter-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    parseConfig(environment, BASE);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('the settings', () => {
  test.each(['security@example.com', 'http://example.com/report', 'mailto:', 'https://'])(
    'refuse SECURITY_CONTACT=%s, which is not a contact of RFC 9116',
    (value) => {
      expect(faultsOf({ SECURITY_CONTACT: value })).toEqual([
        'SECURITY_CONTACT must begin with mailto:, tel: or https://, such as mailto:security@example.com.',
      ]);
    },
  );

  test('need nothing to be set', () => {
    expect(parseConfig({}, BASE)).toEqual({
      config: {
        port: 3000,
        host: '127.0.0.1',
        dataDir: '/srv/pagemeter/data',
        database: { kind: 'file', path: '/srv/pagemeter/data/pagemeter.db' },
        registration: undefined,
        commonPasswords: 'accept',
        corsOrigins: [],
        publicUrl: undefined,
        basePath: '',
        paths: { scripts: ['/m.js'], collect: ['/m'] },
        compatible: [],
        trustedProxies: 0,
        clientIpHeader: undefined,
        checkLoopback: 'direct',
        maxEventAgeDays: 30,
        durability: 'full',
        ingestQueueMax: 20_000,
        limits: {
          collectPerS: 1_000,
          eventsPerS: 500,
          websiteEventsPerS: 0,
          apiPerS: 1_000,
          registrationsPerH: 2_000,
          loginFailures: 10,
          loginFailuresPerAddress: 300,
        },
        respectDnt: 'off',
        geoDatabases: [],
        accessLog: 'on',
        securityContact: undefined,
        analyticsCacheBytesMax: 92_274_688,
        backup: {
          everyMs: 86_400_000,
          keepMax: 3,
          to: { kind: 'directory', path: '/srv/pagemeter/data/backups' },
          localDir: '/srv/pagemeter/data/backups',
          isMadeBeforeUpdate: true,
        },
        daily: { to: '', format: 'parquet' },
      },
      secrets: { jwtSecret: undefined, metricsToken: undefined, s3: undefined, events: undefined },
    });
  });

  test('count as absent when empty', () => {
    expect(parseConfig({ PORT: '', HOST: ' ' }, BASE)).toEqual(parseConfig({}, BASE));
  });

  const DATABASES: [string, object][] = [
    ['file:stats.db', { kind: 'file', path: '/srv/pagemeter/stats.db' }],
    ['file:/var/lib/stats.db', { kind: 'file', path: '/var/lib/stats.db' }],
    ['file:///var/lib/stats.db', { kind: 'file', path: '/var/lib/stats.db' }],
    [':memory:', { kind: 'memory' }],
    ['http://127.0.0.1:8080', { kind: 'remote', url: 'http://127.0.0.1:8080', authToken: undefined }],
    ['libsql://db.example.com', { kind: 'remote', url: 'libsql://db.example.com', authToken: undefined }],
  ];
  for (const [url, target] of DATABASES) {
    test(`take ${url} as DATABASE_URL`, () => {
      expect(parseConfig({ DATABASE_URL: url }, BASE).config.database).toEqual(target as never);
    });
  }

  test('pass a token to a remote database', () => {
    const { config } = parseConfig(
      { DATABASE_URL: 'https://db.example.com', DATABASE_AUTH_TOKEN: 'abc' },
      BASE,
    );
    expect(config.database).toEqual({ kind: 'remote', url: 'https://db.example.com', authToken: 'abc' });
  });

  test('name every fault at once, in the order of the documents', () => {
    const environment = {
      PORT: '99999',
      TRUST_PROXY: '-1',
      REGISTRATION: 'maybe',
      DATABASE_URL: 'postgres://localhost',
      JWT_SECRET: 'short',
      CORS_ORIGINS: 'https://a.example.com, https://b.example.com/path',
      DURABILITY: 'half',
    };
    expect(faultsOf(environment)).toEqual([
      'PORT must be a whole number from 0 to 65535, not "99999".',
      'DATABASE_URL must be file:PATH, :memory:, or the http(s):// or libsql:// address of a server.',
      'JWT_SECRET must have at least 32 characters; leave it out to have one generated.',
      'REGISTRATION must be "open" or "closed", not "maybe".',
      'CORS_ORIGINS lists "https://b.example.com/path", which is not an origin such as https://app.example.com.',
      'TRUST_PROXY must be a whole number from 0 to 10, or list addresses, networks such as 10.0.0.0/8, "loopback" or "private", not "-1".',
      'DURABILITY must be "full" or "normal", not "half".',
    ]);
  });

  test('refuse a token without a remote database, a half-set pair', () => {
    expect(faultsOf({ DATABASE_AUTH_TOKEN: 'abc' })).toEqual([
      'DATABASE_AUTH_TOKEN is set, but DATABASE_URL is not the address of a remote database.',
    ]);
  });

  const PATHS: [environment: Record<string, string>, fault: string][] = [
    [{ SCRIPT_PATHS: 'm.js' }, 'SCRIPT_PATHS lists "m.js", which is not a path such as /m or /a/b.js.'],
    [
      { SCRIPT_PATHS: '/a/../b.js' },
      'SCRIPT_PATHS lists "/a/../b.js", which is not a path such as /m or /a/b.js.',
    ],
    [
      { SCRIPT_PATHS: '/tracker.js' },
      'SCRIPT_PATHS lists "/tracker.js", which is taken by the service itself.',
    ],
    [
      { COLLECT_PATHS: '/api/v1/auth' },
      'COLLECT_PATHS lists "/api/v1/auth", which is taken by the service itself.',
    ],
    [{ COLLECT_PATHS: '/e,/e' }, 'COLLECT_PATHS lists a path twice.'],
    [
      { COLLECT_PATHS: '/e/batch' },
      'COLLECT_PATHS lists "/e/batch", which is not a path such as /m or /a/b.js.',
    ],
    [{ COLLECT_PATHS: '/:id' }, 'COLLECT_PATHS lists "/:id", which is not a path such as /m or /a/b.js.'],
    [{ COLLECT_PATHS: '/a,'.repeat(8) }, 'COLLECT_PATHS lists 9 paths; 8 are the most.'],
    [{ SCRIPT_PATHS: '/e', COLLECT_PATHS: '/e' }, 'SCRIPT_PATHS and COLLECT_PATHS both list /e.'],
  ];
  test.each(PATHS)('refuse the paths %p', (environment, fault) => {
    expect(faultsOf(environment)).toEqual([fault]);
  });

  const ADDRESSES: [environment: Record<string, string>, publicUrl: string | undefined, basePath: string][] =
    [
      [{ PUBLIC_URL: 'https://Meter.example.com/' }, 'https://meter.example.com', ''],
      [{ PUBLIC_URL: 'https://example.com:8443/meter/' }, 'https://example.com:8443/meter', '/meter'],
      [{ BASE_PATH: '/a/b/' }, undefined, '/a/b'],
      [{ PUBLIC_URL: 'http://[::1]/a', BASE_PATH: '/a' }, 'http://[::1]/a', '/a'],
    ];
  test.each(ADDRESSES)('take %p as addresses', (environment, publicUrl, basePath) => {
    expect(parseConfig(environment, BASE).config).toMatchObject({ publicUrl, basePath });
  });

  const ADDRESS_FAULTS: [environment: Record<string, string>, fault: string][] = [
    ...['/a/../b', '/..', 'meter', '/a b', '//a', '/%2e%2e', '/a?b', `/${'a'.repeat(100)}`].map(
      (path): [Record<string, string>, string] => [
        { BASE_PATH: path },
        `BASE_PATH must be a path such as /meter, not "${path}".`,
      ],
    ),
    ...[
      'meter.example.com',
      'ftp://a',
      'https://me@a.example',
      'https://a/..',
      'https://a/?b',
      'https://a/#b',
    ].map((url): [Record<string, string>, string] => [
      { PUBLIC_URL: url },
      `PUBLIC_URL must be an address such as https://meter.example.com, not "${url}".`,
    ]),
    [
      { PUBLIC_URL: 'https://example.com', BASE_PATH: '/meter' },
      'PUBLIC_URL is https://example.com, which does not end with BASE_PATH /meter.',
    ],
    [
      { CLIENT_IP_HEADER: 'CF Connecting', TRUST_PROXY: 'private' },
      'CLIENT_IP_HEADER must be the name of a header, not "CF Connecting".',
    ],
    [
      { CLIENT_IP_HEADER: 'CF-Connecting-IP', TRUST_PROXY: '1' },
      'CLIENT_IP_HEADER is set, but TRUST_PROXY does not name the proxies that send it.',
    ],
  ];
  test.each(ADDRESS_FAULTS)('refuse %p', (environment, fault) => {
    expect(faultsOf(environment)).toEqual([fault]);
  });

  test('take several paths', () => {
    const { config } = parseConfig({ SCRIPT_PATHS: '/x.js, /lib/y.js', COLLECT_PATHS: '/e' }, BASE);
    expect(config.paths).toEqual({ scripts: ['/x.js', '/lib/y.js'], collect: ['/e'] });
  });

  const KEYS = { BACKUP_S3_ACCESS_KEY_ID: 'id', BACKUP_S3_SECRET_ACCESS_KEY: 'hunter2' };
  const TARGETS: [string, object][] = [
    ['backups', { kind: 'directory', path: '/srv/pagemeter/backups' }],
    ['/mnt/disk', { kind: 'directory', path: '/mnt/disk' }],
    ['s3://my-bucket', { kind: 's3', bucket: 'my-bucket', prefix: '' }],
    ['s3://my-bucket/a/b', { kind: 's3', bucket: 'my-bucket', prefix: 'a/b/' }],
  ];
  for (const [address, target] of TARGETS) {
    test(`take ${address} as BACKUP_TO`, () => {
      expect(parseConfig({ ...KEYS, BACKUP_TO: address }, BASE).config.backup.to).toEqual(target as never);
    });
  }

  test('reach Amazon in the region unless an endpoint is set', () => {
    const access = { region: 'eu-west-1', accessKeyId: 'id', secretAccessKey: 'hunter2' };
    const environment = { ...KEYS, BACKUP_S3_REGION: 'eu-west-1' };
    expect(parseConfig(environment, BASE).secrets.s3).toEqual({
      ...access,
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
    });
    const BACKUP_S3_ENDPOINT = 'https://minio.example.com';
    expect(parseConfig({ ...environment, BACKUP_S3_ENDPOINT }, BASE).secrets.s3).toEqual({
      ...access,
      endpoint: BACKUP_S3_ENDPOINT,
    });
  });

  const HALF_SET: [Record<string, string>, string][] = [
    [
      { BACKUP_S3_ACCESS_KEY_ID: 'id' },
      'BACKUP_S3_ACCESS_KEY_ID is set, but BACKUP_S3_SECRET_ACCESS_KEY is not: they belong together.',
    ],
    [
      { BACKUP_S3_SECRET_ACCESS_KEY: 'hunter2' },
      'BACKUP_S3_SECRET_ACCESS_KEY is set, but BACKUP_S3_ACCESS_KEY_ID is not: they belong together.',
    ],
    [
      { BACKUP_S3_ENDPOINT: 'https://minio.example.com' },
      'BACKUP_S3_ENDPOINT is set, but BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are not: they belong together.',
    ],
    [
      { BACKUP_TO: 's3://my-bucket' },
      'BACKUP_TO is a bucket, but BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are not set.',
    ],
    [{ BACKUP_TO: 's3://B' }, 'BACKUP_TO must be a directory or s3://BUCKET/PREFIX.'],
    [{ BACKUP_TO: 'ftp://host/dir' }, 'BACKUP_TO must be a directory or s3://BUCKET/PREFIX.'],
    [{ BACKUP_KEEP: '0' }, 'BACKUP_KEEP must be a whole number from 1 to 1000, not "0".'],
  ];
  for (const [environment, sentence] of HALF_SET) {
    test(`refuse ${JSON.stringify(environment)}`, () => {
      expect(faultsOf(environment)).toEqual([sentence]);
    });
  }

  test.each(SECRETS)('%s may be in a file, without the line break at its end', (name) => {
    const path = join(folder, name);
    writeFileSync(path, 'a secret of more than 32 characters\n');
    const inFile = parseConfig({ ...NEEDED[name], [`${name}_FILE`]: path }, BASE);
    expect(inFile).toEqual(
      parseConfig({ ...NEEDED[name], [name]: 'a secret of more than 32 characters' }, BASE),
    );
    expect(JSON.stringify(inFile)).toContain('a secret of more than 32 characters');
  });

  test('refuse a secret that is set twice, and a file that is missing or empty', () => {
    const path = join(folder, 'empty');
    writeFileSync(path, ' \n');
    expect(faultsOf({ METRICS_TOKEN: 'x'.repeat(16), METRICS_TOKEN_FILE: path })).toEqual([
      'METRICS_TOKEN and METRICS_TOKEN_FILE are both set: remove one of them.',
      `METRICS_TOKEN_FILE ${path} is empty.`,
    ]);
    expect(faultsOf({ JWT_SECRET_FILE: 'none' })).toEqual(['JWT_SECRET_FILE none cannot be read: ENOENT.']);
  });

  const UNKNOWN: [string, string][] = [
    ['LIMIT_EVENTS_PER_SECOND', 'LIMIT_EVENTS_PER_S'],
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['REGISTRATIONS', 'REGISTRATION'],
    ['METRICS_TOKEN_FILES', 'METRICS_TOKEN_FILE'],
  ];
  test.each(UNKNOWN)('name the nearest setting to %s: %s', (name, nearest) => {
    expect(
      findUnknownSettings({ [name]: '1', PORT: '3000', HOME: '/root', PATH: '/bin', LANG: 'C' }),
    ).toEqual([`${name} is not a setting, so it has no effect. Did you mean ${nearest}?`]);
  });

  test('are taken from a file of the system where the environment does not set them', () => {
    const path = join(folder, 'pagemeter.env');
    writeFileSync(path, '# a comment\nPORT=4000\nHOST="0.0.0.0"\n');
    const environment: Record<string, string | undefined> = { PORT: '5000' };
    addSettingsOf(path, environment);
    addSettingsOf(join(folder, 'none'), environment);
    expect(environment).toEqual({ PORT: '5000', HOST: '0.0.0.0' });
  });

  test('never repeat a secret in a fault', () => {
    expect(faultsOf({ JWT_SECRET: 'hunter2', DATABASE_URL: 'mysql://me:hunter2@db' }).join()).not.toContain(
      'hunter2',
    );
  });
});

test.each(['.env.example', 'docs/settings.md', 'README.md'])(
  '%s lists the settings as they are defined (bun packaging/settings-page.ts)',
  async (path) => {
    const documents = await toSettingsDocuments();
    expect(await Bun.file(join(ROOT, path)).text()).toBe(documents[path] ?? '');
  },
);

test('docs/settings.md and .env.example list every setting', async () => {
  const documents = await toSettingsDocuments();
  for (const name of Object.keys(SETTINGS)) {
    expect(documents['docs/settings.md']).toContain(`\n| \`${name}\` |`);
    expect(documents['.env.example']).toContain(`\n# ${name}=`);
  }
});
