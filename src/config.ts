import { isAbsolute, join, resolve } from 'node:path';
import {
  type BackupSettings,
  backupAddress,
  httpAddress,
  type S3Access,
  toBackupTarget,
  toS3Access,
} from './backup-settings.ts';

/**
 * Every setting, once: its name, the value it has when absent, what it is for, and how its text is read.
 * The README's table and .env.example are checked against this list by a test.
 */
export const SETTINGS = {
  PORT: setting('3000', 'Port to listen on; 0 takes a free one.', integer(0, 65_535)),
  HOST: setting('127.0.0.1', 'Address to listen on; `0.0.0.0` for all of them.', nonEmpty),
  DATA_DIR: setting('./data', 'Directory of the database and the generated secret.', nonEmpty),
  DATABASE_URL: setting(
    '',
    'Database: `file:…`, `:memory:`, or `http(s)://`, `libsql://` of a libSQL server. Default: `pagemeter.db` in `DATA_DIR`.',
    databaseUrl,
  ),
  DATABASE_AUTH_TOKEN: setting('', 'Token for a remote libSQL server.', text),
  JWT_SECRET: setting(
    '',
    'Signs the login tokens, at least 32 characters. Default: generated once, kept in `DATA_DIR/secret`.',
    jwtSecret,
  ),
  REGISTRATION: setting(
    'open',
    '`open`: anyone may register. `closed`: only the first account.',
    oneOf('open', 'closed'),
  ),
  CORS_ORIGINS: setting(
    '',
    'Comma-separated origins whose pages may call the API (the event and tracker routes are open to all).',
    origins,
  ),
  TRUST_PROXY: setting(
    '0',
    'How many proxies in front set `X-Forwarded-For`; 0 ignores the header.',
    integer(0, 10),
  ),
  MAX_EVENT_AGE_DAYS: setting(
    '30',
    'Events older than this are refused, unless sent with an API key of scope `events`.',
    integer(1, 36_500),
  ),
  DURABILITY: setting(
    'full',
    '`full`: an acknowledged event survives a power cut. `normal`: faster on slow disks; a power cut takes about the last five seconds, a crash of the process nothing.',
    oneOf('full', 'normal'),
  ),
  INGEST_QUEUE_MAX: setting(
    '20000',
    'Events that may wait for the disk; beyond it senders get 503 with Retry-After.',
    integer(1_000, 1_000_000),
  ),
  LIMIT_COLLECT_PER_S: setting(
    '1000',
    'Requests that submit events, a second and address; five times as many at once. 0: no limit, as for each limit.',
    integer(0, 1_000_000),
  ),
  LIMIT_WEBSITE_PER_S: setting(
    '0',
    'Events a second and website; five times as many at once.',
    integer(0, 1_000_000),
  ),
  LIMIT_API_PER_S: setting(
    '1000',
    'All other requests to the API, a second and address; five times as many at once.',
    integer(0, 1_000_000),
  ),
  LIMIT_REGISTER_PER_H: setting('2000', 'Registrations an hour and address.', integer(0, 1_000_000)),
  LIMIT_LOGIN_FAILURES: setting(
    '10',
    'Wrong passwords for one account from one address, within 15 minutes.',
    integer(0, 1_000_000),
  ),
  LIMIT_LOGIN_FAILURES_ADDRESS: setting(
    '300',
    'Wrong passwords for all accounts from one address, within 15 minutes.',
    integer(0, 1_000_000),
  ),
  RESPECT_DNT: setting(
    'off',
    '`on`: the script does not count browsers that send Do Not Track or Global Privacy Control, unless its tag says `data-respect-dnt="false"`.',
    oneOf('on', 'off'),
  ),
  ACCESS_LOG: setting(
    'on',
    '`on`: a line for each request on standard output, one every ten seconds for all stored events. `off`: none.',
    oneOf('on', 'off'),
  ),
  METRICS_TOKEN: setting(
    '',
    'Opens `/metrics` as a bearer token, at least 16 characters. Without it only this machine may read it.',
    metricsToken,
  ),
  ANALYTICS_CACHE_MB: setting(
    '64',
    'Memory for unpacked statistics, in MiB; more makes questions about long ranges faster.',
    integer(1, 16_384),
  ),
  BACKUP_EVERY_HOURS: setting(
    '24',
    'Hours between two backups that the service makes by itself; 0 makes none.',
    integer(0, 8_760),
  ),
  BACKUP_KEEP: setting('3', 'How many of them are kept; older ones are removed.', integer(1, 1_000)),
  BACKUP_TO: setting(
    '',
    'Where they go: a directory, or `s3://BUCKET/PREFIX`. Default: `backups` in `DATA_DIR`.',
    backupAddress,
  ),
  BACKUP_S3_ENDPOINT: setting(
    '',
    'Address of an S3-compatible server. Default: that of Amazon for the region.',
    httpAddress,
  ),
  BACKUP_S3_REGION: setting('us-east-1', 'Region of the bucket; some servers want `auto`.', nonEmpty),
  BACKUP_S3_ACCESS_KEY_ID: setting('', 'Key for the bucket.', text),
  BACKUP_S3_SECRET_ACCESS_KEY: setting('', 'Its secret.', text),
  BACKUP_BEFORE_UPDATE: setting(
    'on',
    '`on`: a new version copies the database before it changes its tables, and does not start when it cannot. `off`: no copy.',
    oneOf('on', 'off'),
  ),
} as const;

