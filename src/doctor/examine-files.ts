import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freeSpace, SPARE_BYTES, toMiB, whatIsAt } from '../backup/files.ts';
import { readLastBackup } from '../backup/last-backup.ts';
import type { BackupSettings } from '../settings/backup.ts';
import type { Config } from '../settings/config.ts';
import { HOUR_MS } from '../vocabulary/durations.ts';
import { type Finding, fault, ok, warn } from './finding.ts';

const OTHERS = 0o077;
const SPACE_FAULT_BYTES = 64 * 1024 * 1024;
/** Size to which the service truncates the write-ahead log once it has no readers (db/local-database). */
const LOG_BYTES_WARN = 64 * 1024 * 1024;

/** Examines the surroundings of the database: secret, permissions, space, backups. */
export function examineFiles(config: Config, hasOwnSecret: boolean, nowMs: number): Finding[] {
  const { dataDir, database } = config;
  const secret = join(dataDir, 'secret');
  return [
    examineDirectory(dataDir),
    ...(hasOwnSecret ? [ok('secret', 'JWT_SECRET is set.')] : []),
    ...(!hasOwnSecret && whatIsAt(dataDir) === 'directory' ? [examineSecret(secret)] : []),
    ...(database.kind === 'file' && whatIsAt(database.path) === 'file'
      ? [
          examinePermissions(database.path),
          examineSpace(database.path),
          examineLog(`${database.path}-wal`),
          examineBackups(config.backup, dataDir, nowMs),
        ]
      : []),
  ];
}

/** Returns the findings for a database that is missing. */
export function examineAbsence(databasePath: string, dataDir: string): Finding | undefined {
  const what = whatIsAt(databasePath);
  if (what === 'file') return undefined;
  if (what === 'directory')
    return fault(
      'database',
      `${databasePath} is a directory.`,
      'Set DATABASE_URL to the file of the database.',
    );
  const secret = join(dataDir, 'secret');
  if (whatIsAt(secret) === 'file')
    return fault(
      'database',
      `There is no database at ${databasePath}, but ${secret} shows that there was one.`,
      'Put it back (is its volume mounted?), or restore a backup: pagemeter restore FILE',
    );
  const folder = dirname(databasePath);
  if (whatIsAt(folder) !== 'directory')
    return fault(
      'database',
      `There is no database at ${databasePath}: ${folder} is ${whatIsAt(folder) === 'file' ? 'a file' : 'not there'}.`,
      'Set DATA_DIR or DATABASE_URL as the service does. Is its volume mounted?',
    );
  return fault(
    'database',
    `There is no database at ${databasePath}.`,
    'Set DATA_DIR or DATABASE_URL as the service does; its first start makes the database.',
  );
}

function examineDirectory(path: string): Finding {
  const what = whatIsAt(path);
  if (what !== 'directory')
    return fault(
      'directory',
      what === 'file' ? `${path} is a file.` : `There is no directory ${path}.`,
      what === 'file'
        ? 'Set DATA_DIR to a directory, as the service does.'
        : 'Set DATA_DIR as the service does; its first start makes the directory.',
    );
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(
      'directory',
      `${path} can be written to; the pages and the tracker are made in it at each start.`,
    );
  } catch {
    return fault(
      'directory',
      `${path} cannot be written to by this user.`,
      'Give it to the user that runs the service (chown), or set DATA_DIR.',
    );
  }
}

function examineSecret(path: string): Finding {
  if (whatIsAt(path) === 'nothing')
    return warn(
      'secret',
      `There is no ${path}.`,
      'The next start makes one, and everybody logs in again; put the old one back to prevent it.',
    );
  return (statSync(path).mode & OTHERS) === 0
    ? ok('secret', 'It is there, for its owner alone.')
    : fault('secret', `${path} can be read by other users of this machine.`, `Run: chmod 600 ${path}`);
}

function examinePermissions(path: string): Finding {
  const open = ['', '-wal', '-shm']
    .map((suffix) => path + suffix)
    .filter((file) => ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0);
  return open.length === 0
    ? ok('permissions', 'The database is for its owner alone.')
    : warn(
        'permissions',
        `Other users of this machine may read ${open.join(', ')}.`,
        `Run: chmod 600 ${open.join(' ')}`,
      );
}

function examineSpace(path: string): Finding {
  const freeBytes = freeSpace(dirname(path));
  const sizeBytes = statSync(path).size;
  const message = `${toMiB(freeBytes)} MiB are free on its disk, the database has ${toMiB(sizeBytes)}.`;
  if (freeBytes < SPACE_FAULT_BYTES)
    return fault('space', message, 'Make room: events are refused when the disk is full.');
  if (freeBytes < sizeBytes + SPARE_BYTES)
    return warn('space', message, 'There is no room for a backup on this disk: set BACKUP_TO, or make room.');
  return ok('space', message);
}

function examineLog(path: string): Finding {
  const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const message = `The write-ahead log has ${toMiB(sizeBytes)} MiB.`;
  return sizeBytes > LOG_BYTES_WARN
    ? warn(
        'write-ahead log',
        message,
        'A long read (a backup, another program) holds it back; it shrinks when that has ended.',
      )
    : ok('write-ahead log', message);
}

function examineBackups({ everyMs }: BackupSettings, dataDir: string, nowMs: number): Finding {
  const last = readLastBackup(dataDir);
  const run = 'Run: pagemeter backup';
  if (!last)
    return everyMs === 0
      ? warn(
          'backup',
          'There is no backup, and automatic backups are off.',
          `${run}, or set BACKUP_EVERY_HOURS.`,
        )
      : warn('backup', 'There is no backup yet.', `The service will make one. ${run} to make one now.`);
  const hours = Math.round((nowMs - last.finishedAtMs) / HOUR_MS);
  const age = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-hours, 'hour'); // "this hour", "1 hour ago"
  if (!last.ok) return fault('backup', `The latest failed, ${age}: ${last.error ?? 'without a reason'}`, run);
  const message = `The latest was made ${age}.`;
  return everyMs > 0 && nowMs - last.finishedAtMs > 2 * everyMs
    ? warn('backup', message, `${run}, and see whether the service runs.`)
    : ok('backup', message);
}
