import { join, resolve } from 'node:path';
import { HOUR_MS } from '../vocabulary/durations.ts';
import { integer, nonEmpty, oneOf, secret, setting, text, type ValuesOf } from './setting.ts';

/** Settings of backups, and the rules about which belong together. */

export const BACKUP_SETTINGS = {
  BACKUP_EVERY_HOURS: setting(
    '24',
    'Hours between two automatic backups; 0 turns them off.',
    integer(0, 8_760),
  ),
  BACKUP_KEEP: setting('3', 'Number of backups to keep; older ones are deleted.', integer(1, 1_000)),
  BACKUP_TO: setting(
    '',
    'Where backups go: a directory, or `s3://BUCKET/PREFIX`. Default: `backups` in `DATA_DIR`.',
    backupAddress,
  ),
  BACKUP_S3_ENDPOINT: setting(
    '',
    "Address of an S3-compatible server. Default: Amazon's for the region.",
    httpAddress,
  ),
  BACKUP_S3_REGION: setting('us-east-1', 'Region of the bucket; some servers require `auto`.', nonEmpty),
  BACKUP_S3_ACCESS_KEY_ID: setting('', 'Access key ID for the bucket.', text),
  BACKUP_S3_SECRET_ACCESS_KEY: secret(
    'Secret of that key. `BACKUP_S3_SECRET_ACCESS_KEY_FILE` names a file with it.',
    text,
  ),
  BACKUP_BEFORE_UPDATE: setting(
    'on',
    '`on`: a new version copies the database before it changes its tables, and does not start if the copy fails. `off`: no copy.',
    oneOf('on', 'off'),
  ),
} as const;

type Values = ValuesOf<typeof BACKUP_SETTINGS>;

/** Where backups go. A directory's path is absolute; a prefix is empty or ends with a slash. */
export type BackupTarget =
  | { kind: 'directory'; path: string }
  | { kind: 's3'; bucket: string; prefix: string };

export type BackupSettings = {
  /** 0: no automatic backups. */
  everyMs: number;
  keepMax: number;
  to: BackupTarget;
  /** Directory of copies that do not go to `to`: those made before an update, and drafts for a bucket. */
  localDir: string;
  /** Whether the database is copied before its tables change. */
  isMadeBeforeUpdate: boolean;
};

/** Endpoint and credentials of a bucket. */
export type S3Access = { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string };

/** Rule for bucket addresses, as a part of a sentence. */
export const BUCKET_RULE = 'with 3 to 63 lower-case letters, digits, dots and hyphens as BUCKET';

const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/;

/** @param text empty, a path or s3://BUCKET/PREFIX */
export function toBackupTarget(text: string, fallbackDir: string, baseDir: string): BackupTarget {
  const [, bucket, prefix = ''] = text.match(S3_ADDRESS) ?? [];
  if (bucket === undefined)
    return { kind: 'directory', path: text === '' ? fallbackDir : resolve(baseDir, text) };
  return { kind: 's3', bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` };
}

/** @param baseDir relative paths start here */
export function toBackupSettings(values: Values, dataDir: string, baseDir: string): BackupSettings {
  const localDir = join(dataDir, 'backups');
  return {
    everyMs: values.BACKUP_EVERY_HOURS * HOUR_MS,
    keepMax: values.BACKUP_KEEP,
    to: toBackupTarget(values.BACKUP_TO, localDir, baseDir),
    localDir,
    isMadeBeforeUpdate: values.BACKUP_BEFORE_UPDATE === 'on',
  };
}

/** Reads the S3 settings: both keys or neither (a bucket needs them); the endpoint is optional. */
export function toS3Access(values: Values): { access: S3Access | undefined; fault?: string } {
  const {
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: region,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = values;
  if (accessKeyId && secretAccessKey) {
    const access = { region, accessKeyId, secretAccessKey };
    return { access: { ...access, endpoint: endpoint || `https://s3.${region}.amazonaws.com` } };
  }
  const fault = faultOfAccess(values);
  return { access: undefined, ...(fault && { fault }) };
}

/** Returns a sentence when one key is missing, or both are needed. */
function faultOfAccess(values: Values): string | undefined {
  const keys = ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY'] as const;
  const set = keys.find((name) => values[name] !== '');
  const missing = keys.find((name) => values[name] === '');
  if (set) return `${set} is set, but ${missing} is not: they belong together.`;
  const both = keys.join(' and ');
  if (values.BACKUP_S3_ENDPOINT)
    return `BACKUP_S3_ENDPOINT is set, but ${both} are not: they belong together.`;
  if (values.BACKUP_TO.startsWith('s3:')) return `BACKUP_TO is a bucket, but ${both} are not set.`;
  return undefined;
}

/** Reads BACKUP_TO and EXPORT_TO. */
export function backupAddress(value: string): string {
  if (value.startsWith('s3:') ? S3_ADDRESS.test(value) : !value.includes('://')) return value;
  throw new Error('must be a directory or s3://BUCKET/PREFIX.');
}

function httpAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (value === '' || (url && /^https?:$/.test(url.protocol) && url.username === '')) return value;
  // The value may hold a password, so it is not repeated.
  throw new Error('must be the http:// or https:// address of a server.');
}
