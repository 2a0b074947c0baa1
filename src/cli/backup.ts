import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createBackup, type Destination } from '../backup/create.ts';
import { toMiB, whatIsAt } from '../backup/files.ts';
import { writeLastBackup } from '../backup/last-backup.ts';
import { BUCKET_RULE, toBackupTarget } from '../settings/backup.ts';
import type { Config } from '../settings/config.ts';
import type { DatabaseTarget } from '../settings/database.ts';
import type { FileCommand } from './command.ts';
import { count } from './count.ts';
import { tell } from './watch.ts';

/** @param to in place of BACKUP_TO */
export function backUp(to: string | undefined): FileCommand {
  return (readSettings, { print }) => makeBackup(readSettings(), to, print);
}

async function makeBackup(
  { config, secrets }: ReturnType<Parameters<FileCommand>[0]>,
  to: string | undefined,
  print: (line: string) => void,
): Promise<0> {
  const { backup, dataDir } = config;
  const databasePath = requireFile(config.database, 'back it up');
  if (whatIsAt(databasePath) === 'nothing')
    throw new Error(
      `There is no database at ${databasePath}. Set DATA_DIR or DATABASE_URL as the service does.`,
    );
  try {
    const made = await createBackup({
      databasePath,
      to: to === undefined ? backup.to : toDestination(to, config),
      s3: secrets.s3,
      scratchDir: backup.localDir,
      nowMs: Date.now(),
      onStep: tell.step,
      ...(to === undefined && { keepMax: backup.keepMax }),
    });
    if (to === undefined) writeLastBackup(dataDir, { finishedAtMs: Date.now(), ok: true });
    print(
      `${made.place}: ${count(made.events, 'event')}, ${count(made.websites, 'website')}, ${toMiB(made.sizeBytes)} MiB, verified.` +
        (made.removed > 0 ? ` Older ones removed: ${made.removed}.` : ''),
    );
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (to === undefined) noteFailure(dataDir, reason);
    throw error;
  }
}

function noteFailure(dataDir: string, error: string): void {
  try {
    writeLastBackup(dataDir, { finishedAtMs: Date.now(), ok: false, error });
  } catch {
    // The disk may be full, and that is what the error says already.
  }
}

/** The path of the database. @throws Error with a sentence when it is not a file */
export function requireFile(database: DatabaseTarget, purpose: string): string {
  if (database.kind === 'file') return database.path;
  throw new Error(
    database.kind === 'remote'
      ? `The database is on a server (DATABASE_URL): use the server's own means to ${purpose}.`
      : 'The database is in the memory of the service (DATABASE_URL): nothing else can reach it.',
  );
}

/** Paths that name a file: any other missing path means a directory, as in BACKUP_TO. */
const FILE_NAME = /[^/]\.db$/;

function toDestination(to: string, { backup }: Config): Destination {
  const target = toBackupTarget(to, backup.localDir, process.cwd());
  if (target.kind === 's3') return target;
  if (to.includes('://')) throw new Error(`${to} is neither a path nor s3://BUCKET/PREFIX, ${BUCKET_RULE}.`);
  const path = resolve(to);
  const there = statSync(path, { throwIfNoEntry: false });
  const isDirectory = there?.isDirectory() ?? (to.endsWith('/') || !FILE_NAME.test(path));
  return { kind: isDirectory ? 'directory' : 'file', path };
}
