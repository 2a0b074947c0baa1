import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lockBackups } from '../db/instance-lock.ts';
import { readLastKey } from '../log/examination.ts';
import type { OnStep } from '../process/progress.ts';
import type { BackupTarget, S3Access } from '../settings/backup.ts';
import { openBucket } from './bucket.ts';
import { checksumName, hashFile, toChecksumText } from './checksum.ts';
import { copyDatabase, sizeOfCopy, withDatabase } from './copy.ts';
import {
  backupName,
  createDirectory,
  findSuperfluous,
  partialOf,
  placeCopy,
  removeCopy,
  removeDatabaseFile,
  removeLeftovers,
  requireSpace,
} from './files.ts';
import { type CopyContent, verifyCopy } from './verify.ts';
import { writeThrough } from './write-through.ts';

export type Destination = BackupTarget | { kind: 'file'; path: string };

type Request = {
  databasePath: string;
  to: Destination;
  /** For a bucket. */
  s3: S3Access | undefined;
  /** Directory in which a copy is made before it is sent to a bucket. */
  scratchDir: string;
  nowMs: number;
  /** Removes older ones of the destination. Not given: they stay. */
  keepMax?: number;
  onStep?: OnStep | undefined;
};

/** `place`: path or address. `removed`: how many older ones went. */
export type Backup = CopyContent & { place: string; sizeBytes: number; removed: number };

/**
 * Copies the database while it is in use, reads the whole copy to see that it is sound, and only then gives it its
 * name: whatever has the name of a backup is one. Nothing is left of one that failed.
 *
 * @throws Error with a sentence
 */
export async function createBackup(request: Request): Promise<Backup> {
  const { databasePath, to } = request;
  const unlock = lockBackups(databasePath);
  try {
    return to.kind === 's3' ? await toBucket(request, to) : await toFile(request, to);
  } finally {
    unlock();
  }
}

async function toFile(
  { databasePath, nowMs, keepMax, onStep }: Request,
  to: Exclude<Destination, { kind: 's3' }>,
): Promise<Backup> {
  const isOne = to.kind === 'file';
  const directory = isOne ? dirname(to.path) : to.path;
  const name = backupName(nowMs);
  const path = isOne ? to.path : join(directory, name);
  const { sha256, ...copy } = await makeCopyInUse(databasePath, path, onStep);
  placeCopy(path, sha256);
  const superfluous = keepMax === undefined ? [] : findSuperfluous(readdirSync(directory), name, keepMax);
  for (const old of superfluous) removeCopy(join(directory, old));
  return { ...copy, place: path, removed: superfluous.length };
}

/** Uploads a copy. Its checksum is written last, so a copy with a checksum is complete. */
async function toBucket(request: Request, to: { bucket: string; prefix: string }): Promise<Backup> {
  const { databasePath, nowMs, keepMax, s3, scratchDir, onStep } = request;
  if (!s3) throw new Error('BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are not set.');
  const bucket = openBucket(s3, to);
  const name = backupName(nowMs);
  await bucket.list(); // a wrong key is found out before the work
  const { sha256, ...copy } = await makeCopyInUse(databasePath, join(scratchDir, name), onStep);
  const partial = partialOf(join(scratchDir, name));
  try {
    onStep?.({ name: 'sending', bytes: copy.sizeBytes });
    await bucket.upload(name, partial);
    onStep?.({ name: 'reading it back' });
    if ((await bucket.checksum(name)) !== sha256) {
      await bucket.remove(name);
      throw new Error(`${bucket.place}${name} is not what was sent: its SHA-256 is another one.`);
    }
    await bucket.writeText(checksumName(name), toChecksumText(sha256, name));
  } finally {
    rmSync(partial);
  }
  const superfluous = keepMax === undefined ? [] : findSuperfluous(await bucket.list(), name, keepMax);
  for (const old of superfluous) {
    await bucket.remove(old);
    await bucket.remove(checksumName(old));
  }
  return { ...copy, place: `${bucket.place}${name}`, removed: superfluous.length };
}

/** Makes a copy without delaying writers. */
async function makeCopyInUse(
  databasePath: string,
  path: string,
  onStep: OnStep | undefined,
): Promise<ReturnType<typeof makeCopy>> {
  const stop = await writeThrough(partialOf(path));
  try {
    return makeCopy(databasePath, path, { onStep });
  } finally {
    stop();
  }
}

/** For the checksum, by SQLite, and once more by it for indexes. */
const READINGS = 3;

/**
 * Makes a verified copy under the partial name of `path`. Its SHA-256 is taken before it is read for the verification,
 * so that a bit which changes between the two does not get a checksum that agrees with it.
 *
 * @throws Error when there is a file already, no space, or the copy is not sound; the partial file is removed then
 */
export function makeCopy(
  databasePath: string,
  path: string,
  { pace = 'full', onStep }: { pace?: 'quick' | 'full'; onStep?: OnStep | undefined } = {},
): CopyContent & { sizeBytes: number; sha256: string } {
  for (const taken of [path, checksumName(path)])
    if (existsSync(taken)) throw new Error(`${taken} exists already.`);
  const directory = dirname(path);
  createDirectory(directory);
  removeLeftovers(directory);
  const partial = partialOf(path);
  removeDatabaseFile(partial);
  const bytes = sizeOfCopy(databasePath);
  requireSpace(directory, bytes);
  const lastKeyBefore = withDatabase(databasePath, readLastKey);
  try {
    onStep?.({ name: 'copying', bytes, scratch: partial });
    copyDatabase(databasePath, partial);
    onStep?.({ name: 'verifying', bytes: bytes * READINGS });
    const sha256 = hashFile(partial);
    const content = verifyCopy(partial, `The copy of ${databasePath}`, pace);
    if (content.lastKey < lastKeyBefore) throw new Error('The copy lacks events that were there before.');
    return { ...content, sizeBytes: statSync(partial).size, sha256 };
  } catch (error) {
    removeDatabaseFile(partial);
    throw error;
  }
}
