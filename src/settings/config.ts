import { resolve } from 'node:path';
import { readTrustedProxies, type TrustedProxies } from '../network/trusted-proxies.ts';
import type { CompatibleProduct } from '../vocabulary/compatible.ts';
import type { ExportFormat } from '../vocabulary/exports.ts';
import { ACCESS_SETTINGS, type AccessSettings, toAccessSettings } from './access.ts';
import {
  BACKUP_SETTINGS,
  type BackupSettings,
  type S3Access,
  toBackupSettings,
  toS3Access,
} from './backup.ts';
import { DATABASE_SETTINGS, type DatabaseTarget, toDatabaseTarget } from './database.ts';
import { EVENTS_SETTINGS, type EventsTarget, toEventsTarget } from './events.ts';
import { EXPORT_SETTINGS } from './export.ts';
import { LIMIT_SETTINGS, type LimitSettings, toLimitSettings } from './limit.ts';
import { OPERATION_SETTINGS, type OperationSettings, toOperationSettings } from './operation.ts';
import { ADDRESS_SETTINGS, findPathFault, PATH_SETTINGS, type PathSettings, toBasePath } from './path.ts';
import { readSecretFiles } from './secret-files.ts';
import { integer, nonEmpty, oneOf, readSettings, type Setting, setting } from './setting.ts';

/**
 * Settings that need no types of their own. A setting is defined once, in this folder: name, value when absent,
 * description, and the reader of its text. `bun packaging/settings-page.ts` writes the documents from the definitions.
 */
const SERVER_SETTINGS = {
  PORT: setting('3000', 'Port to listen on; 0 takes a free one.', integer(0, 65_535)),
  HOST: setting('127.0.0.1', 'Address to listen on; `0.0.0.0` for all of them.', nonEmpty),
  DATA_DIR: setting('./data', 'Directory of the database and the generated secret.', nonEmpty),
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
    'Database of countries, or of regions and cities, by IP address, in the MaxMind format: GeoLite2, DB-IP and others. Two files, such as one for IPv4 and one for IPv6, are separated by a comma. Default: the built-in one of countries.',
    geoDatabases,
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
  'Server and storage': { ...SERVER_SETTINGS, ...DATABASE_SETTINGS, ...EVENTS_SETTINGS },
  'Accounts and access': ACCESS_SETTINGS,
  'Addresses and proxies': { ...ADDRESS_SETTINGS, ...PATH_SETTINGS, ...PROXY_SETTINGS },
  Events: INGEST_SETTINGS,
  Limits: LIMIT_SETTINGS,
  Operation: { ...OPERATION_SETTINGS, ...CACHE_SETTINGS },
  Backups: BACKUP_SETTINGS,
  Exports: EXPORT_SETTINGS,
} as const;

export const SETTINGS = {
  ...SETTING_GROUPS['Server and storage'],
  ...SETTING_GROUPS['Accounts and access'],
  ...SETTING_GROUPS['Addresses and proxies'],
  ...SETTING_GROUPS.Events,
  ...SETTING_GROUPS.Limits,
  ...SETTING_GROUPS.Operation,
  ...SETTING_GROUPS.Backups,
  ...SETTING_GROUPS.Exports,
} as const;

/** Settings that may be in a file, which `NAME_FILE` names. */
export const SECRETS = Object.entries<Setting<unknown>>(SETTINGS)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name);

export type Config = AccessSettings &
  OperationSettings & {
    port: number;
    host: string;
    /** Absolute path. */
    dataDir: string;
    database: DatabaseTarget;
    /** Without a trailing slash. Undefined: the address that the dashboard is opened under. */
    publicUrl: string | undefined;
    /** `/meter`, or empty. */
    basePath: string;
    /** Additional paths of the script and the event routes. */
    paths: PathSettings;
    /** Products whose scripts may keep sending. */
    compatible: readonly CompatibleProduct[];
    trustedProxies: TrustedProxies;
    /** In lower case. */
    clientIpHeader: string | undefined;
    checkLoopback: 'direct' | 'on' | 'off';
    maxEventAgeDays: number;
    durability: 'full' | 'normal';
    ingestQueueMax: number;
    limits: LimitSettings;
    respectDnt: 'on' | 'off';
    /** Absolute paths. None: the packaged one. */
    geoDatabases: readonly string[];
    analyticsCacheBytesMax: number;
    backup: BackupSettings;
    /** The daily export. `to` is empty without one. */
    daily: { to: string; format: ExportFormat };
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
  const database = toDatabaseTarget(values, dataDir, baseDir);
  if (database.fault) faults.push(database.fault);
  const base = toBasePath(values.PUBLIC_URL, values.BASE_PATH);
  if (base.fault) faults.push(base.fault);
  if (values.CLIENT_IP_HEADER && typeof values.TRUST_PROXY === 'number')
    faults.push('CLIENT_IP_HEADER is set, but TRUST_PROXY does not name the proxies that send it.');
  const config: Config = {
    port: values.PORT,
    host: values.HOST,
    dataDir,
    database: database.target,
    ...toAccessSettings(values),
    publicUrl: values.PUBLIC_URL || undefined,
    basePath: base.path,
    paths: { scripts: values.SCRIPT_PATHS, collect: values.COLLECT_PATHS },
    compatible: values.COMPATIBLE,
    trustedProxies: values.TRUST_PROXY,
    clientIpHeader: values.CLIENT_IP_HEADER || undefined,
    checkLoopback: values.CHECK_LOOPBACK,
    maxEventAgeDays: values.MAX_EVENT_AGE_DAYS,
    durability: values.DURABILITY,
    ingestQueueMax: values.INGEST_QUEUE_MAX,
    limits: toLimitSettings(values),
    respectDnt: values.RESPECT_DNT,
    geoDatabases: values.GEO_DATABASE.map((path) => resolve(baseDir, path)),
    ...toOperationSettings(values),
    analyticsCacheBytesMax: values.ANALYTICS_CACHE_MB * 1024 * 1024,
    backup: toBackupSettings(values, dataDir, baseDir),
    daily: { to: values.EXPORT_TO, format: values.EXPORT_FORMAT },
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
  else if (values.EXPORT_TO.startsWith('s3:') && !s3.access)
    faults.push(
      'EXPORT_TO is a bucket, but BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are not set.',
    );
  const pathFault = findPathFault(config.paths);
  if (pathFault) faults.push(pathFault);
  if (faults.length > 0) throw new ConfigError(faults);
  return { config, secrets };
}

const GEO_DATABASES_MAX = 2;

function geoDatabases(value: string): string[] {
  const paths = value
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  if (paths.length > GEO_DATABASES_MAX)
    throw new Error(`lists ${paths.length} files; it takes at most ${GEO_DATABASES_MAX}.`);
  return paths;
}

function headerName(value: string): string {
  if (!/^[A-Za-z0-9-]{0,64}$/.test(value)) throw new Error(`must be the name of a header, not "${value}".`);
  return value.toLowerCase();
}