const HOUR_MS = 3_600_000;

type SettingName = keyof typeof SETTINGS;

/** The database to open. A `file` path is absolute. */
export type DatabaseTarget =
  | { kind: 'file'; path: string }
  | { kind: 'memory' }
  | { kind: 'remote'; url: string; authToken: string | undefined };

export type Config = {
  port: number;
  host: string;
  /** Absolute path. */
  dataDir: string;
  database: DatabaseTarget;
  registration: 'open' | 'closed';
  corsOrigins: readonly string[];
  trustedProxies: number;
  maxEventAgeDays: number;
  durability: 'full' | 'normal';
  ingestQueueMax: number;
  /** Each 0 when off. */
  limits: {
    /** Requests that submit events, a second and address. */
    collectPerS: number;
    /** Events, a second and website. */
    websiteEventsPerS: number;
    /** All other requests to the API, a second and address. */
    apiPerS: number;
    /** An hour and address. */
    registrationsPerH: number;
    /** Of one account from one address, within 15 minutes. */
    loginFailures: number;
    /** Of all accounts from one address, within 15 minutes. */
    loginFailuresPerAddress: number;
  };
  respectDnt: 'on' | 'off';
  accessLog: 'on' | 'off';
  analyticsCacheBytesMax: number;
  backup: BackupSettings;
};

/** Kept apart from Config, so that a printed or logged configuration cannot hold them. */
export type Secrets = {
  jwtSecret: string | undefined;
  metricsToken: string | undefined;
  s3: S3Access | undefined;
};

/** Thrown by parseConfig with every fault of the environment, one sentence each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(
      `The settings have ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads the environment. An empty value counts as absent.
 *
 * @param baseDir relative paths start here
 * @throws ConfigError listing all faults at once
 */
