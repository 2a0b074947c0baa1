import { resolve } from 'node:path';

/** The part of the settings that is about backups: their forms, and which belong together. */

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

const S3_ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/;

/** @param text empty, a path or s3://BUCKET/PREFIX */
export function toBackupTarget(text: string, fallbackDir: string, baseDir: string): BackupTarget {
  const [, bucket, prefix = ''] = text.match(S3_ADDRESS) ?? [];
  if (bucket === undefined)
    return { kind: 'directory', path: text === '' ? fallbackDir : resolve(baseDir, text) };
  return { kind: 's3', bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` };
}

/** All of the group or nothing: the endpoint is the only one that may be left out. */
export function toS3Access(group: S3Access): { access: S3Access | undefined; fault?: string } {
  const { endpoint, region, accessKeyId, secretAccessKey } = group;
  if (accessKeyId && secretAccessKey)
    return { access: { ...group, endpoint: endpoint || `https://s3.${region}.amazonaws.com` } };
  const [set, missing] = accessKeyId
    ? ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY']
    : ['BACKUP_S3_SECRET_ACCESS_KEY', 'BACKUP_S3_ACCESS_KEY_ID'];
  if (accessKeyId || secretAccessKey)
    return { access: undefined, fault: `${set} is set, but ${missing} is not: they belong together.` };
  if (endpoint)
    return {
      access: undefined,
      fault:
        'BACKUP_S3_ENDPOINT is set, but BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are not: they belong together.',
    };
  return { access: undefined };
}

/** Reads BACKUP_TO. */
export function backupAddress(value: string): string {
  if (value.startsWith('s3:') ? S3_ADDRESS.test(value) : !value.includes('://')) return value;
  throw new Error('must be a directory or s3://BUCKET/PREFIX.');
}

export function httpAddress(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (value === '' || (url && /^https?:$/.test(url.protocol) && url.username === '')) return value;
  // The value may hold a password, so it is not repeated.
  throw new Error('must be the http:// or https:// address of a server.');
}
