import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'libsql';
import { followLink, lockBackups, lockInstance } from '../db/instance-lock.ts';
import type { OnStep } from '../process/progress.ts';
import type { S3Access } from '../settings/backup.ts';
import { openBucket } from './bucket.ts';
import { checksumName, hashFile, parseChecksum, readChecksum } from './checksum.ts';
import {
  createDirectory,
  partialOf,
  putInPlace,
  removeDatabaseFile,
  requireSpace,
  syncPath,
  toStamp,
  whatIsAt,
} from './files.ts';
import { readSaidSize } from './said-size.ts';
import { type CopyContent, requireAllBytes, verifyCopy } from './verify.ts';

/** Times that SQLite reads a copy to verify it; the second one is for indexes. */
const READINGS = 2;

type Request = {
  from: { kind: 'file'; path: string } | { kind: 's3'; bucket: string; prefix: string; name: string };
  databasePath: string;
  s3: S3Access | undefined;
  /** Whether a database that is there may be put aside. */
  isReplacing: boolean;
  nowMs: number;
  onStep?: OnStep | undefined;
};

/** `aside`: where the database that was there is now. `isChecked`: a checksum was there, and is right. */
export type Restored = CopyContent & { aside: string | undefined; isChecked: boolean };

/**
 * Replaces the database with a backup. The backup is copied and verified first; the old database is kept under another
 * name. Where files can have two names, a database exists at every moment, and never with the write-ahead log of the other.
 *
 * @throws Error with a sentence; then nothing has changed
 */
export async function restoreBackup(request: Request): Promise<Restored> {
  const { from, isReplacing, nowMs } = request;
  if (from.kind === 'file') requireFile(from.path);
  const databasePath = followLink(request.databasePath); // a link stays one
  requireReplaceable(databasePath, isReplacing);
  createDirectory(dirname(databasePath));
  return locked(databasePath, async () => {
    const partial = partialOf(databasePath);
    removeDatabaseFile(partial);
    try {
      const { name, isChecked } = await fetchCopy(request, partial);
      request.onStep?.({ name: 'verifying', bytes: statSync(partial).size * READINGS });
      const content = verifyCopy(partial, name);
      removeBeside(partial);
      const aside = putAside(databasePath, nowMs);
      putInPlace(partial, databasePath);
      return { ...content, aside, isChecked };
    } finally {
      removeDatabaseFile(partial);
    }
  });
}

function requireFile(path: string): void {
  const kind = whatIsAt(path);
  if (kind === 'nothing')
    throw new Error(
      whatIsAt(dirname(path)) === 'directory'
        ? `There is no file ${path}.`
        : `There is no file ${path}: ${dirname(path)} is not a directory. Is its volume mounted?`,
    );
  if (kind === 'directory') throw new Error(`${path} is a directory: name one of the backups in it.`);
}

function requireReplaceable(databasePath: string, isReplacing: boolean): void {
  const kind = whatIsAt(databasePath);
  if (kind === 'directory') throw new Error(`${databasePath} is a directory, and no database.`);
  if (kind === 'file' && !isReplacing)
    throw new Error(
      `There is a database at ${databasePath}. With --replace it is kept under another name, and the backup takes its place.`,
    );
}

/** Neither the service nor a backup may be at work. */
async function locked<Result>(databasePath: string, work: () => Promise<Result>): Promise<Result> {
  const unlockInstance = lockInstance(databasePath);
  try {
    const unlockBackups = lockBackups(databasePath);
    return await work().finally(unlockBackups);
  } finally {
    unlockInstance();
  }
}

/** Fetched backup. `name`: for messages. `isChecked`: it had a checksum, which matched. */
type Fetched = { name: string; isChecked: boolean };

async function fetchCopy({ from, s3, onStep }: Request, partial: string): Promise<Fetched> {
  if (from.kind === 's3') return fetchFromBucket(from, s3, partial, onStep);
  if ((statSync(`${followLink(from.path)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Error(
      `${from.path} is a database in use, and not a backup: a part of it is in ${basename(from.path)}-wal. Make a backup of it.`,
    );
  const { size } = statSync(from.path);
  requireSpace(dirname(partial), size);
  onStep?.({ name: 'copying', bytes: size, scratch: partial });
  copyFileSync(from.path, partial);
  chmodSync(partial, 0o600); // whatever the copy had
  requireAllBytes(partial, from.path);
  const expected = readChecksum(from.path);
  if (expected !== undefined && hashFile(partial) !== expected)
    throw new Error(
      `${from.path} is not what ${basename(checksumName(from.path))} says: one of the two has changed since the copy was made. Take another copy.`,
    );
  return { name: from.path, isChecked: expected !== undefined };
}

async function fetchFromBucket(
  from: { bucket: string; prefix: string; name: string },
  s3: S3Access | undefined,
  partial: string,
  onStep: OnStep | undefined,
): Promise<Fetched> {
  if (!s3) throw new Error('BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are not set.');
  const bucket = openBucket(s3, from);
  const checksum = await bucket.readText(checksumName(from.name));
  const expected =
    checksum === undefined ? undefined : parseChecksum(checksum, `${bucket.place}${checksumName(from.name)}`);
  const bytes = await bucket.size(from.name);
  requireSpace(dirname(partial), bytes);
  onStep?.({ name: 'receiving', bytes, scratch: partial });
  const came = await bucket.download(from.name, partial);
  if (expected !== undefined && came !== expected)
    throw new Error(`${bucket.place}${from.name} is damaged: its SHA-256 is another one.`);
  return { name: `${bucket.place}${from.name}`, isChecked: expected !== undefined };
}

/**
 * Gives the existing database a second name. Its write-ahead log is merged first; a log that cannot be merged is moved
 * along, because SQLite would merge it into the new database.
 */
function putAside(databasePath: string, nowMs: number): string | undefined {
  if (!existsSync(databasePath)) {
    removeBeside(databasePath); // a log without its database
    return undefined;
  }
  const aside = join(dirname(databasePath), `${basename(databasePath, '.db')}-replaced-${toStamp(nowMs)}.db`);
  if (existsSync(aside)) throw new Error(`${aside} exists already.`);
  // SQLite would remove the log of a file that is not a database.
  if (readSaidSize(databasePath) !== undefined) takeInLog(databasePath);
  if (existsSync(`${databasePath}-wal`)) renameSync(`${databasePath}-wal`, `${aside}-wal`);
  removeBeside(databasePath);
  try {
    linkSync(databasePath, aside);
  } catch {
    renameSync(databasePath, aside); // a file system without links
  }
  syncPath(dirname(databasePath));
  return aside;
}

function takeInLog(path: string): void {
  const database = new Database(path);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // It may be the damaged one that is being replaced.
  } finally {
    database.close(); // it is the only connection, so SQLite removes the log
    Bun.gc(true);
  }
}

function removeBeside(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}
