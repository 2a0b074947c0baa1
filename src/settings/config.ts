import { isAbsolute, join, resolve } from 'node:path';
import { readTrustedProxies, type TrustedProxies } from '../network/trusted-proxies.ts';
import {
  BACKUP_SETTINGS,
  type BackupSettings,
  type S3Access,
  toBackupSettings,
  toS3Access,
} from './backup.ts';
import { EVENTS_SETTINGS, type EventsTarget, toEventsTarget } from './events.ts';
import { LIMIT_SETTINGS, type LimitSettings, toLimitSettings } from './limit.ts';
import { OPERATION_SETTINGS } from './operation.ts';
import { ADDRESS_SETTINGS, findPathFault, PATH_SETTINGS, type PathSettings, toBasePath } from './path.ts';
import { readSecretFiles } from './secret-files.ts';
import { integer, nonEmpty, oneOf, readSettings, type Setting, secret, setting, text } from './setting.ts';

/**
 * Settings that need no types of their own. A setting is defined once, in this folder: name, value when absent,
 * description, and the reader of its text. `bun packaging/settings-page.ts` writes the documents from the definitions.
 */
const SERVER_SETTINGS = {
  PORT: setting('3000', 'Port to listen on; 0 takes a free one.', integer(0, 65_535)),
  HOST: setting('127.0.0.1', 'Address to listen on; `0.0.0.0` for all of them.', nonEmpty),
  DATA_DIR: setting('./data', 'Directory of the database and the generated secret.', nonEmpty),
  DATABASE_URL: setting(
    '',
    'Database: `file:…`, `:memory:`, or `http(s)://`, `libsql://` of a libSQL server. Default: `pagemeter.db` in `DATA_DIR`.',
    databaseUrl,
  ),
  DATABASE_AUTH_TOKEN: secret(
    'Token for a remote libSQL server. `DATABASE_AUTH_TOKEN_FILE` names a file with it.',
    text,
  ),
} as const;

const ACCESS_SETTINGS = {
  JWT_SECRET: secret(
    'Signs the login tokens, at least 32 characters. `JWT_SECRET_FILE` names a file with it. Default: generated once, kept in `DATA_DIR/secret`.',
    jwtSecret,
  ),
  REGISTRATION: setting(
    '',
    '`open`: anyone may register. `closed`: only the first account. Without it, a switch in the dashboard decides; it is open until the server is set up.',
    registration,
  ),
  COMMON_PASSWORDS: setting(
    'accept',
    'Whether the API accepts common passwords, such as `Password1`: `accept` or `refuse`. The dashboard and `user set-password` always refuse them.',
    oneOf('accept', 'refuse'),
  ),
  CORS_ORIGINS: setting(
    '',
    'Comma-separated origins whose pages may call the API (the event and tracker routes are open to all).',
    origins,
  ),
} as const;

const PROXY_SETTINGS = {
  TRUST_PROXY: setting(
    '0',
    'Proxies whose `X-Forwarded-For` is trusted: comma-separated addresses and networks, `loopback` and `private` included, or the number of proxies in front. 0 ignores the header.',
    readTrustedProxies,
  ),
  CLIENT_IP_HEADER: setting(
    '',
    'Header in which a proxy of `TRUST_PROXY` sends the address of the visitor, such as `CF-Connecting-IP`; read when `X-Forwarded-For` lists only such proxies.',
    headerName,
  ),
  CHECK_LOOPBACK: setting(
    'direct',
    'Whether the installation check may fetch pages from this machine: `on`, `off`, or `direct` (only if `HOST` is loopback, no proxy is trusted, and the request comes from this machine).',
    oneOf('direct', 'on', 'off'),
  ),
} as const;

const INGEST_SETTINGS = {
  MAX_EVENT_AGE_DAYS: setting(
    '30',
    'Events older than this are refused, unless sent with an API key of scope `events`.',
    integer(1, 36_500),
  ),
  DURABILITY: setting(
    'full',
    '`full`: acknowledged events survive a power failure. `normal`: faster on slow disks; a power failure loses about the last five seconds, a crash of the process nothing.',
    oneOf('full', 'normal'),
  ),
  INGEST_QUEUE_MAX: setting(
    '20000',
    'Events that may wait for the disk; beyond this, senders get 503 with Retry-After.',
    integer(1_000, 1_000_000),
  ),
  RESPECT_DNT: setting(
    'off',
    '`on`: the script does not count browsers that send Do Not Track or Global Privacy Control, unless its tag says `data-respect-dnt="false"`.',
    oneOf('on', 'off'),
  ),
  GEO_DATABASE: setting(
    '',
    'Database of countries by IP address in the MaxMind format: GeoLite2, DB-IP and others. Default: the built-in one.',
    text,
  ),
} as const;

const CACHE_SETTINGS = {
  ANALYTICS_CACHE_MB: setting(
    '88',
    'Memory for unpacked statistics, in MiB; more makes reports on long ranges faster.',
    integer(1, 16_384),
  ),
} as const;

/** All settings, by the headings of docs/settings.md and in its order. */
export const SETTING_GROUPS = {
  'Server and storage': { ...SERVER_SETTINGS, ...EVENTS_SETTINGS },
  'Accounts and access': ACCESS_SETTINGS,
  'Addresses and proxies': { ...ADDRESS_SETTINGS, ...PATH_SETTINGS, ...PROXY_SETTINGS },
  Events: INGEST_SETTINGS,
  Limits: LIMIT_SETTINGS,
  Operation: { ...OPERATION_SETTINGS, ...CACHE_SETTINGS },
  Backups: BACKUP_SETTINGS,
} as const;