export function parseConfig(
  environment: Record<string, string | undefined>,
  baseDir: string,
): { config: Config; secrets: Secrets } {
  const faults: string[] = [];
  function read<Name extends SettingName>(name: Name): ReturnType<(typeof SETTINGS)[Name]['read']> {
    const { read, fallback } = SETTINGS[name];
    try {
      // The table's reader for this very name: the union of all readers is narrowed by hand.
      return read(environment[name]?.trim() || fallback) as ReturnType<(typeof SETTINGS)[Name]['read']>;
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'cannot be read.'}`);
      return read(fallback) as ReturnType<(typeof SETTINGS)[Name]['read']>;
    }
  }

  const dataDir = resolve(baseDir, read('DATA_DIR'));
  const url = read('DATABASE_URL');
  const authToken = read('DATABASE_AUTH_TOKEN') || undefined;
  const database = toDatabaseTarget(url, dataDir, baseDir, authToken);
  if (authToken && database.kind !== 'remote')
    faults.push('DATABASE_AUTH_TOKEN is set, but DATABASE_URL is not the address of a remote database.');
  const localBackupDir = join(dataDir, 'backups');
  const config: Config = {
    port: read('PORT'),
    host: read('HOST'),
    dataDir,
    database,
    registration: read('REGISTRATION'),
    corsOrigins: read('CORS_ORIGINS'),
    trustedProxies: read('TRUST_PROXY'),
    maxEventAgeDays: read('MAX_EVENT_AGE_DAYS'),
    durability: read('DURABILITY'),
    ingestQueueMax: read('INGEST_QUEUE_MAX'),
    limits: {
      collectPerS: read('LIMIT_COLLECT_PER_S'),
      websiteEventsPerS: read('LIMIT_WEBSITE_PER_S'),
      apiPerS: read('LIMIT_API_PER_S'),
      registrationsPerH: read('LIMIT_REGISTER_PER_H'),
      loginFailures: read('LIMIT_LOGIN_FAILURES'),
      loginFailuresPerAddress: read('LIMIT_LOGIN_FAILURES_ADDRESS'),
    },
    respectDnt: read('RESPECT_DNT'),
    accessLog: read('ACCESS_LOG'),
    analyticsCacheBytesMax: read('ANALYTICS_CACHE_MB') * 1024 * 1024,
    backup: {
      everyMs: read('BACKUP_EVERY_HOURS') * HOUR_MS,
      keepMax: read('BACKUP_KEEP'),
      to: toBackupTarget(read('BACKUP_TO'), localBackupDir, baseDir),
      localDir: localBackupDir,
      isMadeBeforeUpdate: read('BACKUP_BEFORE_UPDATE') === 'on',
    },
  };
  const s3 = toS3Access({
    endpoint: read('BACKUP_S3_ENDPOINT'),
    region: read('BACKUP_S3_REGION'),
    accessKeyId: read('BACKUP_S3_ACCESS_KEY_ID'),
    secretAccessKey: read('BACKUP_S3_SECRET_ACCESS_KEY'),
  });
  const secrets: Secrets = {
    jwtSecret: read('JWT_SECRET') || undefined,
    metricsToken: read('METRICS_TOKEN') || undefined,
    s3: s3.access,
  };
  if (s3.fault) faults.push(s3.fault);
  else if (config.backup.to.kind === 's3' && !s3.access)
    faults.push(
      'BACKUP_TO is a bucket, but BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are not set.',
    );
  if (faults.length > 0) throw new ConfigError(faults);
  return { config, secrets };
}

function toDatabaseTarget(
  url: string,
  dataDir: string,
  baseDir: string,
  authToken: string | undefined,
): DatabaseTarget {
  if (url === '') return { kind: 'file', path: join(dataDir, 'pagemeter.db') };
  if (url === ':memory:' || url === 'file::memory:') return { kind: 'memory' };
  if (!url.startsWith('file:')) return { kind: 'remote', url, authToken };
  const path = url.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, '');
  return { kind: 'file', path: isAbsolute(path) ? path : resolve(baseDir, path) };
}

function setting<Value>(fallback: string, description: string, read: (text: string) => Value) {
  return { fallback, description, read };
}

function text(value: string): string {
  return value;
}

function nonEmpty(value: string): string {
  if (value === '') throw new Error('must not be empty.');
  return value;
}

function integer(min: number, max: number) {
  return (value: string): number => {
    if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}".`);
    return Number(value);
  };
}

function oneOf<const Choice extends string>(...choices: Choice[]) {
  return (value: string): Choice => {
    const choice = choices.find((candidate) => candidate === value);
    if (!choice)
      throw new Error(`must be ${choices.map((name) => `"${name}"`).join(' or ')}, not "${value}".`);
    return choice;
  };
}

function origins(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const url = URL.canParse(entry) ? new URL(entry) : undefined;
      if (!url || !/^https?:$/.test(url.protocol) || url.origin !== entry.toLowerCase().replace(/\/$/, ''))
        throw new Error(`lists "${entry}", which is not an origin such as https://app.example.com.`);
      return url.origin;
    });
}

function databaseUrl(value: string): string {
  if (value === '' || value === ':memory:') return value;
  if (/^file:.+/.test(value) && !value.includes('?')) return value;
  if (/^(https?|libsql):\/\/[^/]+/.test(value) && URL.canParse(value)) return value;
  // The value may hold a password, so it is not repeated.
  throw new Error('must be file:PATH, :memory:, or the http(s):// or libsql:// address of a server.');
}

const SECRET_LENGTH_MIN = 32;

function jwtSecret(value: string): string {
  if (value === '') return value;
  if (value.length < SECRET_LENGTH_MIN)
    throw new Error(
      `must have at least ${SECRET_LENGTH_MIN} characters; leave it out to have one generated.`,
    );
  if (new Set(value).size < 8) throw new Error('is too simple; leave it out to have one generated.');
  return value;
}

const METRICS_TOKEN_LENGTH_MIN = 16;

function metricsToken(value: string): string {
  if (value !== '' && value.length < METRICS_TOKEN_LENGTH_MIN)
    throw new Error(`must have at least ${METRICS_TOKEN_LENGTH_MIN} characters.`);
  return value;
}
