import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BackupTarget, S3Access } from '../backup-settings.ts';
import { lockBackups } from '../db/instance-lock.ts';
import { openBucket } from './bucket.ts';
import { copyDatabase, sizeOfCopy, withDatabase } from './copy.ts';
import {
  backupName,
  createDirectory,
  findSuperfluous,
  partialOf,
  putInPlace,
  removeDatabaseFile,
  removeLeftovers,
  requireSpace,
} from './files.ts';
import { type CopyContent, readLastKey, verifyCopy } from './verify.ts';
import { writeThrough } from './write-through.ts';

export type Destination = BackupTarget | { kind: 'file'; path: string };

type Request = {
  databasePath: string;
  to: Destination;
  /** For a bucket. */
  s3: S3Access | undefined;
  /** Where the copy is made before it is sent to a bucket. */
  scratchDir: string;
  nowMs: number;
  /** Removes older ones of the destination. Not given: they stay. */
  keepMax?: number;
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
  { databasePath, nowMs, keepMax }: Request,
  to: Exclude<Destination, { kind: 's3' }>,
): Promise<Backup> {
  const isOne = to.kind === 'file';
  const directory = isOne ? dirname(to.path) : to.path;
  const name = backupName(nowMs);
  const path = isOne ? to.path : join(directory, name);
  const copy = await makeCopyInUse(databasePath, path);
  putInPlace(partialOf(path), path);
  const superfluous = keepMax === undefined ? [] : findSuperfluous(readdirSync(directory), name, keepMax);
  for (const old of superfluous) rmSync(join(directory, old));
  return { ...copy, place: path, removed: superfluous.length };
}

/** Beside each copy lies its SHA-256, in the form of `sha256sum`, written last: what has one is complete. */
async function toBucket(request: Request, to: { bucket: string; prefix: string }): Promise<Backup> {
  const { databasePath, nowMs, keepMax, s3, scratchDir } = request;
  if (!s3) throw new Error('BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY are not set.');
  const bucket = openBucket(s3, to);
  const name = backupName(nowMs);
  await bucket.list(); // a wrong key is found out before the work
  const copy = await makeCopyInUse(databasePath, join(scratchDir, name));
  const partial = partialOf(join(scratchDir, name));
  try {
    const sent = await bucket.upload(name, partial);
    if ((await bucket.checksum(name)) !== sent) {
      await bucket.remove(name);
      throw new Error(`${bucket.place}${name} is not what was sent: its SHA-256 is another one.`);
    }
    await bucket.writeText(checksumName(name), `${sent}  ${name}\n`);
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

export function checksumName(name: string): string {
  return `${name}.sha256`;
}

/** Without holding up those who write to the database. */
async function makeCopyInUse(databasePath: string, path: string): Promise<ReturnType<typeof makeCopy>> {
  const stop = await writeThrough(partialOf(path));
  try {
    return makeCopy(databasePath, path);
  } finally {
    stop();
  }
}

/**
 * Makes a verified copy under the partial name of `path`.
 *
 * @throws Error when there is a file already, no space, or the copy is not sound; the partial file is removed then
 */
export function makeCopy(
  databasePath: string,
  path: string,
  pace: 'quick' | 'full' = 'full',
): CopyContent & { sizeBytes: number } {
  if (existsSync(path)) throw new Error(`${path} exists already.`);
  const directory = dirname(path);
  createDirectory(directory);
  removeLeftovers(directory);
  const partial = partialOf(path);
  removeDatabaseFile(partial);
  requireSpace(directory, sizeOfCopy(databasePath));
  const lastKeyBefore = withDatabase(databasePath, readLastKey);
  try {
    copyDatabase(databasePath, partial);
    const content = verifyCopy(partial, `The copy of ${databasePath}`, pace);
    if (content.lastKey < lastKeyBefore) throw new Error('The copy lacks events that were there before.');
    return { ...content, sizeBytes: statSync(partial).size };
  } catch (error) {
    removeDatabaseFile(partial);
    throw error;
  }
}