export const SETTINGS = {
  ...SETTING_GROUPS['Server and storage'],
  ...SETTING_GROUPS['Accounts and access'],
  ...SETTING_GROUPS['Addresses and proxies'],
  ...SETTING_GROUPS.Events,
  ...SETTING_GROUPS.Limits,
  ...SETTING_GROUPS.Operation,
  ...SETTING_GROUPS.Backups,
} as const;

/** Settings that may be in a file, which `NAME_FILE` names. */
export const SECRETS = Object.entries<Setting<unknown>>(SETTINGS)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name);

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
  /** Undefined: the switch in the dashboard decides. */
  registration: 'open' | 'closed' | undefined;
  commonPasswords: 'accept' | 'refuse';
  corsOrigins: readonly string[];
  /** Without a trailing slash. Undefined: the address that the dashboard is opened under. */
  publicUrl: string | undefined;
  /** `/meter`, or empty. */
  basePath: string;
  /** Additional paths of the script and the event routes. */
  paths: PathSettings;
  trustedProxies: TrustedProxies;
  /** In lower case. */
  clientIpHeader: string | undefined;
  checkLoopback: 'direct' | 'on' | 'off';
  maxEventAgeDays: number;
  durability: 'full' | 'normal';
  ingestQueueMax: number;
  limits: LimitSettings;
  respectDnt: 'on' | 'off';
  /** Absolute path. Undefined: the packaged one. */
  geoDatabase: string | undefined;
  accessLog: 'on' | 'off';
  analyticsCacheBytesMax: number;
  backup: BackupSettings;
};

/** Secrets are separate from Config, so that a printed or logged configuration cannot contain them. */
export type Secrets = {
  jwtSecret: string | undefined;
  metricsToken: string | undefined;
  s3: S3Access | undefined;
  /** ClickHouse server that keeps the events; undefined: the database does. */
  events: EventsTarget | undefined;
};

/** Exit code of every command when a setting is invalid; EX_CONFIG of sysexits.h. The unit does not restart on it. */
export const CONFIG_EXIT_CODE = 78;

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
  given: Record<string, string | undefined>,
  baseDir: string,
): { config: Config; secrets: Secrets } {
  const { environment, faults: fileFaults } = readSecretFiles(SECRETS, given, baseDir);
  const { values, faults } = readSettings(SETTINGS, environment);
  faults.unshift(...fileFaults);
  const dataDir = resolve(baseDir, values.DATA_DIR);
  const authToken = values.DATABASE_AUTH_TOKEN || undefined;
  const database = toDatabaseTarget(values.DATABASE_URL, dataDir, baseDir, authToken);
  if (authToken && database.kind !== 'remote')
    faults.push('DATABASE_AUTH_TOKEN is set, but DATABASE_URL is not the address of a remote database.');
  const base = toBasePath(values.PUBLIC_URL, values.BASE_PATH);
  if (base.fault) faults.push(base.fault);
  if (values.CLIENT_IP_HEADER && typeof values.TRUST_PROXY === 'number')
    faults.push('CLIENT_IP_HEADER is set, but TRUST_PROXY does not name the proxies that send it.');
  const config: Config = {
    port: values.PORT,
    host: values.HOST,
    dataDir,
    database,
    registration: values.REGISTRATION,
    commonPasswords: values.COMMON_PASSWORDS,
    corsOrigins: values.CORS_ORIGINS,
    publicUrl: values.PUBLIC_URL || undefined,
    basePath: base.path,
    paths: { scripts: values.SCRIPT_PATHS, collect: values.COLLECT_PATHS },
    trustedProxies: values.TRUST_PROXY,
    clientIpHeader: values.CLIENT_IP_HEADER || undefined,
    checkLoopback: values.CHECK_LOOPBACK,
    maxEventAgeDays: values.MAX_EVENT_AGE_DAYS,
    durability: values.DURABILITY,
    ingestQueueMax: values.INGEST_QUEUE_MAX,
    limits: toLimitSettings(values),
    respectDnt: values.RESPECT_DNT,
    geoDatabase: values.GEO_DATABASE ? resolve(baseDir, values.GEO_DATABASE) : undefined,
    accessLog: values.ACCESS_LOG,
    analyticsCacheBytesMax: values.ANALYTICS_CACHE_MB * 1024 * 1024,
    backup: toBackupSettings(values, dataDir, baseDir),
  };
  const s3 = toS3Access(values);
  const events = toEventsTarget(values, baseDir);
  const secrets: Secrets = {
    jwtSecret: values.JWT_SECRET || undefined,
    metricsToken: values.METRICS_TOKEN || undefined,
    s3: s3.access,
    events: events.target,
  };
  if (events.fault) faults.push(events.fault);
  if (s3.fault) faults.push(s3.fault);
  const pathFault = findPathFault(config.paths);
  if (pathFault) faults.push(pathFault);
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

function registration(value: string): 'open' | 'closed' | undefined {
  return value === '' ? undefined : oneOf('open', 'closed')(value);
}

function headerName(value: string): string {
  if (!/^[A-Za-z0-9-]{0,64}$/.test(value)) throw new Error(`must be the name of a header, not "${value}".`);
  return value.toLowerCase();
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
