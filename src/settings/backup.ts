import { join, resolve } from 'node:path';
import { HOUR_MS } from '../vocabulary/durations.ts';
import { integer, nonEmpty, oneOf, setting, text, type ValuesOf } from './setting.ts';

/** The part of the settings that is about backups: their forms, and which belong together. */

export const BACKUP_SETTINGS = {
  BACKUP_EVERY_HOURS: setting(
    '24',
    'Hours between two backups that the service makes by itself; 0 makes none.',
    integer(0, 8_760),
  ),
  BACKUP_KEEP: setting('3', 'How many of them are kept; older ones are removed.', integer(1, 1_000)),
  BACKUP_TO: setting(
    '',
    'Where backups go: a directory, or `s3://BUCKET/PREFIX`. Default: `backups` in `DATA_DIR`.',
    backupAddress,
  ),
  BACKUP_S3_ENDPOINT: setting(
    '',
    'Address of an S3-compatible server. Default: that of Amazon for the region.',
    httpAddress,
  ),
  BACKUP_S3_REGION: setting('us-east-1', 'Region of the bucket; some servers want `auto`.', nonEmpty),
  BACKUP_S3_ACCESS_KEY_ID: setting('', 'Key for the bucket.', text),
  BACKUP_S3_SECRET_ACCESS_KEY: setting(
    '',
    'Its secret. `BACKUP_S3_SECRET_ACCESS_KEY_FILE` names a file with it.',
    text,
  ),
  BACKUP_BEFORE_UPDATE: setting(
    'on',
    '`on`: a new version copies the database before it changes its tables, and does not start when it cannot. `off`: no copy.',
    oneOf('on', 'off'),
  ),
} as const;

type Values = ValuesOf<typeof BACKUP_SETTINGS>;

/** Where backups go. A directory's path is absolute; a prefix is empty or ends with a slash. */
export type BackupTarget =
  | { kind: 'directory'; path: string }
  | { kind: 's3'; bucket: string; prefix: string };

export type BackupSettings = {
  /** 0: none by itself. */
  everyMs: number;
  keepMax: number;
  to: BackupTarget;
  /** Where copies are made that are not made in `to`. */
  localDir: string;
  /** A copy before the tables change. */
  isMadeBeforeUpdate: boolean;
};

/** How to reach a bucket. */
export type S3Access = { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string };

/** As a part of a sentence. */
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

/** All of the group or nothing: the endpoint is the only one that may be left out. A bucket needs it. */
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

/** Of access without both of its keys. */
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

/** Reads BACKUP_TO. */
function backupAddress(value: string): string {
  if (value.startsWith('s3:') ? S3_ADDRESS.test(value) : !value.includes('://')) return value;
  throw new Error('must be a directory or s3://BUCKET/PREFIX.');
}

function httpAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (value === '' || (url && /^https?:$/.test(url.protocol) && url.username === '')) return value;
  // The value may hold a password, so it is not repeated.
  throw new Error('must be the http:// or https:// address of a server.');
}
