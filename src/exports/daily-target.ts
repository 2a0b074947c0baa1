import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openBucket } from '../backup/bucket.ts';
import { createDirectory, writeWhole } from '../backup/files.ts';
import type { BackupTarget, S3Access } from '../settings/backup.ts';

/** Where a daily export goes. Names are relative paths. */
export type DailyTarget = {
  readText(name: string): Promise<string | undefined>;
  writeText(name: string, text: string): Promise<void>;
  /** Returns the path at which to write a file; its directory is there. */
  prepare(name: string): string;
  /** Brings a file that is whole to its place. */
  place(name: string, path: string): Promise<void>;
  remove(name: string): Promise<void>;
};

/**
 * @param scratchDir directory in which files for a bucket are written
 * @throws Error with a sentence for a bucket without keys
 */
export function openDailyTarget(
  target: BackupTarget,
  { s3, scratchDir }: { s3: S3Access | undefined; scratchDir: string },
): DailyTarget {
  if (target.kind === 'directory') return openDirectory(target.path);
  if (!s3) throw new Error('A bucket needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY.');
  const { readText, writeText, upload, remove } = openBucket(s3, target);
  return {
    readText,
    writeText,
    remove,
    prepare(name) {
      createDirectory(scratchDir);
      return join(scratchDir, name.replaceAll('/', '-'));
    },
    place: (name, path) => upload(name, path).finally(() => rmSync(path, { force: true })),
  };
}

function openDirectory(folder: string): DailyTarget {
  const prepare = (name: string) => {
    const path = join(folder, name);
    createDirectory(dirname(path));
    return path;
  };
  return {
    async readText(name) {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    },
    writeText: async (name, text) => writeWhole(prepare(name), text),
    prepare,
    place: () => Promise.resolve(), // it was written there
    async remove(name) {
      const path = join(folder, name);
      // A day has a folder of its own.
      rmSync(/^date=/.test(basename(dirname(path))) ? dirname(path) : path, { force: true, recursive: true });
    },
  };
}
